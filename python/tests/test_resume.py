"""resume=True goes on with the bits of a run that was never disturbed, whatever ended it."""
import shutil
import signal

import numpy as np
import pytest

import driftless as dl
from conftest import KGT, Mean, Synthetic, driftless, finish, same, start, synthetic_in_cpp

OPTIONS = dict(algorithm="k-gt", local_steps=4, local_rate=1e-3, rounds=30,
               checkpoint=dict(every_rounds=4))


def test_more_rounds_go_on_where_the_run_was(tmp_path):
    for method in ("k-gt", "led", KGT):
        folder = tmp_path / getattr(method, "__name__", method)
        options = dict(OPTIONS, algorithm=method)
        dl.run(Synthetic(), out=folder, **{**options, "rounds": 12})
        asked = []

        class Noted(Synthetic):
            def gradient(self, node, x, draw, out):
                asked.append(draw.round)
                super().gradient(node, x, draw, out)

        longer = dl.run(type("Synthetic", (Noted,), {})(), out=folder, resume=True, **options)
        assert same(longer, dl.run(Synthetic(), **options)) and min(asked) == 12


class Fails(Synthetic):
    """Fails once, in the middle of a round."""

    at = 17

    def gradient(self, node, x, draw, out):
        if draw.round == self.at and node == 5 and draw.step == 2:
            raise LookupError("the site is down")
        super().gradient(node, x, draw, out)


Fails.__name__ = "Synthetic"  # the config tells the class's name


class FailsInRound(KGT):
    """The same method, whose round fails once."""

    at = 17

    def round(self, t):
        if t == self.at:
            self.c[:] = np.nan
            raise LookupError("the method is wrong")
        super().round(t)


@pytest.mark.parametrize("method", ["k-gt", "scaffold", KGT])
@pytest.mark.parametrize("threads, others", [(1, 2), (2, 1)])
def test_after_an_exception_in_a_callback(method, threads, others, tmp_path):
    options = dict(OPTIONS, algorithm=method)
    with pytest.raises(LookupError, match="the site is down"):
        dl.run(Fails(), out=tmp_path / "runs", threads=threads, **options)
    assert dl.read(tmp_path / "runs")[0].outcome == "unfinished"
    rest = dl.run(Synthetic(), out=tmp_path / "runs", resume=True, threads=others, **options)
    assert same(rest, dl.run(Synthetic(), **options))
    assert same(rest, dl.read(tmp_path / "runs"))


def test_after_an_exception_in_a_method(tmp_path):
    options = dict(OPTIONS, algorithm=FailsInRound)
    with pytest.raises(LookupError, match="the method is wrong"):
        dl.run(Synthetic(), out=tmp_path / "runs", **options)
    FailsInRound.at = -1
    rest = dl.run(Synthetic(), out=tmp_path / "runs", resume=True, **options)
    assert same(rest, dl.run(Synthetic(), **options))


# Tells each row, and takes its time after a while, so that it can be disturbed.
DISTURBED = """
import sys, time, driftless as dl
from conftest import KGT, Mean
from test_resume import OPTIONS
class Slow(Mean):
    def gradient(self, node, x, draw):
        if draw.round >= 10: time.sleep(0.005)
        return super().gradient(node, x, draw)
Slow.__name__ = "Mean"
def each(row): print(int(row["round"]), flush=True)
try:
    dl.run(Slow(), out=sys.argv[1], each=each, threads=int(sys.argv[2]),
           **{**OPTIONS, "algorithm": KGT if sys.argv[3] == "KGT" else sys.argv[3]})
except dl.Interrupted as stopped:
    print("stopped", stopped, len(stopped.runs), stopped.runs[0].outcome, flush=True)
"""


def disturbed(folder, threads, method, signal):
    child = start(DISTURBED, folder, threads, getattr(method, "__name__", method))
    while child.stdout.readline() != "13\n":
        assert child.poll() is None, child.stderr.read()
    child.send_signal(signal)
    return finish(child)


@pytest.mark.parametrize("method", ["k-gt", KGT])
@pytest.mark.parametrize("threads, others", [(1, 2), (2, 1)])
def test_after_ctrl_c(method, threads, others, tmp_path):
    options = dict(OPTIONS, algorithm=method)
    status, out, err = disturbed(tmp_path / "runs", threads, method, signal.SIGINT)
    assert status == 0, err
    assert (f"stopped stopped after a whole round; dl.run(..., out='{tmp_path / 'runs'}', resume=True)"
            " continues 1 interrupted") in out
    so_far = dl.read(tmp_path / "runs")[0]
    assert so_far.outcome == "interrupted" and 13 <= so_far["round"][-1] < 30
    rest = dl.run(Mean(), out=tmp_path / "runs", resume=True, threads=others, **options)
    assert same(rest, dl.run(Mean(), **options))


@pytest.mark.parametrize("method", ["k-gt", KGT])
@pytest.mark.parametrize("threads, others", [(1, 2), (2, 1)])
def test_after_kill_9(method, threads, others, tmp_path):
    options = dict(OPTIONS, algorithm=method)
    assert disturbed(tmp_path / "runs", threads, method, signal.SIGKILL)[0] == -signal.SIGKILL
    assert dl.read(tmp_path / "runs")[0].outcome == "unfinished"
    rest = dl.run(Mean(), out=tmp_path / "runs", resume=True, threads=others, **options)
    assert same(rest, dl.run(Mean(), **options))


def test_a_sweep_goes_on_with_the_runs_that_are_left(tmp_path):
    options = dict(OPTIONS, algorithm=["d-sgd", "k-gt"], repetitions=2)
    with pytest.raises(LookupError):
        dl.run(Fails(), out=tmp_path / "runs", threads=1, **options)
    dl.run(Synthetic(), out=tmp_path / "runs", resume=True, **options)
    shutil.rmtree(dl.read(tmp_path / "runs")[1].folder)
    asked = set()

    class Noted(Synthetic):
        def gradient(self, node, x, draw, out):
            asked.add(draw.run_seed)
            super().gradient(node, x, draw, out)

    Noted.__name__ = "Synthetic"
    runs = dl.run(Noted(), out=tmp_path / "runs", resume=True, **options)
    assert same(runs, dl.run(Synthetic(), **options)) and asked == {2}


def test_the_program_and_python_go_on_with_each_others_runs(tmp_path):
    config = tmp_path / "my.toml"
    config.write_text('problem.kind = "least_squares"\nalgorithm.local_rate = 1e-3\n'
                      'algorithm.kind = "k-gt"\nrun.rounds = 20\n')
    whole = dl.run(config)
    one, other = tmp_path / "one", tmp_path / "other"
    dl.run(config, out=one, rounds=8)
    ended = driftless("run", config, "--out", one, "--resume", "--quiet")
    assert ended.returncode == 0, ended.stderr
    assert driftless("run", config, "--set", "run.rounds=8", "--out", other).returncode == 0
    assert same(dl.run(config, out=other, resume=True), whole) and same(dl.read(one), whole)


def test_another_experiment_does_not_take_the_folder(tmp_path):
    dl.run(Mean(), out=tmp_path / "runs", **OPTIONS)
    for other in (dict(local_rate=2e-3), dict(algorithm="led"), dict(seed=4)):
        with pytest.raises(dl.InputError):
            dl.run(Mean(), out=tmp_path / "runs", resume=True, **{**OPTIONS, **other})
    with pytest.raises(dl.InputError, match="class"):
        dl.run(type("Another", (Mean,), {})(), out=tmp_path / "runs", resume=True, **OPTIONS)
    with pytest.raises(dl.InputError, match="problem.parameters"):
        dl.run(type("Mean", (Mean,), {"dim": 4})(), out=tmp_path / "runs", resume=True,
               **{**OPTIONS, "rounds": 40})
    assert same(dl.read(tmp_path / "runs"), dl.run(Mean(), **OPTIONS))


def test_a_method_with_other_rows_does_not_take_the_checkpoint(tmp_path):
    def method(*names):
        def begin(self):
            for name in names:
                setattr(self, name, self.rows(name))

        return type("Rows", (dl.Algorithm,), {
            "begin": begin, "round": lambda self, t: self.mix(t, self.x)})

    options = dict(OPTIONS, local_steps=1)
    dl.run(Mean(), out=tmp_path / "runs", **{**options, "algorithm": method("a"), "rounds": 8})
    with pytest.raises(dl.InputError, match="holds x, a of 8 nodes .* this run does not have"):
        dl.run(Mean(), out=tmp_path / "runs", resume=True, **{**options, "algorithm": method("a", "b")})
    options["algorithm"] = method("a")
    rest = dl.run(Mean(), out=tmp_path / "runs", resume=True, **options)
    assert same(rest, dl.run(Mean(), **options))


def test_nothing_to_resume_is_a_new_run(tmp_path):
    assert same(dl.run(Mean(), out=tmp_path / "runs", resume=True, **OPTIONS), dl.run(Mean(), **OPTIONS))


def test_a_damaged_checkpoint_is_told_and_the_one_before_it_is_used(tmp_path):
    disturbed(tmp_path / "runs", 1, "k-gt", signal.SIGKILL)
    checkpoints = tmp_path.glob("runs/checkpoints/*.ckpt")
    newest = max(checkpoints, key=lambda file: file.stat().st_mtime_ns)
    newest.write_bytes(newest.read_bytes()[:-20])
    with pytest.warns(dl.DriftlessWarning, match="it is not used, and kept as .*damaged"):
        rest = dl.run(Mean(), out=tmp_path / "runs", resume=True, **OPTIONS)
    assert same(rest, dl.run(Mean(), **OPTIONS))


WRITES = """
import resource, signal, sys, driftless as dl
from conftest import Mean
from test_resume import OPTIONS
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
dl.run(Mean(), out=sys.argv[1], **OPTIONS)
"""


def test_what_the_system_refuses_is_an_os_error(tmp_path):
    status, _, err = finish(start(WRITES, tmp_path / "runs"))
    assert status == 1 and "OSError: [Errno 27]" in err and "runs" in err.split("\n")[-2], err
    rest = dl.run(Mean(), out=tmp_path / "runs", resume=True, **OPTIONS)
    assert same(rest, dl.run(Mean(), **OPTIONS))
