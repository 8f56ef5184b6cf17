"""What is random in a torch module, named by draws: which thread comes first must not decide the bits."""
from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

Result = TypeVar("Result")

# The layers that draw_dropout knows, and the inputs without samples that they take: their channels come first.
_UNBATCHED = {nn.Dropout: None, nn.Dropout1d: 2, nn.Dropout2d: None, nn.Dropout3d: 4}


def draw_dropout(model: nn.Module, generator: torch.Generator) -> None:
    """Gives the dropout layers of `model` this generator in place of torch's one for all threads.

    A subclass may do something else, so it keeps its own forward.
    """
    for layer in model.modules():
        if type(layer) in _UNBATCHED:
            setattr(layer, "forward", lambda x, layer=layer: _drop(layer, x, generator))


def _drop(layer: Any, x: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    if not layer.training or layer.p == 0:
        return x
    shape: tuple[int, ...] = x.shape
    if type(layer) is not nn.Dropout:  # whole channels
        leading = 1 if x.dim() == _UNBATCHED[type(layer)] else 2
        shape = x.shape[:leading] + (1,) * (x.dim() - leading)
    kept = 1 - layer.p
    mask = x.new_empty(shape).bernoulli_(kept, generator=generator).mul_(1 / kept if kept else 0)
    return x.mul_(mask) if layer.inplace else x * mask


class SharedGenerators:
    """The generators that all threads of a process share: torch's, and where samples are made by Python code, Python's and numpy's.

    Work that leaves them alone goes side by side. Once some work has used one, all works take turns, each with the
    generators seeded for it, and what was used without a turn is done again. So the numbers never depend on who
    came first, even if it is only the thousandth gradient that wants any.
    """

    def __init__(self, device: torch.device, python: bool) -> None:
        self._device, self._python = device, python
        self._changed = threading.Condition()
        self._under_way = 0
        self.turns = False

    def run(self, seed: int, work: Callable[[], Result]) -> Result:
        """What `work` gives with shared random numbers, if it uses any, that `seed` names. It may be called twice."""
        with self._changed:
            beside = not self.turns
            self._under_way += beside
        if beside:
            used = False
            try:
                before = self._states()
                result = work()
                used = self._states() != before
            finally:
                with self._changed:
                    self._under_way -= 1
                    self.turns = self.turns or used
                    self._changed.notify_all()
            if not used:
                return result
        with self._changed:  # held during the work: this is the turn
            self._changed.wait_for(lambda: self._under_way == 0)
            return self._seeded(seed, work)

    def _states(self) -> list[Any]:
        states: list[Any] = [torch.default_generator.get_state().numpy().tobytes()]
        if self._device.type == "cuda":
            states.append(torch.cuda.get_rng_state(self._device).numpy().tobytes())
        if self._python:
            numbers: Any = np.random.get_state()
            states += [random.getstate(), numbers[1].tobytes(), numbers[2:]]
        return states

    def _seeded(self, seed: int, work: Callable[[], Result]) -> Result:
        of_python, of_numpy = random.getstate(), np.random.get_state()
        try:
            with torch.random.fork_rng([self._device] if self._device.type == "cuda" else []):
                if self._device.type == "cpu":
                    # torch.manual_seed would queue a call for a GPU that nobody has used, each time.
                    torch.default_generator.manual_seed(seed)
                else:
                    torch.manual_seed(seed)
                random.seed(seed)
                np.random.seed(seed % 2**32)
                return work()
        finally:
            random.setstate(of_python)
            np.random.set_state(of_numpy)
