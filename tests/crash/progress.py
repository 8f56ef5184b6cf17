"""How far a long loop is, on the error stream: a line that is rewritten on a terminal, one every ten seconds elsewhere."""
import sys
import time


class Progress:
    def __init__(self, name, total):
        self.name, self.total = name, total
        self.done = self.failed = 0
        self.begin = self.told = time.monotonic()

    def step(self, failed):
        self.done += 1
        self.failed += failed
        now = time.monotonic()
        if now - self.told >= (0.5 if sys.stderr.isatty() else 10) and now - self.begin > 2:
            self.told = now
            left = (now - self.begin) / self.done * (self.total - self.done)
            print(f"\r{self.name}: {self.done} of {self.total}, {self.failed} failed, {left:.0f} s left ",
                  end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    def end(self):
        print(f"{self.name}: {self.total} trials in {time.monotonic() - self.begin:.0f} s, {self.failed} failed",
              file=sys.stderr)
