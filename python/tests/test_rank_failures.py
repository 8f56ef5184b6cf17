"""mpirun: a rank that fails, is killed or is told to stop lets nobody wait, and the folder goes on."""
import ctypes
import ctypes.util
import os
import signal
import time

import pytest

import driftless as dl
from conftest import Mean, done, finish, has_mpi, same, start

pytestmark = pytest.mark.skipif(not has_mpi(), reason="no MPI")

FAILS = """
import sys, time, driftless as dl
from conftest import KGT, Mean
class Fails(Mean):
    def {where}(self, node, *arguments):
        if dl.rank() == 1: raise LookupError("the site is down")
        return super().{where}(node, *arguments)
dl.run(Fails(), algorithm=KGT, local_rate=0.01, local_steps=2, rounds=10**6)
"""


@pytest.mark.parametrize("where", ["gradient", "loss"])
def test_an_exception_on_one_rank_ends_the_job_with_its_traceback(where):
    begin = time.monotonic()
    status, _, err = finish(start(FAILS.format(where=where), ranks=2))
    assert status != 0 and time.monotonic() - begin < 30
    assert err.count("LookupError: the site is down") == 1, err
    assert f'line 6, in {where}' in err


def test_an_exception_before_the_run_ends_the_job():
    code = """if True:
        import driftless as dl
        from conftest import Mean
        if dl.rank() == 1: raise LookupError("no data here")
        dl.run(Mean(), algorithm="k-gt", local_rate=0.01, rounds=10**6)
    """
    status, _, err = finish(start(code, ranks=2))
    assert status != 0 and "LookupError: no data here" in err


def test_a_fault_of_the_request_is_an_exception_of_every_rank():
    code = """if True:
        import driftless as dl
        from conftest import Mean
        try:
            dl.run(Mean(), algorithm="kgt")
        except dl.ConfigError as error:
            print(f"{dl.rank()} {'did you mean k-gt' in str(error)}\\n", end="", flush=True)
        assert dl.run(Mean(), algorithm="k-gt", local_rate=0.01, rounds=2)
    """
    assert sorted(done(code, ranks=2).split("\n")[:2]) == ["0 True", "1 True"]


def test_ranks_that_ask_for_other_things_are_told():
    code = """if True:
        import driftless as dl
        from conftest import Mean
        dl.run(Mean(), algorithm="k-gt", local_rate=0.01 * (1 + dl.rank()), rounds=10**6)
    """
    status, _, err = finish(start(code, ranks=2))
    assert status != 0 and "rank 1" in err and "config" in err, err


DISTURBED = """
import os, sys, time, driftless as dl
from conftest import Mean
if sys.argv[2] == "dropout":
    from torch_problems import with_dropout
    problem = with_dropout()
else:
    problem = Mean()
def each(row):
    print("round", int(row["round"]), os.getpid(), flush=True)
    if row["round"] >= 10 and len(sys.argv) > 3: time.sleep(0.1)  # longer than a signal takes
try:
    dl.run(problem, out=sys.argv[1], each=each, resume=True, algorithm="k-gt", local_steps=4,
           local_rate=0.05, rounds=60, checkpoint=dict(every_rounds=4))
except dl.Interrupted as stop:
    print(f"stopped {dl.rank()} {stop.runs[0].outcome}\\n", end="", flush=True)
"""


OPTIONS = dict(algorithm="k-gt", local_steps=4, local_rate=0.05, rounds=60,
               checkpoint=dict(every_rounds=4))


def disturbed(folder, problem, ranks, disturb):
    """The job is disturbed after its twelfth round. Its exit code and words."""
    child = start(DISTURBED, folder, problem, "slowly", ranks=ranks)
    while not (line := child.stdout.readline()).startswith("round 12"):
        assert child.poll() is None, child.stderr.read()
    disturb(child, int(line.split()[2]))
    return finish(child)


@pytest.mark.parametrize("ranks, others, problem", [(2, 3, "dropout"), (3, 1, "numpy")])
def test_a_job_that_was_killed_is_resumed_on_other_ranks(ranks, others, problem, tmp_path):
    expected = Mean() if problem == "numpy" else pytest.importorskip("torch_problems").with_dropout()
    folder = tmp_path / "runs"
    status, *_ = disturbed(folder, problem, ranks, lambda child, pid: os.kill(pid, signal.SIGKILL))
    assert status != 0 and dl.read(folder)[0].outcome == "unfinished"
    done(DISTURBED, folder, problem, ranks=others)
    assert same(dl.read(folder), dl.run(expected, **OPTIONS))


@pytest.mark.parametrize("which", [signal.SIGUSR1, signal.SIGINT])
def test_a_signal_to_mpirun_ends_the_job_and_leaves_a_folder_that_goes_on(which, tmp_path):
    folder = tmp_path / "runs"
    status, out, err = disturbed(folder, "numpy", 2, lambda child, _: child.send_signal(which))
    if which == signal.SIGUSR1:  # at others mpirun itself ends the ranks, which have a second
        assert status == 0 and "stopped 0 interrupted" in out and "stopped 1 interrupted" in out, err
    else:
        assert status != 0
    assert dl.read(folder)[0].outcome in ("interrupted", "unfinished")
    done(DISTURBED, folder, "numpy", ranks=2)
    assert same(dl.read(folder), dl.run(Mean(), **OPTIONS))


@pytest.mark.skipif(ctypes.util.find_library("mpi") is None, reason="MPI is called otherwise here")
def test_mpi_that_others_began_is_told():
    code = """if True:
        import ctypes, sys
        ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL).MPI_Init(None, None)
        import driftless as dl
        dl.ranks()
    """
    status, _, err = finish(start(code, ctypes.util.find_library("mpi"), ranks=1))
    assert status != 0 and "MPI was begun before driftless" in err and "import driftless first" in err
