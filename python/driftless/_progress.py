"""Tells on standard error how far an experiment is."""
from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Optional

from ._native import core

_QUIET = 2.0  # seconds: shorter runs say nothing
_REDRAWN = 0.2  # seconds between two looks of a line that is redrawn
_LINES = 10.0  # seconds between two lines where nothing can be redrawn


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules and type(sys.stderr).__module__.startswith("ipykernel")


class Progress:
    """Shows the progress of an experiment while a `with` block lasts, from a thread of its own."""

    def __init__(self, wanted: Optional[bool]) -> None:
        self.core = core.Progress()
        self._wanted = wanted is not False and sys.stderr is not None
        self._over = threading.Event()
        self._thread: Optional[threading.Thread] = None

    def __enter__(self) -> Progress:
        if self._wanted:
            self._thread = threading.Thread(target=self._tell, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _tell(self) -> None:
        if self._over.wait(_QUIET) or core.rank() != 0:
            return
        notebook = _in_notebook()
        if notebook or sys.stderr.isatty():
            self._redraw(100 if notebook else None)
        else:
            self._write_lines()

    def _redraw(self, width: Optional[int]) -> None:
        import shutil
        drawn = 0
        while True:
            columns = width or shutil.get_terminal_size().columns
            line = self.core.line(columns)
            if line:
                print("\r" + line.ljust(drawn), end="", file=sys.stderr, flush=True)
                drawn = len(line)
            if self._over.wait(_REDRAWN):
                break
        print("\r" + " " * drawn + "\r", end="", file=sys.stderr, flush=True)

    def _write_lines(self) -> None:
        due = time.monotonic() + _LINES - _QUIET
        while not self._over.wait(max(0.0, due - time.monotonic())):
            text = self.core.text()
            if text:
                print(text, file=sys.stderr, flush=True)
            due += _LINES
