"""One disturbance: the program meets it, is continued without it, and is judged by what is there in the end."""
import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess

from cases import CONFIGS, run
from results import contents, difference, results, snapshot

DEADLINE = 60  # seconds for what takes a hundredth of one
KILLS = ("kill", "torn", "cut")
ERRORS = ("enospc", "eio", "full", "dead", "short")
# What TOML's reader and TBB say when it is memory that they lack.
LIBRARIES_WORDS_FOR_NO_MEMORY = ("could not be interpreted as a value", "pthread_create has failed")


@dataclasses.dataclass
class Ended:
    code: int  # −s: by signal s; None: not in time
    said: str

    @property
    def aborted(self):
        """By the C++ library, because an exception met a destructor or another function that may not throw; or in a destructor of
        what an exception left half made."""
        terminated = self.code == -signal.SIGABRT and self.said.startswith("terminate called")
        return terminated or self.code == -signal.SIGSEGV


@dataclasses.dataclass
class Prepared:
    """A case with what all its trials share."""
    case: object
    folder: pathlib.Path  # as it is before the command
    expected: dict  # results in the end
    expected_old: dict  # of the config that was there before, where there is one
    calls: list  # "write …/metrics.csv"


@dataclasses.dataclass
class Verdict:
    ended: Ended
    faults: list


class Laboratory:
    def __init__(self, program, shims, work):
        self.program, self.shims, self.work = program, shims, work
        self.prepared = {}  # by the name of the case
        self.kept = False  # a folder to be looked at

    def start(self, command, folder, shim="", **wanted):
        """Runs the program there; `wanted` are the shim's point, how and log."""
        environment = dict(os.environ, **{f"CRASH_{name.upper()}": str(value) for name, value in wanted.items()})
        if shim:
            environment["LD_PRELOAD"] = str(self.shims / f"libdriftless_{shim}_shim.so")
        try:
            ended = subprocess.run([self.program, *command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            return Ended(None, "")
        return Ended(ended.returncode, ended.stderr.decode(errors="replace"))

    def must(self, command, folder):
        ended = self.start(command, folder)
        if ended.code != 0:
            raise SystemExit(f"crash_points: undisturbed, driftless {' '.join(command)} ended with {ended.code} in {folder}:\n"
                             + ended.said)

    def empty(self, name):
        folder = self.work / name
        folder.mkdir(parents=True)
        for config, text in CONFIGS.items():
            (folder / config).write_text(text)
        return folder

    def undisturbed(self, name, commands, begin=None):
        """The results of the commands in an empty folder, or in a copy of another."""
        folder = shutil.copytree(begin, self.work / name) if begin else self.empty(name)
        for command in commands:
            self.must(command, folder)
        return results(folder)

    def logged(self, command, folder, shim):
        """What the shim tells of an undisturbed run of the command there."""
        log = self.work / "log"
        log.unlink(missing_ok=True)
        if (ended := self.start(command, folder, shim, log=log)).code != 0:
            raise SystemExit(f"crash_points: driftless {' '.join(command)} ended with {ended.code}, though the shim only "
                             f"counted:\n{ended.said}")
        return log.read_text().replace(f"{folder}/", "").splitlines()

    def prepare(self, case):
        folder = self.empty(f"{case.name}/before")
        for command in case.before[:-1] if case.killed < 1 else case.before:
            self.must(command, folder)
        if case.killed < 1:
            changes = self.logged(case.before[-1], self.empty(f"{case.name}/whole"), "files")
            self.start(case.before[-1], folder, "files", point=int(case.killed * len(changes)), how="kill")
        counted = shutil.copytree(folder, self.work / case.name / "counted")
        calls = self.logged(case.command, counted, "files")
        if case.undisturbed:
            expected = self.undisturbed(f"{case.name}/undisturbed", case.undisturbed)
        else:
            expected = self.undisturbed(f"{case.name}/undisturbed", [case.command], begin=folder)
        old = self.undisturbed(f"{case.name}/old", [run(case.old)]) if case.old else {}
        self.prepared[case.name] = Prepared(case, folder, expected, old, calls)

    def trial(self, case, point, how, shim, keep=False):
        """Disturbs the case of that name at one point; gives what came of it."""
        prepared = self.prepared[case]
        folder = self.work / f"{case}/{shim}-{point}-{how}"
        shutil.copytree(prepared.folder, folder)
        ended = self.start(prepared.case.command, folder, shim, point=point, how=how)
        faults = judge(prepared, ended, how, shim, folder)
        if prepared.case.old:
            faults += self.go_back(prepared, folder)
        faults += self.go_on(prepared, folder)
        self.kept = keep
        if not keep:
            shutil.rmtree(folder)
        return Verdict(ended, faults)

    def go_on(self, prepared, folder):
        """Continues; refusing is right only where another run is being replaced, and then replacing it again must do."""
        case = prepared.case
        before = snapshot(folder)
        again = self.start(case.again, folder)
        if again.code == 2 and "--force" in case.command:
            if changed := difference(snapshot(folder), before):
                return [f"it refused to go on, but changed the folder: {changed}"]
            again = self.start(case.command, folder)
        if again.code != 0:
            return [f"continued, it ended with {again.code}: {again.said.strip()}"]
        changed = case.difference(results(folder), prepared.expected)
        return [f"continued, it does not have the undisturbed results: {changed}"] if changed else []

    def go_back(self, prepared, folder):
        """Continues the config that was there before, in a copy: all of that run, or a refusal that leaves all as it is."""
        before = snapshot(folder)
        copy = shutil.copytree(folder, folder.with_name(folder.name + "-old"))
        back = self.start(run(prepared.case.old, "--resume"), copy)
        faults = []
        if back.code == 0:
            if changed := prepared.case.difference(results(copy), prepared.expected_old):
                faults.append(f"the old config, continued, does not have its undisturbed results: {changed}")
            elif "--resume" in prepared.case.command:
                faults += self.go_on(prepared, copy)
        elif back.code != 2:
            faults.append(f"the old config, continued, ended with {back.code}: {back.said.strip()}")
        elif changed := difference(snapshot(copy), before):
            faults.append(f"the old config was refused, but the folder changed: {changed}")
        shutil.rmtree(copy)
        return faults


def judge(prepared, ended, how, shim, folder):
    """What the disturbed program itself did wrong."""
    if ended.code is None:
        return [f"it hung: it was not done in {DEADLINE} s"]
    if how in KILLS:
        return [] if ended.code == -signal.SIGKILL else [f"it was to be killed, but ended with {ended.code}"]
    if ended.code == 0:
        changed = difference(results(folder), prepared.expected)
        return [f"it ended with 0, but not with the undisturbed results: {changed}"] if changed else []
    if ended.aborted and shim == "memory":
        return []  # the table tells how many
    if ended.code not in (1, 2):
        return [f"it ended with {ended.code}: {ended.said.strip()[-300:]}"]
    faults = []
    if how == "short":
        faults.append(f"it ended with {ended.code}, though a short write is no error: {ended.said.strip()}")
    if not ended.said.startswith("driftless: "):
        faults.append(f"it ended with {ended.code} without a word of its own: \"{ended.said.strip()}\"")
    in_other_words = any(words in ended.said for words in LIBRARIES_WORDS_FOR_NO_MEMORY)
    if shim == "memory" and not in_other_words and (ended.code != 1 or "memory" not in ended.said):
        faults.append(f"out of memory, it ended with {ended.code} and said: \"{ended.said.strip()}\"")
    if ended.code == 2:
        there = contents(prepared.folder)
        if changed := difference({name: kept for name, kept in contents(folder).items() if name in there}, there):
            faults.append(f"it refused with 2, but changed what was there: {changed}")
    return faults
