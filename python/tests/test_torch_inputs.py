"""What driftless.torch.Problem takes: tensors, Datasets, any loss, statistics; and its words on the rest."""
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F
from torch import nn

import driftless as dl
import driftless.torch
from conftest import same
from torch_problems import OPTIONS, net, problem, samples

Problem = driftless.torch.Problem


class Pairs:
    """A Dataset that inherits from nothing."""

    def __init__(self, pair, length=None):
        self.pair, self.length = pair, len(pair[0]) if length is None else length

    def __len__(self):
        return self.length

    def __getitem__(self, at):
        return self.pair[0][at], self.pair[1][at]


@pytest.mark.parametrize("kind", [
    lambda pair: torch.utils.data.TensorDataset(*pair), Pairs,
    lambda pair: list(zip(*pair)), lambda pair: tuple(each.numpy() for each in pair), list])
def test_datasets_and_arrays_give_the_bits_of_their_tensors(kind):
    data = [kind(pair) for pair in samples()]
    run = dl.run(Problem(net(), F.cross_entropy, data, batch=16, test=data[0]), **OPTIONS)
    assert same(run, dl.run(problem(test=samples()[0]), **OPTIONS))


def test_a_collate_function_makes_the_batches():
    sizes = []

    def collate(chosen):
        sizes.append(len(chosen))
        return torch.stack([x for x, _ in chosen]), torch.tensor([int(y) for _, y in chosen])

    data = [Pairs(pair) for pair in samples()]
    run = dl.run(Problem(net(), F.cross_entropy, data, batch=16, collate=collate), **OPTIONS)
    assert same(run, dl.run(problem(), **OPTIONS))
    assert set(sizes) == {16, 60 % 16, 60}


def test_a_module_of_two_inputs_and_a_loss_of_its_own():
    class Sum(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.zeros(8))

        def forward(self, one, other):
            return (self.scale * (one + other)).sum(1)

    class Huber(nn.Module):
        def forward(self, output, target):
            return F.smooth_l1_loss(output, target)

    data = [(x, x.flip(0), 0.3 * (x + x.flip(0)).sum(1)) for x, _ in samples()]
    options = dict(algorithm="gt", local_rate=0.2, rounds=150, topology="complete")
    of_it = Problem(Sum(), Huber(), data, batch=60, test=data[0])
    run = dl.run(of_it, **options)[0]
    np.testing.assert_allclose(of_it.load(run.model).scale.detach(), 0.3, rtol=1e-3)
    assert run["test_loss"][-1] < 1e-5 and np.isnan(run["test_accuracy"]).all()


def test_targets_of_every_pixel_have_an_accuracy():
    data = [(x.view(-1, 1, 8), (x > 0).long()) for x, _ in samples()]
    of_it = Problem(nn.Conv1d(1, 2, 1), F.cross_entropy, data, batch=60, test=data[0])
    run = dl.run(of_it, algorithm="d-sgd", local_rate=1.0, rounds=50)[0]
    assert 0.95 < run["test_accuracy"][-1] <= 1


def test_the_device_may_be_named():
    run = dl.run(problem(device="cpu", test=samples()[0]), **OPTIONS)
    assert same(run, dl.run(problem(device=torch.device("cpu"), test=samples()[0]), **OPTIONS))


def test_sampling_and_batch_are_as_asked():
    shuffled, drawn = (dl.run(problem(sampling=sampling, test=samples()[0]), **OPTIONS)[0]
                       for sampling in ("shuffle", "iid"))
    assert not np.array_equal(shuffled.models, drawn.models)
    assert shuffled["passes"][-1] == 6 * 4 / 4  # the last of a pass's four batches is the rest


def test_batch_norm_is_refused_with_what_to_do():
    with pytest.raises(ValueError) as caught:
        problem(nn.BatchNorm1d(16))
    assert str(caught.value) == (
        "in training the model changes buffers, which no method would mix: BatchNorm1d (2: "
        "running_mean, running_var, num_batches_tracked). Use GroupNorm, LayerNorm or BatchNorm "
        'with track_running_stats=False, or buffers="average", which puts the statistics into the '
        "vector that nodes mix")
    for layer in (nn.BatchNorm1d(16, track_running_stats=False), nn.GroupNorm(4, 16)):
        assert dl.run(problem(layer), **OPTIONS)[0].outcome == "finished"


def test_averaged_statistics_follow_the_data_of_all_nodes():
    model = nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 3))
    data = [(x * 3 + node, y) for node, (x, y) in enumerate(samples())]
    of_it = Problem(model, F.cross_entropy, data, batch=60, buffers="average")
    parameters = sum(p.numel() for p in model.parameters())
    assert of_it.dim == parameters + 16
    options = dict(algorithm="d-sgd", topology="complete", rounds=1)
    whole = dl.run(of_it, local_rate=1.0, **options)[0]
    norm = of_it.load(whole.model)[0]
    np.testing.assert_allclose(norm.running_mean, np.mean([x.mean(0).numpy() for x, _ in data], 0),
                               rtol=1e-5)
    np.testing.assert_allclose(norm.running_var, np.mean([x.var(0).numpy() for x, _ in data], 0),
                               rtol=1e-5)
    assert int(norm.num_batches_tracked) == 0
    tenth = of_it.load(dl.run(of_it, local_rate=0.1, **options)[0].model)[0]
    np.testing.assert_allclose(tenth.running_mean, 0.1 * norm.running_mean, rtol=1e-4)


def test_averaged_statistics_have_one_hash_and_serve_the_evaluation():
    one, two = (dl.run(problem(nn.BatchNorm1d(16), nn.Dropout(0.2), buffers="average",
                               test=samples()[0]), threads=threads, **OPTIONS)
                for threads in (1, 2))
    assert same(one, two)
    of_it = problem(nn.BatchNorm1d(16), nn.Dropout(0.2), buffers="average")
    model = of_it.load(one[0].model).eval()
    x, y = samples()[0]
    np.testing.assert_allclose(one[0]["test_loss"][-1], float(F.cross_entropy(model(x), y)), rtol=1e-5)


class Undefined(Pairs):
    def __getitem__(self, at):
        raise LookupError("no such file")


def made(model=None, loss=F.cross_entropy, data=None, **options):
    return Problem(net() if model is None else model, loss, samples() if data is None else data,
                   **options)


X, Y = samples()[0]
WRONG = {
    "is a class: give an object of it": (TypeError, dict(model=nn.ReLU)),
    "model is .*, expected a torch.nn.Module": (TypeError, dict(model=len)),
    "no parameter that requires a gradient": (ValueError, dict(model=nn.ReLU())),
    r"the parameters are of torch.float32 \(0.weight\) and torch.float64 \(2.weight\)": (
        ValueError, dict(model=nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 3).double()))),
    "the parameters are torch.float16, expected": (ValueError, dict(model=net().half())),
    r"gave a tensor of shape \(60,\), expected a tensor of one number": (
        ValueError, dict(loss=lambda o, t: F.cross_entropy(o, t, reduction="none"), batch=60)),
    "gave 3.0, expected a tensor of one number": (TypeError, dict(loss=lambda o, t: 3.0)),
    "gave None, expected a tensor of one number": (TypeError, dict(loss=lambda o, t: None)),
    "gave a tensor of torch.int64, expected": (TypeError, dict(loss=lambda o, t: t.sum())),
    "does not depend on the parameters": (ValueError, dict(loss=lambda o, t: o.detach().sum())),
    "data is empty, expected an entry for each node": (ValueError, dict(data=[])),
    "data is a int, expected a list with an entry for each node": (TypeError, dict(data=3)),
    "data is a TensorDataset, expected a list": (
        TypeError, dict(data=torch.utils.data.TensorDataset(X, Y))),
    r"data\[0\] is a Tensor, expected a tuple of tensors .*; data is a list with one": (
        TypeError, dict(data=(X, Y))),
    r"data\[0\] has tensors of shapes \(60, 8\), expected \(inputs..., target\)": (
        ValueError, dict(data=[(X,)])),
    r"data\[0\] has tensors of 60 and 3 samples": (ValueError, dict(data=[(X, Y[:3])])),
    r"data\[1\] has no samples": (ValueError, dict(data=[(X, Y), (X[:0], Y[:0])])),
    r"data\[1\] has tensors of torch.float64, torch.int64, but data\[0\] has torch.float32": (
        TypeError, dict(data=[(X, Y), (X.double(), Y)])),
    r"data\[0\] has a list that is no tensor": (TypeError, dict(data=[(X, ["a"] * 60)])),
    r"data\[0\] fails .* inputs are torch.float64 and the parameters torch.float32": (
        TypeError, dict(data=[(X.double(), Y)])),
    r"data\[0\] has no samples: give it one at least": (
        ValueError, dict(data=[Pairs((X, Y), length=0)])),
    r"data\[0\]: collated samples are a Tensor, expected a tuple": (
        TypeError, dict(data=[Pairs((X, Y))], collate=lambda chosen: X)),
    r"which `collate` is not for": (ValueError, dict(collate=lambda chosen: chosen)),
    "test is a Tensor, expected a tuple of tensors": (TypeError, dict(test=X)),
    "test has no samples": (ValueError, dict(test=(X[:0], Y[:0]))),
    "batch is 0, expected at least 1": (ValueError, dict(batch=0)),
    "batch is 1.5, expected a whole number": (TypeError, dict(batch=1.5)),
    "eval_batch is -1, expected at least 1": (ValueError, dict(eval_batch=-1)),
    "weight_decay is -1, expected a number from 0": (ValueError, dict(weight_decay=-1)),
    "weight_decay is 'much', expected a number": (TypeError, dict(weight_decay="much")),
    "buffers is 'mix', expected one of refuse, average": (ValueError, dict(buffers="mix")),
    "sampling is 'all', expected one of shuffle, iid": (ValueError, dict(sampling="all")),
    "no such file": (LookupError, dict(data=[Undefined((X, Y))])),
}


@pytest.mark.parametrize("words", WRONG)
def test_what_makes_no_sense_is_told(words):
    kind, options = WRONG[words]
    with pytest.raises(kind, match=words):
        made(**options)


@pytest.mark.parametrize("x, words", [
    (np.zeros(3), r"the vector has shape \(3,\), expected \(195,\)"),
    (np.zeros((4, 195)), "run.models has a row for each node"),
    (None, "a run that has not ended has none")])
def test_a_vector_that_is_no_model_is_told(x, words):
    with pytest.raises((TypeError, ValueError), match=words):
        problem().load(x)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_module_raises_in_a_run_arrives_as_itself(threads):
    data = samples()
    data[2] = (data[2][0][:, :5], data[2][1])
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied") as caught:
        dl.run(made(data=data), threads=threads, **OPTIONS)
    assert any(frame.name == "forward" for frame in caught.traceback)
