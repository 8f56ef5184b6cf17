"""dl.topology: the networks of the library, without a run."""
import numpy as np
import pytest

import driftless as dl
from conftest import Mean


def test_a_ring_has_thirds_and_the_eigenvalues_of_a_circulant():
    ring = dl.topology("ring", nodes=6)
    assert (ring.nodes, ring.edges, ring.degrees.tolist()) == (6, 6, [2] * 6)
    expected = [[1 / 3 if (i - j) % 6 in (0, 1, 5) else 0 for j in range(6)] for i in range(6)]
    np.testing.assert_allclose(ring.w, expected, rtol=1e-15)
    eigenvalues = [(1 + 2 * np.cos(2 * np.pi * k / 6)) / 3 for k in range(6)]
    assert ring.lambda_2 == pytest.approx(sorted(eigenvalues)[-2])
    assert ring.lambda_min == pytest.approx(min(eigenvalues))
    assert ring.gap == pytest.approx(1 - sorted(eigenvalues)[-2])
    assert ring.p == pytest.approx(1 - (1 - ring.gap) ** 2)
    assert repr(ring) == f"<Topology ring: 6 nodes, p = {ring.p:.4g}>"


@pytest.mark.parametrize("name", list(dl.topologies))
def test_every_topology_has_weights_that_mix(name):
    keys = {"random_regular": dict(degree=3), "erdos_renyi": dict(edge_probability=0.5),
            "random_geometric": dict(radius=0.6)}.get(name, {})
    network = dl.topology(name, nodes=8, **keys)
    for t in range(4):
        w = network.links(t)
        np.testing.assert_allclose(w.sum(1), 1, rtol=1e-12)
        np.testing.assert_array_equal(w, w.T)
        assert (w >= 0).all()
    if network.period is None:
        values = np.linalg.eigvalsh(network.w)
        assert network.p == pytest.approx(1 - max(values[-2] ** 2, values[0] ** 2), abs=1e-9)
        assert network.edges == np.count_nonzero(np.triu(network.w, 1))
        np.testing.assert_array_equal(network.degrees, np.count_nonzero(network.w, axis=1) - 1)
    else:
        assert network.edges is None and network.gap is None and 0 < network.p <= 1


def test_links_that_come_and_go_repeat_after_their_period():
    network = dl.topology("one_peer_exponential", nodes=8)
    assert network.period == 3
    np.testing.assert_array_equal(network.links(1), network.links(4))
    assert not np.array_equal(network.links(0), network.links(1))
    whole = network.links(0) @ network.links(1) @ network.links(2)
    np.testing.assert_allclose(whole, np.full((8, 8), 1 / 8), atol=1e-15)
    assert network.p == pytest.approx(1) and network.p_rounds == 3


def test_w_is_what_a_run_mixes_by():
    class Mixes(dl.Algorithm):
        def round(self, t):
            self.mix(t, self.x)

    class Apart(Mean):
        def start(self, node):
            return np.arange(3) + node**2

    for name in ("torus", "random_matching"):
        network = dl.topology(name, nodes=8)
        run = dl.run(Apart(), algorithm=Mixes, topology=name, local_rate=1.0, rounds=2)[0]
        start = np.array([Apart().start(node) for node in range(8)])
        np.testing.assert_allclose(run.models, network.links(1) @ network.links(0) @ start, rtol=1e-13)


def test_files_and_keys_of_the_network_are_taken(tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n2 3\n")
    path = dl.topology(file=tmp_path / "edges.txt")
    assert (path.nodes, path.edges) == (4, 3)
    np.testing.assert_array_equal(path.w, dl.topology("path", nodes=4).w)
    lazy = dl.topology("ring", nodes=6, weights="lazy_metropolis").w
    np.testing.assert_allclose(lazy, (np.eye(6) + dl.topology("ring", nodes=6).w) / 2)
    assert dl.topology("torus", nodes=12, rows=2).degrees.tolist() == [3] * 12
    one, two = (dl.topology("erdos_renyi", nodes=20, edge_probability=0.3, seed=seed)
                for seed in (1, 2))
    assert not np.array_equal(one.w, two.w)


@pytest.mark.parametrize("arguments, words", [
    (dict(name="rng", nodes=4), "ring"), (dict(name="ring", nodes=0), "nodes"),
    (dict(name="ring", nodes=4, radios=2), "radius"),
    (dict(name="random_regular", nodes=5, degree=3), "degree"),
    (dict(name="ring", nodes="many"), "nodes"), (dict(name="ring", nodes=[4, 5]), "nodes"),
    (dict(file="nowhere.mtx"), "nowhere.mtx")])
def test_networks_that_make_no_sense_are_told(arguments, words):
    with pytest.raises(dl.InputError, match=words):
        dl.topology(**arguments)
