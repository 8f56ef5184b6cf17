"""driftless.torch: a module trains as in a plain loop of torch, with the same bits in any run."""
import copy
import random
import signal

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F
from torch import nn

import driftless as dl
import driftless.torch
from conftest import digest, done, finish, same, start
from torch_problems import OPTIONS, net, problem, samples, with_dropout


def trained_by_a_plain_loop(method, model, data, w, rounds=6, K=4, rate=0.05, batch=16):
    """All nodes' models, by D-SGD or K-GT as in their papers."""
    parameters = list(model.parameters())
    eta, w = parameters[0].new_tensor(rate), parameters[0].new_tensor(w)
    X = torch.cat([p.detach().flatten() for p in parameters]).repeat(len(data), 1)
    C = torch.zeros_like(X)
    for t in range(rounds):
        Y = X.clone()
        for i, (x, y) in enumerate(data):
            for k in range(K):
                nn.utils.vector_to_parameters(Y[i], parameters)
                chosen = torch.from_numpy(dl.Draw(1, i, t, k, steps=K).batch(batch, len(x)))
                model.zero_grad()
                F.cross_entropy(model(x[chosen]), y[chosen]).backward()
                g = torch.cat([p.grad.flatten() for p in parameters])
                Y[i] = Y[i] - eta * (g + C[i])
        if method == "d-sgd":
            X = w @ (X - (X - Y))
        else:
            Z = (X - Y) * (1 / (K * eta))
            C = C - Z
            X, Z = w @ (X - K * eta * Z), w @ Z
            C = C + Z
    return X.numpy()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("method", ["d-sgd", "k-gt"])
@pytest.mark.parametrize("nodes, topology", [(2, "path"), (4, "ring")])
def test_a_module_trains_as_in_a_plain_loop(dtype, method, nodes, topology):
    data = samples(nodes, dtype=dtype)
    run = dl.run(driftless.torch.Problem(net(dtype=dtype), F.cross_entropy, data, batch=16),
                 threads=2, topology=topology, **{**OPTIONS, "algorithm": method})[0]
    w = dl.topology(topology, nodes=nodes).w
    expected = trained_by_a_plain_loop(method, net(dtype=dtype), data, w)
    assert run.models.dtype == expected.dtype
    if nodes == 2:  # halves of two numbers have one sum
        assert np.array_equal(run.models, expected)
    np.testing.assert_allclose(run.models, expected, atol=10 * np.finfo(expected.dtype).eps)


class OfItsOwn(nn.Module):
    """Noise from torch's generator for all threads."""

    def forward(self, x):
        return x + torch.rand(x.shape) if self.training else x


class Late(nn.Module):
    """Random only where an input is large, which few batches have."""

    def forward(self, x):
        return F.dropout(x, 0.5) if self.training and x.max() > 2.4 else x


class Recurrent(nn.Module):
    """An LSTM draws its dropout inside of torch."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 4, num_layers=2, dropout=0.5, batch_first=True)

    def forward(self, x):
        return self.lstm(x.view(-1, 4, 4))[0].flatten(1)


RANDOM = {"Dropout": nn.Dropout(0.5), "AlphaDropout": nn.AlphaDropout(0.3),
          "Dropout1d": nn.Sequential(nn.Unflatten(1, (4, 4)), nn.Dropout1d(0.5), nn.Flatten()),
          "OfItsOwn": OfItsOwn(), "Late": Late(), "LSTM": Recurrent()}


@pytest.mark.parametrize("layer", RANDOM)
def test_random_modules_give_one_hash_for_any_number_of_threads(layer):
    one, two, four = (dl.run(problem(copy.deepcopy(RANDOM[layer])), threads=threads, **OPTIONS)
                      for threads in (1, 2, 4))
    assert digest(one) == digest(two) == digest(four)
    quiet = copy.deepcopy(RANDOM[layer]).eval()
    quiet.train = lambda mode=True: quiet
    assert not same(one, dl.run(problem(quiet), **OPTIONS))
    assert not same(one, dl.run(problem(RANDOM[layer]), seed=2, **OPTIONS))


class Augmented(torch.utils.data.Dataset):
    """Samples that are drawn anew each time, by one of the generators that threads share."""

    def __init__(self, pair, drawn):
        self.pair, self.drawn = pair, drawn

    def __len__(self):
        return len(self.pair[0])

    def __getitem__(self, at):
        return self.pair[0][at] + self.drawn(), self.pair[1][at]


@pytest.mark.parametrize("drawn", [random.random, np.random.random, lambda: float(torch.rand(()))])
def test_augmented_samples_give_one_hash_for_any_number_of_threads(drawn):
    data = [Augmented(pair, drawn) for pair in samples(count=20)]
    one, two, four = (dl.run(driftless.torch.Problem(net(), F.cross_entropy, data, batch=4),
                             threads=threads, **OPTIONS) for threads in (1, 2, 4))
    assert digest(one) == digest(two) == digest(four)
    plain = driftless.torch.Problem(net(), F.cross_entropy, samples(count=20), batch=4)
    assert not same(one, dl.run(plain, **OPTIONS))


def test_dropout_is_on_in_gradients_and_off_in_losses():
    run = dl.run(with_dropout(test=samples()[0]), **OPTIONS)[0]
    model = with_dropout().load(run.model).eval()
    losses = [float(F.cross_entropy(model(x), y)) for x, y in samples()]
    np.testing.assert_allclose(run["loss"][-1], np.mean(losses), rtol=1e-6)
    x, y = samples()[0]
    right = float((model(x).argmax(1) == y).float().mean())
    assert run["test_accuracy"][-1] == pytest.approx(right)
    assert not np.array_equal(run.models, dl.run(problem(), **OPTIONS)[0].models)


KILLED = """
import sys, time, driftless as dl
from torch_problems import OPTIONS, with_dropout
def each(row):
    print(row["round"], flush=True)
    time.sleep(0.02)
dl.run(with_dropout(), out=sys.argv[1], each=each, threads=2, checkpoint=dict(every_rounds=4),
       **{**OPTIONS, "rounds": 50})
"""


def test_a_killed_run_with_dropout_is_resumed_with_the_same_bits(tmp_path):
    child = start(KILLED, tmp_path / "runs")
    while not child.stdout.readline().startswith("15"):
        assert child.poll() is None, child.stderr.read()
    child.kill()
    assert finish(child)[0] == -signal.SIGKILL
    assert dl.read(tmp_path / "runs")[0].outcome == "unfinished"
    options = {**OPTIONS, "rounds": 50}
    checkpoint = dict(every_rounds=4)
    runs = dl.run(with_dropout(), out=tmp_path / "runs", resume=True, checkpoint=checkpoint,
                  **options)
    assert same(runs, dl.run(with_dropout(), checkpoint=checkpoint, **options))


def test_weight_decay_is_that_of_torchs_sgd():
    decay = 0.1
    run = dl.run(problem(weight_decay=decay, batch=60), algorithm="d-sgd", local_rate=0.1, rounds=20,
                 topology="complete", gradient_metrics=True)[0]
    model = net()
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=decay)

    def objective():
        return sum(F.cross_entropy(model(x), y) for x, y in samples()) / 4

    for _ in range(20):
        optimiser.zero_grad()
        objective().backward()
        optimiser.step()
    trained = nn.utils.parameters_to_vector(model.parameters()).detach()
    np.testing.assert_allclose(run.model, trained, atol=1e-6)
    optimiser.zero_grad()
    whole = objective() + decay / 2 * sum(p.square().sum() for p in model.parameters())
    whole.backward()
    np.testing.assert_allclose(run["loss"][-1], whole.item(), rtol=1e-5)
    square = sum(float(p.grad.square().sum()) for p in model.parameters())
    np.testing.assert_allclose(run["grad_norm2"][-1], square, rtol=1e-3)


@pytest.mark.parametrize("eval_batch", [1, 7, 60])
def test_losses_tests_and_full_gradients_do_not_depend_on_eval_batch(eval_batch):
    options = dict(test=samples()[1], weight_decay=0.01)
    x = np.random.default_rng(0).normal(size=problem().dim).astype(np.float32)

    def measured(**more):
        of_it, g = problem(**options, **more), np.empty_like(x)
        of_it.full_gradient(2, x, dl.Draw(), g)
        return np.array([of_it.loss(2, x), *of_it.test(x), *g])

    np.testing.assert_allclose(measured(eval_batch=eval_batch), measured(), rtol=1e-4, atol=1e-6)


def test_the_users_model_and_torchs_settings_are_left_alone():
    model = net(nn.BatchNorm1d(16), nn.Dropout(0.5)).eval()
    before = copy.deepcopy(model.state_dict())
    threads, state = torch.get_num_threads(), torch.default_generator.get_state()
    of_it = driftless.torch.Problem(model, F.cross_entropy, samples(), buffers="average")
    run = dl.run(of_it, **OPTIONS)[0]
    loaded = of_it.load(run.model)
    after = model.state_dict()
    assert all(torch.equal(value, after[name]) for name, value in before.items())
    assert not model.training and all(p.grad is None for p in model.parameters())
    assert type(model[3].forward).__name__ == type(loaded[3].forward).__name__ == "method"
    assert torch.equal(torch.default_generator.get_state(), state)
    assert torch.get_num_threads() == threads


def test_callbacks_have_one_thread_of_torch_and_give_the_others_back():
    told = done("""if True:
        import torch, driftless as dl
        torch.set_num_threads(2)
        from torch_problems import OPTIONS, net, samples
        import torch.nn.functional as F, driftless.torch
        seen = set()
        def loss(output, target):
            seen.add(torch.get_num_threads())
            return F.cross_entropy(output, target)
        dl.run(driftless.torch.Problem(net(), loss, samples()), threads=1, **OPTIONS)
        print(seen, torch.get_num_threads())
    """)
    assert told == "{1} 2\n"


def test_load_makes_a_model_of_the_users_kind():
    of_it = problem(nn.Dropout(0.5))
    x = np.arange(of_it.dim, dtype=np.float32)
    model = of_it.load(x)
    assert isinstance(model, nn.Sequential) and type(model[2]) is nn.Dropout
    assert np.array_equal(nn.utils.parameters_to_vector(model.parameters()).detach(), x)
    F.cross_entropy(model(samples()[0][0]), samples()[0][1]).backward()  # it can be trained on
    assert not np.array_equal(of_it.load(of_it.start(0))[0].weight.detach(),
                              model[0].weight.detach())


def test_frozen_parameters_stay_and_are_no_part_of_the_vector():
    model = net()
    model[0].requires_grad_(False)
    of_it = driftless.torch.Problem(model, F.cross_entropy, samples(), batch=16)
    assert of_it.dim == 16 * 3 + 3
    loaded = of_it.load(dl.run(of_it, **OPTIONS)[0].model)
    assert torch.equal(loaded[0].weight, model[0].weight) and not loaded[0].weight.requires_grad
    assert not torch.equal(loaded[2].weight, model[2].weight)
