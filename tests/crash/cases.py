"""What is disturbed: small experiments, begun, continued, given more rounds, replaced and reported. Cases are data; a new one
is one entry of CASES."""
import dataclasses

from results import difference

RUN = """[problem]
dim = 3
[network]
nodes = 4
[algorithm]
kind = "k-gt"
local_rate = 1e-3
[run]
rounds = 5
evaluate_every = 2
[checkpoint]
every_rounds = 2
"""
SWEEP = RUN + '[sweep]\n"algorithm.kind" = ["k-gt", "d-sgd"]\n'
TUNE = RUN + """[tune]
"algorithm.local_rate" = [1e-3, 1e-2]
metric = "suboptimality"
rounds = 3
"""


def longer(config):
    """The same with more rounds. The last row of the shorter run, of round 5, is none of the longer run's."""
    return config.replace("rounds = 5", "rounds = 9", 1)


CONFIGS = {
    "run.toml": RUN,
    "longer.toml": longer(RUN),
    "other.toml": RUN.replace("dim = 3", "dim = 2"),
    "sweep.toml": SWEEP,
    "longer_sweep.toml": longer(SWEEP),
    "other_sweep.toml": SWEEP.replace('"d-sgd"', '"led"'),
    "tune.toml": TUNE,
    "longer_tune.toml": longer(TUNE),
}


def run(config, *more):
    return ["run", config, "--out", "out", "--threads", "1", "--quiet", *more]


@dataclasses.dataclass(frozen=True)
class Case:
    """A command, disturbed in a folder where others ran before. Commands are those of `driftless`."""
    name: str
    command: list
    again: list  # what goes on after the disturbance
    before: list = ()
    killed: float = 1  # the last command of before is killed when this part of its changes is done
    undisturbed: list = ()  # in an empty folder, what must come out; nothing: before and command, one after the other
    old: str = ""  # the config of what was there before, where it is another

    def difference(self, found, expected):
        """Of results. Where --force was disturbed, runs of the old sweep may stay beside those of the new one: a sweep that is
        continued keeps runs that it does not know."""
        if "--force" in self.command:
            found = {name: contents for name, contents in found.items() if name in expected}
        return difference(found, expected)


def fresh(name, config):
    return Case(name, run(config), run(config, "--resume"))


def resumed(name, config, killed):
    """Continues what was killed before."""
    resume = run(config, "--resume")
    return Case(name, resume, resume, before=[run(config)], killed=killed, undisturbed=[run(config)])


def extended(name, config, longer_config):
    """Gives more rounds to what is finished."""
    resume = run(longer_config, "--resume")
    return Case(name, resume, resume, before=[run(config)], undisturbed=[run(longer_config)], old=config)


def forced(name, config, old):
    """Replaces what is finished."""
    return Case(name, run(config, "--force"), run(config, "--resume"), before=[run(old)], undisturbed=[run(config)],
                old=old)


def reported(name, config, *more):
    report = ["report", "out", *more]
    return Case(name, report, report, before=[run(config)])


CASES = [
    fresh("run", "run.toml"),
    fresh("sweep", "sweep.toml"),
    fresh("tune", "tune.toml"),
    resumed("resume-early", "run.toml", 0.3),
    resumed("resume", "run.toml", 0.6),
    resumed("resume-sweep", "sweep.toml", 0.6),
    resumed("resume-tune", "tune.toml", 0.8),
    extended("extend", "run.toml", "longer.toml"),
    extended("extend-sweep", "sweep.toml", "longer_sweep.toml"),
    extended("extend-tune", "tune.toml", "longer_tune.toml"),
    forced("force", "run.toml", "other.toml"),
    forced("force-sweep", "sweep.toml", "other_sweep.toml"),
    forced("force-run-over-sweep", "run.toml", "sweep.toml"),
    forced("force-sweep-over-run", "sweep.toml", "run.toml"),
    reported("report", "sweep.toml"),
    reported("report-csv", "run.toml", "--format", "csv"),
]
