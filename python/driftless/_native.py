"""The extension module: `_core`, or `_core_mpi` in a process that an MPI launcher started."""
from __future__ import annotations

import atexit
import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Optional

__all__ = ["core"]

# What launchers leave in the environment: Open MPI's mpirun, Hydra and Slurm's PMI, and PMIx.
_MARKS = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK")


def launched() -> bool:
    """Whether an MPI launcher started this process."""
    return any(mark in os.environ for mark in _MARKS)


if TYPE_CHECKING:
    from . import _core as core
elif launched():
    try:
        from . import _core_mpi as core
    except ImportError as missing:
        raise ImportError(
            "an MPI launcher started this process, but driftless._core_mpi cannot be imported "
            f"({missing}); build Driftless where MPI is, or start python3 without the launcher"
        ) from missing
else:
    from . import _core as core


def _end_the_job(kind: type[BaseException], error: BaseException,
                 trace: Optional[TracebackType]) -> None:
    """The other ranks would wait for this one. Ctrl-C reaches them too: they end by themselves."""
    _told(kind, error, trace)
    if not issubclass(kind, KeyboardInterrupt) and core.ranks() > 1:
        sys.stderr.flush()
        core.abort(1)


atexit.register(core.end)
if launched():
    _told = sys.excepthook
    sys.excepthook = _end_the_job
