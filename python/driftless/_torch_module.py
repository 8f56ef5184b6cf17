"""A torch module as a flat vector."""
from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.modules.batchnorm import _NormBase

from ._model import Array
from ._torch_random import draw_dropout


def trained(model: nn.Module) -> dict[str, nn.Parameter]:
    return {name: p for name, p in model.named_parameters() if p.requires_grad}


def checked_dtype(model: Any) -> torch.dtype:
    """That of all trained parameters."""
    if not isinstance(model, nn.Module):
        is_class = isinstance(model, type) and issubclass(model, nn.Module)
        hint = f"; {model.__name__} is a class: give an object of it" if is_class else ""
        raise TypeError(f"model is {model!r}, expected a torch.nn.Module{hint}")
    first: dict[torch.dtype, str] = {}
    for name, p in trained(model).items():
        if isinstance(p, nn.parameter.UninitializedParameter):
            raise ValueError(f"the parameter {name} has no shape yet: pass a batch through the "
                             "lazy module first")
        first.setdefault(p.dtype, name)
    if not first:
        raise ValueError("the model has no parameter that requires a gradient")
    if len(first) > 1:
        kinds = " and ".join(f"{dtype} ({name})" for dtype, name in first.items())
        raise ValueError(f"the parameters are of {kinds}: bring all to one dtype by model.float() "
                         "or model.double()")
    dtype = next(iter(first))
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"the parameters are {dtype}, expected torch.float32 or torch.float64: "
                         "call model.float() first")
    return dtype


def described(model: nn.Module, buffers: Sequence[str]) -> str:
    """As in "BatchNorm1d (layers.1: running_mean, running_var)"."""
    owned: dict[str, list[str]] = {}
    for buffer in buffers:
        path, _, name = buffer.rpartition(".")
        owned.setdefault(path, []).append(name)
    return ", ".join(f"{type(model.get_submodule(path)).__name__} ({path + ': ' if path else ''}"
                     f"{', '.join(names)})" for path, names in owned.items())


class OwnedBuffer:
    """A buffer by its name: some modules change theirs in place, some make a new one."""

    def __init__(self, model: nn.Module, full_name: str) -> None:
        path, _, self._name = full_name.rpartition(".")
        self._buffers = model.get_submodule(path)._buffers

    def get(self) -> torch.Tensor:
        value = self._buffers[self._name]
        assert value is not None
        return value

    def set(self, value: torch.Tensor) -> None:
        self._buffers[self._name] = value


class Replica:
    """A copy of the module whose trained parameters and gradients are views of two vectors.

    `moved` are the buffers that a pass in training changes. Those that are statistics lie in the
    vector behind the parameters. A pass moves them from b to s, and b − s stands for a gradient: that
    of ‖b − s‖²/2, so a node's statistics follow those of its batches at the method's rate. Buffers
    that count begin every pass anew.
    """

    def __init__(self, model: nn.Module, device: torch.device, moved: Sequence[str] = ()) -> None:
        self.module = copy.deepcopy(model).to(device).train()
        self.generator = torch.Generator(device)
        draw_dropout(self.module, self.generator)
        parameters = list(trained(self.module).values())
        buffers = [OwnedBuffer(self.module, name) for name in moved]
        counts = [each for each in buffers if not each.get().is_floating_point()]
        self._statistics = [each for each in buffers if each.get().is_floating_point()]
        self._counts = [(each, each.get().clone()) for each in counts]

        values = [*parameters, *(each.get() for each in self._statistics)]
        self.vector = torch.cat([each.detach().flatten() for each in values])
        self.gradient = torch.zeros_like(self.vector)
        ends = accumulate(each.numel() for each in values)
        places = [slice(end - each.numel(), end) for each, end in zip(values, ends)]
        views = [self.vector[place].view(each.shape) for each, place in zip(values, places)]
        for p, view, place in zip(parameters, views, places):
            p.data, p.grad = view, self.gradient[place].view(p.shape)
        self.parameters = places[len(parameters) - 1].stop
        self._views = views[len(parameters):]
        for module in self.module.modules() if moved else ():
            if isinstance(module, _NormBase):
                module.momentum = 1.0  # a pass leaves the statistics of its batch alone

        on_cpu = self.vector.device.type == "cpu"
        self._staged = self.vector if on_cpu else torch.empty_like(self.vector, device="cpu")
        self._numbers: Array = self._staged.numpy()

    def load(self, x: Array, training: bool) -> None:
        """Takes the numbers of x, and a gradient of zero."""
        np.copyto(self._numbers, x)
        if self._staged is not self.vector:
            self.vector.copy_(self._staged)
        self.gradient.zero_()
        if self.module.training != training:
            self.module.train(training)
        if self._views:
            self._began = self.vector[self.parameters:].clone()
        for buffer, view in zip(self._statistics, self._views):
            buffer.set(view)
        for buffer, value in self._counts:
            buffer.set(value.clone())

    def statistics_moved(self) -> torch.Tensor:
        """b − s: what the statistics were, minus what a pass made of them."""
        return self._began - torch.cat([each.get().flatten() for each in self._statistics])
