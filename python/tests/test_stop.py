"""Ctrl-C, SIGTERM and the interpreter's end, with runs under way."""
import signal
import time

import pytest

import driftless as dl
from conftest import done, finish, start

SLOW = """
import sys, time, threading, driftless as dl
from conftest import KGT, Mean
seconds, steps, threads = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
class Slow(Mean):
    def gradient(self, node, x, draw):
        if node == 0 and draw.step == 0: print("round", draw.round, flush=True)
        if draw.round >= 2: time.sleep(seconds)
        return x - node
def go():
    return dl.run(Slow(), algorithm=KGT if "KGT" in sys.argv else "k-gt", local_steps=steps,
                  local_rate=0.1, rounds=1000000, threads=threads)
"""
ALONE = SLOW + """
try:
    go()
except dl.Interrupted as stop:
    run = stop.runs[0]
    print("stopped", run.outcome, len(stop.runs), int(run["round"][-1]), run.models is not None, flush=True)
    raise
"""


def begun(code, *arguments, ranks=0):
    """A child in its third round."""
    child = start(code, *arguments, ranks=ranks)
    while not child.stdout.readline().startswith("round 2"):
        assert child.poll() is None, child.stderr.read()
    return child


@pytest.mark.parametrize("method", ["k-gt", "KGT"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_run_after_its_round(method, threads, which):
    child = begun(ALONE, 0.002, 3, threads, method)
    child.send_signal(which)
    status, out, err = finish(child)
    stopped = out.strip().split("\n")[-1].split()
    assert stopped[:3] == ["stopped", "interrupted", "1"] and int(stopped[3]) >= 3, out
    assert stopped[4] == "True"  # the models of the last round
    assert "driftless._run.Interrupted: stopped after a whole round" in err and status == 1


@pytest.mark.parametrize("method", ["k-gt", "KGT"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_second_signal_ends_the_round_too(method, threads):
    child = begun(SLOW + "go()", 0.1, 1000, threads, method)  # a round of minutes
    child.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    status, _, err = finish(child)
    assert "Interrupted" in err and status == 1


def test_a_config_without_python_stops_too():
    child = start("""if True:
        import driftless as dl
        dl.run({"problem": {"kind": "least_squares", "dim": 2000}, "network": {"nodes": 100}},
               algorithm="k-gt", local_steps=20, local_rate=1e-4, rounds=10**7, evaluate_every=100,
               threads=2, each=lambda row: print(row["round"], flush=True))
    """)
    while not child.stdout.readline().startswith("100"):
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    status, _, err = finish(child)
    assert "Interrupted" in err and status == 1


def test_a_sweep_stops_with_what_was_done():
    child = start("""if True:
        import time, driftless as dl
        from conftest import Mean
        class Slow(Mean):
            def gradient(self, node, x, draw):
                if draw.run_seed == 3:
                    print("round 2", flush=True)
                    time.sleep(0.01)
                return x - node
        try:
            dl.run(Slow(), algorithm="k-gt", local_rate=0.1, rounds=40, seed=[1, 2, 3, 4, 5], threads=1)
        except dl.Interrupted as stop:
            print([run.outcome for run in stop.runs])
    """)
    while not child.stdout.readline().startswith("round 2"):
        assert child.poll() is None
    child.send_signal(signal.SIGINT)
    status, out, err = finish(child)
    assert status == 0 and "['finished', 'finished', 'interrupted']" in out, out + err


def test_signals_are_pythons_again_after_a_run():
    handler = signal.getsignal(signal.SIGINT)
    told = done("""if True:
        import os, signal, driftless as dl
        from conftest import K_GT, Mean
        dl.run(Mean(), **K_GT)
        try:
            dl.run(Mean(), algorithm="kgt")
        except dl.ConfigError:
            pass
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt as stop:
            print(type(stop).__name__)
        dl.run(Mean(), **K_GT)  # the old signal is not counted
    """)
    assert told == "KeyboardInterrupt\n" and signal.getsignal(signal.SIGINT) is handler


def test_a_handler_of_the_users_own_is_left_alone():
    told = done("""if True:
        import os, signal, driftless as dl
        from conftest import K_GT, Mean
        signal.signal(signal.SIGINT, lambda *_: print("mine"))
        class Signals(Mean):
            def loss(self, node, x):
                if node == 0: os.kill(os.getpid(), signal.SIGINT)
                return 0.0
        print(dl.run(Signals(), threads=1, **{**K_GT, "rounds": 2})[0].outcome)
    """)
    assert told.split() == ["mine"] * (len(told.split()) - 1) + ["finished"] and "mine" in told


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["k-gt", "KGT"])
def test_the_interpreter_may_end_in_the_middle_of_a_run(threads, method):
    child = start(SLOW + """
threading.Thread(target=go, daemon=True).start()
time.sleep(0.5)
print("the end", flush=True)
""", 0.001, 3, threads, method)
    status, out, err = finish(child)
    assert status == 0 and out.endswith("the end\n") and "terminate" not in err, err


def test_the_interpreters_end_waits_for_no_round():
    child = start(SLOW + """
threading.Thread(target=go, daemon=True).start()
time.sleep(0.5)
raise SystemExit(3)
""", 0.05, 1000, 2)  # a round of minutes
    status, _, err = finish(child)
    assert status == 3 and "terminate" not in err, err


def test_a_run_on_a_thread_that_is_waited_for_ends_whole():
    told = done(SLOW + """
def short():
    print(dl.run(Mean(), algorithm="k-gt", local_rate=0.1, rounds=200)[0].outcome)
threading.Thread(target=short).start()
""", 0, 1, 1)
    assert told == "finished\n"


def test_an_interrupt_that_a_callback_raises_itself_arrives():
    class Stops(dl.Problem):
        nodes, dim = 4, 2

        def gradient(self, node, x, draw):
            raise KeyboardInterrupt("from inside")

        def loss(self, node, x):
            return 0.0

    with pytest.raises(KeyboardInterrupt, match="from inside"):
        dl.run(Stops(), algorithm="d-sgd", local_rate=0.1, rounds=2)
