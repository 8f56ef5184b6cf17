"""What is random and who has which samples: as the library's own problems have it, and as the algorithms' papers say."""
import itertools

import numpy as np
import pytest

import driftless as dl

FEATURES = np.random.default_rng(3).standard_normal((90, 4))
LABELS = (np.arange(90) * 7) % 5


def philox(key, counter):
    """Philox4x32-10, word by word as Salmon et al. print it (SC'11)."""
    (k0, k1), (c0, c1, c2, c3) = key, counter
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c2, 2**32)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32
    return c0, c1, c2, c3


def words(seed, node, round, step, purpose):
    """All words of a draw: the seed is the key, and the rest is what is counted over."""
    key = seed % 2**32, seed >> 32
    for block in itertools.count():
        yield from philox(key, (block, node, round, step * 256 + purpose))


NAMED = (3 + (5 << 32), 1, 2, 4)


def test_philox_here_is_that_of_its_authors():
    assert philox((0, 0), (0, 0, 0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    assert philox((0xA4093822, 0x299F31D0), (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)) == (
        0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def test_rng_and_seed_are_the_words_of_the_draw():
    stream = words(*NAMED, purpose=128)
    expected = [((next(stream) | next(stream) << 32) >> 11) * 2**-53 for _ in range(9)]
    assert dl.Draw(*NAMED).rng().random(9).tolist() == expected
    stream = words(*NAMED, purpose=129)
    assert dl.Draw(*NAMED).seed == next(stream) | next(stream) << 32


def test_add_normal_is_box_and_muller_over_the_noise_of_the_library():
    w = np.fromiter(itertools.islice(words(*NAMED, purpose=1), 64 * 4), float).reshape(-1, 8, 4)
    radii = np.sqrt(-2 * np.log((w[:, :, [0, 2]] + 0.5) / 2**32))
    angles = 2 * np.pi * w[:, :, [1, 3]] / 2**32
    four = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1).reshape(-1, 8, 4)
    expected = four.transpose(0, 2, 1).ravel()[:100]  # tiles of 8 blocks, number by number
    out = np.ones(100)
    dl.Draw(*NAMED).add_normal(out, 0.5)
    np.testing.assert_allclose(out, 1 + 0.5 * expected, rtol=1e-12, atol=1e-13)
    single = np.zeros(100, np.float32)
    dl.Draw(*NAMED).add_normal(single)
    np.testing.assert_allclose(single, expected, rtol=1e-6)


def test_draws_are_named():
    draw = dl.Draw(seed=3, node=1, round=2, step=4)
    assert draw.rng().random() == draw.rng().random() == dl.Draw(3, 1, 2, 4).rng().random()
    others = [dl.Draw(4, 1, 2, 4), dl.Draw(3, 0, 2, 4), dl.Draw(3, 1, 1, 4), dl.Draw(3, 1, 2, 5)]
    assert len({each.rng().random() for each in (draw, *others)}) == 5
    assert len({each.seed for each in (draw, *others)}) == 5
    assert (draw.run_seed, draw.node, draw.round, draw.step) == (3, 1, 2, 4)


def test_rng_serves_all_of_numpys_distributions():
    rng = dl.Draw(3, 1, 2, 4).rng()
    numbers = rng.standard_normal(100_000)
    assert abs(numbers.mean()) < 0.02 and abs(numbers.std() - 1) < 0.02
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 0.02
    assert abs(rng.exponential(2.0, 100_000).mean() - 2) < 0.05
    assert abs(rng.poisson(3.0, 100_000).mean() - 3) < 0.05
    assert sorted(rng.permutation(50)) == list(range(50))
    dice = np.bincount(rng.integers(0, 6, 60_000), minlength=6)
    assert len(dice) == 6 and (abs(dice - 10_000) < 500).all()
    assert rng.random(10, dtype=np.float32).dtype == np.float32


def test_batches_pass_over_all_samples():
    batches = [dl.Draw(1, 0, t, k, steps=2).batch(3, 10) for t in range(4) for k in range(2)]
    assert [len(batch) for batch in batches] == [3, 3, 3, 1] * 2
    first, second = np.concatenate(batches[:4]), np.concatenate(batches[4:])
    assert sorted(first) == sorted(second) == list(range(10))
    assert first.tolist() != second.tolist()
    assert dl.Draw(1).batch(500, 1000, "iid").max() < 1000
    assert dl.Draw(1).batch(10, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("arguments, words", [
    ((0, 5), "size must be at least 1"), ((5, 0), "at least one sample"),
    ((5, 10, "all"), "expected one of shuffle, iid")])
def test_batches_that_make_no_sense_are_told(arguments, words):
    with pytest.raises(ValueError, match=words):
        dl.Draw(1).batch(*arguments)


@pytest.mark.parametrize("out, words", [
    (np.zeros(3, np.int64), "expected an array of float32 or float64 in C order"),
    (np.zeros((4, 4))[:, :2], "expected an array of float32 or float64 in C order"),
    (np.broadcast_to(np.zeros(1), 3), "add_normal: ")])
def test_arrays_that_take_no_noise_are_told(out, words):
    with pytest.raises((TypeError, ValueError), match=words):
        dl.Draw(1).add_normal(out)


class Softmax(dl.Problem):
    """The library's softmax regression, in numpy."""

    def __init__(self, parts, sampling, batch=8):
        self.parts, self.batch, self.sampling = parts, batch, sampling
        self.nodes, self.dim, self.samples = len(parts), 5 * 4 + 5, [len(part) for part in parts]

    def scores(self, node, x, chosen):
        rows = self.parts[node][chosen]
        scores = FEATURES[rows] @ x[:20].reshape(5, 4).T + x[20:]
        return rows, scores - np.log(np.exp(scores).sum(1, keepdims=True))

    def gradient(self, node, x, draw):
        chosen = draw.batch(self.batch, self.samples[node], self.sampling)
        rows, logs = self.scores(node, x, chosen)
        error = (np.exp(logs) - np.eye(5)[LABELS[rows]]) / len(rows)
        return np.concatenate([(error.T @ FEATURES[rows]).ravel(), error.sum(0)])

    def loss(self, node, x):
        rows, logs = self.scores(node, x, slice(None))
        return -logs[np.arange(len(rows)), LABELS[rows]].mean()


@pytest.mark.parametrize("split", [dict(split="random"), dict(split="sorted"),
                                   dict(split="dirichlet", alpha=0.3), dict(split="shards", shards=3)])
@pytest.mark.parametrize("sampling", ["shuffle", "iid"])
def test_splits_and_batches_are_those_of_the_librarys_problems(split, sampling, tmp_path):
    np.save(tmp_path / "data.npy", np.column_stack([FEATURES, LABELS]))
    options = dict(algorithm="k-gt", local_steps=5, local_rate=0.1, rounds=12, seed=4)
    cpp = dl.run(problem=dict(kind="softmax", data=tmp_path / "data.npy", batch=8,
                              sampling=sampling, **split), nodes=5, **options)[0]
    own = {name: value for name, value in split.items() if name != "split"}
    parts = dl.split(LABELS, 5, split["split"], seed=4, **own)
    python = dl.run(Softmax(parts, sampling), **options)[0]
    np.testing.assert_allclose(python.models, cpp.models, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(python["loss"], cpp["loss"], rtol=1e-9)
    np.testing.assert_allclose(python["passes"], cpp["passes"], rtol=1e-12)


def test_a_split_gives_every_sample_to_one_node():
    for kind in ("random", "sorted", "dirichlet", "shards"):
        parts = dl.split(LABELS, 5, kind)
        assert sorted(np.concatenate(parts)) == list(range(90))
        assert all((np.diff(part) > 0).all() for part in parts)
    assert [set(LABELS[part]) for part in dl.split(LABELS, 5)] == [{0}, {1}, {2}, {3}, {4}]


@pytest.mark.parametrize("labels, options, words", [
    ([0, -1], {}, "found the label -1, expected classes from 0"),
    ([0, 1], dict(kind="sort"), "sorted"), ([0, 1, 0], dict(kind="dirichlet", alpha=0), "alpha"),
    ([0], {}, "2 nodes")])
def test_splits_that_make_no_sense_are_told(labels, options, words):
    with pytest.raises(dl.ConfigError, match=words):
        dl.split(labels, 2, **options)


def test_labels_that_are_no_whole_numbers_are_refused():
    with pytest.raises(TypeError, match="labels are float64, expected whole numbers"):
        dl.split([0.5, 1.0], 2)
    with pytest.raises(ValueError, match=r"the labels have shape \(2, 2\), expected one axis"):
        dl.split([[0, 1], [1, 0]], 2)
