"""mpirun: one hash for any number of ranks."""
import pytest

import driftless as dl
from conftest import KGT, Mean, digest, done, has_mpi, same

pytestmark = pytest.mark.skipif(not has_mpi(), reason="no MPI")

HASH = """
import driftless as dl
from conftest import KGT, Mean, Synthetic, digest
{problem}
runs = dl.run(problem, **{options})
print(f"{{dl.rank()}} of {{dl.ranks()}}: {{digest(runs)}} {{len(runs)}}\\n", end="", flush=True)
"""
OPTIONS = "dict(algorithm=['k-gt', KGT, 'scaffold'], local_steps=3, local_rate=0.01, rounds=8{})"
CASES = {
    "numpy": ("problem = Mean()", OPTIONS.format("")),
    "all nodes at once": (
        "from test_quick_gradients import AtOnce\nproblem = AtOnce()", OPTIONS.format("")),
    "weather": ("problem = Mean()",
                OPTIONS.format(", faults=dict(drop=0.2, crash=0.02, late=0.2)").replace("scaffold", "d-sgd")),
    "packed": ("problem = Mean()", OPTIONS.format(", compression='int4'").replace("scaffold", "d-sgd")),
    "metrics": ("problem = Synthetic()", OPTIONS.format(", drift=True, repetitions=2")),
    "tuned": ("problem = Mean()", "dict(algorithm='k-gt', local_steps=3, rounds=8, "
                                  "tune=dict(local_rate=[1e-3, 1e-2], metric='loss'))"),
    "dropout": ("from torch_problems import samples, with_dropout\n"
                "problem = with_dropout(test=samples()[0])",
                "dict(algorithm=['k-gt', 'led'], local_steps=3, local_rate=0.05, rounds=5)"),
}


@pytest.mark.parametrize("case", CASES)
def test_any_number_of_ranks_gives_one_hash_and_all_of_them_the_results(case):
    if case == "dropout":
        pytest.importorskip("torch")
    problem, options = CASES[case]
    code = HASH.format(problem=problem, options=options)
    alone = done(code).split(": ")[1].strip()
    for ranks in (1, 2, 3):
        told = sorted(line for line in done(code, ranks=ranks).split("\n") if line)
        assert told == [f"{rank} of {ranks}: {alone}" for rank in range(ranks)]


def test_a_rank_is_asked_for_its_own_nodes_alone():
    told = done("""if True:
        import driftless as dl
        from conftest import K_GT, Mean
        asked = set()
        class Noted(Mean):
            def gradient(self, node, x, draw):
                asked.add(node)
                return super().gradient(node, x, draw)
        dl.run(Noted(), **K_GT)
        print(f"{dl.rank()} {sorted(asked)}\\n", end="", flush=True)
    """, ranks=2)
    assert sorted(told.strip().split("\n")) == ["0 [0, 1, 2, 3]", "1 [4, 5, 6, 7]"]


def test_files_are_those_of_one_process(tmp_path):
    code = """if True:
        import sys, driftless as dl
        from conftest import KGT, Mean, digest
        runs = dl.run(Mean(), algorithm=["k-gt", KGT], local_rate=0.01, rounds=6, out=sys.argv[1])
        print(f"{digest(runs)}\\n", end="", flush=True)
    """
    told = done(code, tmp_path / "runs", ranks=3).split()
    alone = dl.run(Mean(), algorithm=["k-gt", KGT], local_rate=0.01, rounds=6)
    assert told == [digest(alone)] * 3 and same(dl.read(tmp_path / "runs"), alone)


def test_ranks_are_one_without_a_launcher():
    assert (dl.rank(), dl.ranks()) == (0, 1)
