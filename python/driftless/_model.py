"""What a user writes: a problem, and perhaps a method."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import (TYPE_CHECKING, Annotated, Any, ClassVar, Optional, get_args, get_origin,
                    get_type_hints)

import numpy as np
import numpy.typing as npt

from ._native import core

if TYPE_CHECKING:
    from ._core import Draw, Value

Array = npt.NDArray[Any]


class Problem:
    """n local objectives f_i over vectors of `dim` numbers; together they are f = (1/n) Σ f_i.

    A problem needs `nodes`, `dim`, and two methods:

    - ``gradient(node, x, draw)`` returns an unbiased estimate of ∇f_i(x). With a fourth parameter,
      ``out``, it writes the gradient there instead and returns nothing.
    - ``loss(node, x)`` returns f_i(x).

    These are optional:

    - ``full_gradient(node, x, draw)`` is ∇f_i(x), also with ``out``. Some columns and methods need
      it.
    - ``start(node)`` is the model that a node begins with; zero without it.
    - ``test(x)`` gives (loss, accuracy) on test data.
    - ``gradients(nodes, X, draws, out)`` is asked instead of `gradient` for all hosted nodes at
      once: a row of X, a draw and a row of out for each.
    - ``native_gradient`` is the address of a C function that is called instead of `gradient`,
      without Python; beside it ``native_step`` may be that of one that takes a whole local step.

    Nodes are asked for at the same time, from several threads. So keep no state between calls, and
    take all that is random from the draw: then one seed gives one result, for any number of threads
    and ranks.

    >>> class Mean(Problem):
    ...     "Node i wants x = i; together they want the mean."
    ...     nodes, dim = 4, 2
    ...     def gradient(self, node, x, draw): return x - node + 0.1 * draw.rng().standard_normal(2)
    ...     def loss(self, node, x): return 0.5 * np.sum((x - node) ** 2)
    >>> Mean()
    <Mean: 4 nodes, 2 parameters>
    """

    # Methods are not declared here, since a problem may write them in several forms.
    nodes: int
    dim: int
    #: What x and gradients are made of: float64 or float32.
    dtype: npt.DTypeLike = np.float64
    #: (point, value) of the minimiser of f, where it is known: then there is a suboptimality.
    optimum: Any = None
    #: The largest curvature of any f_i, where it is known.
    smoothness: Optional[float] = None
    #: How many samples each node has, where the problem learns from samples, and how many of them a
    #: gradient takes; None: all.
    samples: Optional[Sequence[int]] = None
    batch: Optional[int] = None
    #: False: `test` gives (loss, None), and there are no columns of accuracies.
    classifies: bool = True

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.nodes} nodes, {self.dim} parameters>"


class Algorithm:
    """A method: `begin` and `round` work on arrays that have a row for each node of this process.

    `self.x` holds the models. Change arrays in place. Nodes reach each other by `mix` and `average`
    alone, which are metered. Options are annotated class attributes with a default; they are keys
    of the config, and a run has its own values of them:

    >>> class HeavyBall(Algorithm):
    ...     "D-SGD with momentum."
    ...     momentum: Annotated[float, "how much of the last step is kept"] = 0.9
    ...     def begin(self):
    ...         self.m = self.rows("m")
    ...     def round(self, t):
    ...         self.m[:] = self.momentum * self.m + self.gradients(self.x, t)
    ...         self.x[:] -= self.rate(t) * self.m
    ...         self.mix(t, self.x)
    >>> name_of(HeavyBall), options_of(HeavyBall)
    ('heavy-ball', [('momentum', 0.9, 'how much of the last step is kept')])

    A correction c_i of the local steps is made by ``self.rows("c", correction=True)``; it is
    measured then. Where nodes may be lost, ``take_back(node, flow)`` may say what becomes of the sum
    of all that a lost neighbour's letters brought, and ``join(node, t)`` what a node begins with.
    """

    #: What the config calls the method; by default the class's name with hyphens.
    name: ClassVar[str] = ""
    #: What figures call it; by default the class's name.
    title: ClassVar[str] = ""
    #: How many vectors go over an edge, and between a node and a server, in a round: what lists and
    #: estimates say. The meter counts what is sent.
    vectors_an_edge: ClassVar[int] = 1
    vectors_a_server: ClassVar[int] = 0

    @property
    def _core(self) -> core.Algorithm:
        try:
            core_of_run: core.Algorithm = self.__dict__["_core"]
        except KeyError:
            raise RuntimeError(f"{type(self).__name__} has no rows outside of a run") from None
        return core_of_run

    @_core.setter
    def _core(self, core_of_run: Optional[core.Algorithm]) -> None:
        # The library sets it before `begin`, and takes it away when the run is over. Options of
        # the run take the place of the class's.
        self.__dict__.pop("_core", None)
        if core_of_run is not None:
            self.__dict__["_core"] = core_of_run
            self.__dict__.update(core_of_run.options)

    def begin(self) -> None:
        """Makes the rows that the method needs. A run that is resumed fills them afterwards."""

    def round(self, t: int) -> None:
        """One communication round."""
        raise NotImplementedError(f"{type(self).__name__} has no round(self, t)")

    @property
    def x(self) -> Array:
        """The models, a row a node."""
        return self._core.x

    @x.setter
    def x(self, models: Array) -> None:
        # So that `self.x -= ...` works, and `self.x = ...` means the rows and not the name.
        if models is not self._core.x:
            self._core.x[:] = models

    @property
    def K(self) -> int:
        """Local steps a round."""
        return self._core.local_steps

    def rate(self, t: int) -> float:
        """η_c, as the schedule has it in round t."""
        return self._core.local_rate(t)

    @property
    def communication_rate(self) -> float:
        """η_s."""
        return self._core.communication_rate

    @property
    def nodes(self) -> int:
        """How many nodes there are, on all processes."""
        return self._core.nodes

    @property
    def hosted(self) -> range:
        """The nodes that the rows belong to."""
        return self._core.hosted

    def rows(self, name: str, *, correction: bool = False) -> Array:
        """Zeros, a row a node, which a checkpoint keeps under that name. Made in `begin`."""
        return self._core.rows(name, correction)

    def mix(self, t: int, *arrays: Array, lazy: bool = False) -> None:
        """row_i ← Σ_j w_ij row_j for each array, in one letter an edge; lazily with (I + W)/2."""
        self._core.mix(t, arrays, lazy)

    def average(self, *arrays: Array) -> None:
        """row_i ← the mean over all nodes, through a server."""
        self._core.average(arrays)

    def local_steps(self, y: Array, t: int, correction: Optional[Array] = None,
                    steps: Optional[int] = None) -> None:
        """K times y_i ← y_i − η_c (∇F_i(y_i; ξ) + c_i), nodes in parallel."""
        self._core.take_steps(y, t, correction, self.K if steps is None else steps)

    def gradients(self, y: Array, t: int, step: int = 0, *, full: bool = False) -> Array:
        """The stochastic gradient of every node at its row of y, or the full one."""
        return self._core.gradients(y, t, step, full)

    def draw(self, node: int, t: int, step: int = 0) -> Draw:
        """The draw that names what is random in a node's step."""
        return self._core.draw(node, t, step)


_OWN = frozenset(name for name in vars(Algorithm) if not name.startswith("_"))
_registered: dict[str, type[Algorithm]] = {}


def name_of(method: type[Algorithm]) -> str:
    """What the config calls a method: HeavyBall is heavy-ball.

    >>> name_of(type("DSGDWithMomentum", (Algorithm,), {}))
    'dsgd-with-momentum'
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", method.__name__)
    return method.name or words.lower()


def _annotations(method: type[Algorithm]) -> Iterator[tuple[str, Any, Any]]:
    """Name, type and default of annotated attributes that have one, from the base class down."""
    try:
        hints = get_type_hints(method, include_extras=True)
    except NameError as unknown:  # a type that only a type checker imports
        raise TypeError(f"{method.__name__}: an annotation cannot be read: {unknown}") from None
    declared = dict.fromkeys(name for base in reversed(method.__mro__)
                             for name in vars(base).get("__annotations__", {}))
    for name in declared:
        is_class_variable = get_origin(hints[name]) is ClassVar
        if not name.startswith("_") and not is_class_variable and hasattr(method, name):
            yield name, hints[name], getattr(method, name)


def _words(hint: Any) -> tuple[Any, str]:
    """Of ``Annotated[float, "what it is"]`` the type and the words."""
    if get_origin(hint) is not Annotated:
        return hint, ""
    kind, *notes = get_args(hint)
    return kind, next((note for note in notes if isinstance(note, str)), "")


def _is_value(default: object) -> bool:
    if isinstance(default, list):
        return {type(each) for each in default} in ({int}, {str})
    return isinstance(default, (bool, int, float, str))


def options_of(method: type[Algorithm]) -> list[tuple[str, Value, str]]:
    """Name, default and words of each option."""
    options: list[tuple[str, Value, str]] = []
    for name, hint, default in _annotations(method):
        kind, words = _words(hint)
        if name in _OWN:
            raise TypeError(f"{method.__name__}.{name}: every method has something of that name; "
                            "call the option otherwise")
        if not _is_value(default):
            raise TypeError(
                f"{method.__name__}.{name} = {default!r}: an option is a bool, an int, a float, a "
                "str, or a list of ints or of texts; what is no option has no annotation")
        is_float = kind is float and type(default) is int
        options.append((name, float(default) if is_float else default, words))
    return options


def _made(method: type[Algorithm]) -> Any:
    def make() -> Algorithm:
        return method()
    return make


def register(method: type[Algorithm]) -> str:
    """Gives the library a method, again where its class was defined again. Returns its name."""
    name = name_of(method)
    if _registered.get(name) is not method:
        summary = (method.__doc__ or "").strip().split("\n")[0]
        core.register_algorithm(name, method.title or method.__name__, summary,
                                method.vectors_an_edge, method.vectors_a_server,
                                options_of(method), _made(method))
        _registered[name] = method
    return name
