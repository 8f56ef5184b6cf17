"""The same as _core, for the ranks of an MPI job."""
from ._core import *
from ._core import build as build
from ._core import version as version
