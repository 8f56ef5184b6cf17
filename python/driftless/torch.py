"""Any torch module as a problem: `driftless.torch.Problem`.

torch stays the user's: nothing of Driftless is compiled against it. A run hands out flat vectors and
takes gradients back.
"""
from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, SupportsFloat, SupportsIndex, TypeVar, Union

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from ._model import Array
from ._model import Problem as _Problem
from ._native import core
from ._torch_data import Batch, Samples, check_alike
from ._torch_module import Replica, checked_dtype, described
from ._torch_random import SharedGenerators

__all__ = ["Problem"]

Result = TypeVar("Result")


class Problem(_Problem):
    """f_i(x) is the mean loss of a module over the samples of node i, plus weight_decay/2 ‖x‖².

    - ``model``: any module. Its trained parameters, all float32 or all float64, are where all nodes
      start. The model itself is never changed: copies of it compute
    - ``loss``: loss(output, target), the mean over a batch
    - ``data``: for each node a tuple of tensors (inputs..., target), or a Dataset of such tuples
    - ``batch``: samples of a stochastic gradient
    - ``test``: samples likewise, for all nodes; gives a loss, and an accuracy where targets are classes
    - ``weight_decay``: as in torch's optimisers, this times the parameters is added to the gradient
    - ``device``: where the copies compute
    - ``collate``: makes (inputs..., target) of a list of a Dataset's samples
    - ``buffers``: "refuse" modules whose buffers change in training, as BatchNorm's do, or "average"
      them: statistics become part of the vector that nodes mix
    - ``sampling``: "shuffle", every pass over a node's samples takes each once, or "iid"
    - ``eval_batch``: samples of one pass of a loss, a test or a full gradient
    - ``torch_threads``: of torch in one callback. Nodes side by side are what fills the cores

    Stochastic gradients are those of the module in training mode, with dropout; losses, tests and
    full gradients those in evaluation mode, over all samples.

    >>> import torch, driftless as dl, driftless.torch
    >>> x, y = torch.randn(80, 3), torch.arange(80) % 2
    >>> problem = driftless.torch.Problem(torch.nn.Linear(3, 2), torch.nn.functional.cross_entropy,
    ...                                   [(x[p], y[p]) for p in dl.split(y, nodes=4)], batch=8)
    >>> run = dl.run(problem, algorithm="k-gt", local_steps=5, local_rate=0.1, rounds=3)[0]
    >>> problem.load(run.model)
    Linear(in_features=3, out_features=2, bias=True)
    """

    samples: list[int]
    batch: int

    def __init__(self, model: nn.Module, loss: Callable[[Any, Any], torch.Tensor],
                 data: Iterable[Any], *, batch: int = 64, test: Any = None,
                 weight_decay: float = 0.0, device: Union[str, torch.device] = "cpu",
                 collate: Optional[Callable[[list[Any]], Any]] = None, buffers: str = "refuse",
                 sampling: str = "shuffle", eval_batch: int = 1000, torch_threads: int = 1) -> None:
        _check_counts(batch=batch, eval_batch=eval_batch, torch_threads=torch_threads)
        _check_choice("buffers", buffers, "refuse", "average")
        _check_choice("sampling", sampling, "shuffle", "iid")
        _check_decay(weight_decay)
        self.dtype = np.float32 if checked_dtype(model) == torch.float32 else np.float64
        self._model, self._loss = copy.deepcopy(model), loss
        self._device, self._torch_threads = torch.device(device), torch_threads
        self._weight_decay, self._sampling, self._eval_batch = weight_decay, sampling, eval_batch
        self._data = [Samples(each, f"data[{node}]", self._device, collate)
                      for node, each in enumerate(_checked_list(data))]
        if not self._data:
            raise ValueError("data is empty, expected an entry for each node")
        check_alike(self._data)
        self.nodes, self.batch = len(self._data), batch
        self.samples = [len(each) for each in self._data]
        self._free: list[Replica] = []  # a copy for each callback under way
        self._shared = SharedGenerators(self._device, python=True)
        self._moved = self._changed_buffers()
        if self._moved and buffers == "refuse":
            raise ValueError(
                "in training the model changes buffers, which no method would mix: "
                f"{described(self._model, self._moved)}. Use GroupNorm, LayerNorm or BatchNorm with "
                'track_running_stats=False, or buffers="average", which puts the statistics into '
                "the vector that nodes mix")
        if not self._shared.turns and not any(each.made_by_python for each in self._data):
            self._shared = SharedGenerators(self._device, python=False)
        whole = Replica(self._model, self._device, self._moved)
        self._start: Array = whole.vector.cpu().numpy()
        self.dim = len(self._start)
        self._take_test(test, collate)

    def _changed_buffers(self) -> list[str]:
        """Those that a pass in training changes. Shows too whether it uses shared generators."""
        replica = Replica(self._model, self._device)
        before = {name: buffer.clone() for name, buffer in replica.module.named_buffers()}
        batch = self._data[0].take(slice(0, min(self.batch, self.samples[0])))
        try:
            self._compute(replica, 0, lambda: _differentiate(self._mean_loss(replica, batch)))
        except RuntimeError as error:
            of_data = {each.dtype for each in batch[:-1] if isinstance(each, torch.Tensor)}
            if not any(dtype.is_floating_point for dtype in of_data - {replica.vector.dtype}):
                raise
            raise TypeError(
                f"a batch of data[0] fails ({error}), perhaps for its inputs are "
                f"{' and '.join(map(str, of_data))} and the parameters {replica.vector.dtype}: "
                "bring them to one dtype") from error
        after = dict(replica.module.named_buffers())
        return [name for name, buffer in before.items() if not torch.equal(buffer, after[name])]

    def _take_test(self, test: Any, collate: Any) -> None:
        if test is None:
            self.test = None  # type: ignore[assignment]
            return
        is_tuple = isinstance(test, (tuple, list))
        self._test = Samples(test, "test", self._device, None if is_tuple else collate)
        inputs_and_target = self._test.take(slice(0, 1))
        module = copy.deepcopy(self._model).to(self._device).eval()
        with torch.no_grad():
            self.classifies = _tells_classes(module(*inputs_and_target[:-1]), inputs_and_target[-1])

    def start(self, node: int) -> Array:
        return self._start

    def gradient(self, node: int, x: Array, draw: core.Draw, out: Array) -> None:
        chosen = draw.batch(self.batch, self.samples[node], self._sampling)

        def work(replica: Replica) -> None:
            replica.load(x, training=True)
            _differentiate(self._mean_loss(replica, self._data[node].take(chosen)))
            if self._moved:
                replica.gradient[replica.parameters:] = replica.statistics_moved()
            self._hand_over(replica, out)

        self._with_replica(draw.seed, work)

    def full_gradient(self, node: int, x: Array, draw: core.Draw, out: Array) -> None:
        data = self._data[node]

        def work(replica: Replica) -> None:
            moved = torch.zeros_like(replica.vector[replica.parameters:])
            for count, batch in data.batches(self._eval_batch) if self._moved else ():
                replica.load(x, training=True)
                with torch.no_grad():
                    self._mean_loss(replica, batch)
                moved.add_(replica.statistics_moved(), alpha=count / len(data))
            replica.load(x, training=False)
            for count, batch in data.batches(self._eval_batch):
                _differentiate(self._mean_loss(replica, batch) * (count / len(data)))
            replica.gradient[replica.parameters:] = moved
            self._hand_over(replica, out)

        self._with_replica(draw.seed, work)

    def loss(self, node: int, x: Array) -> float:
        def work(replica: Replica) -> float:
            mean, _ = self._score(replica, x, self._data[node])
            if not self._weight_decay:
                return mean
            square = float(replica.vector[:replica.parameters].square().sum())
            return mean + self._weight_decay / 2 * square

        return self._with_replica(node, work)

    def test(self, x: Array) -> tuple[float, Optional[float]]:
        return self._with_replica(0, lambda replica: self._score(replica, x, self._test))

    def load(self, x: Optional[npt.ArrayLike]) -> nn.Module:
        """A copy of the model with the numbers of a vector: ``problem.load(run.model)``."""
        if x is None:
            raise TypeError("load: found None, expected a model; a run that has not ended has none")
        x = np.asarray(x)
        if x.shape != (self.dim,):
            raise ValueError(f"load: the vector has shape {x.shape}, expected ({self.dim},); "
                             "run.models has a row for each node")
        replica = Replica(self._model, self._device, self._moved)
        replica.load(x, training=False)
        model = copy.deepcopy(self._model)
        model.load_state_dict(replica.module.state_dict())
        return model

    def _with_replica(self, seed: int, work: Callable[[Replica], Result]) -> Result:
        """work(a copy of the module), whose random numbers are those of `seed`."""
        try:
            replica = self._free.pop()  # atomic, as append is
        except IndexError:
            replica = Replica(self._model, self._device, self._moved)
        result = self._compute(replica, seed, lambda: work(replica))
        self._free.append(replica)
        return result

    def _compute(self, replica: Replica, seed: int, work: Callable[[], Result]) -> Result:
        def seeded() -> Result:
            replica.generator.manual_seed(seed)
            return work()

        # How many threads torch has can change bits, so callbacks always have as many.
        threads = torch.get_num_threads()
        if threads != self._torch_threads:
            torch.set_num_threads(self._torch_threads)
        try:
            with torch.enable_grad():
                # Of the same seed, an nn.Dropout and a shared generator would draw the same numbers.
                return self._shared.run(seed ^ 1, seeded)
        finally:
            if threads != self._torch_threads:
                torch.set_num_threads(threads)

    def _mean_loss(self, replica: Replica, batch: Batch) -> torch.Tensor:
        return _checked_loss(self._loss(replica.module(*batch[:-1]), batch[-1]))

    def _hand_over(self, replica: Replica, out: Array) -> None:
        if self._weight_decay:
            own = slice(0, replica.parameters)
            replica.gradient[own].add_(replica.vector[own], alpha=self._weight_decay)
        np.copyto(out, replica.gradient.cpu().numpy())

    def _score(self, replica: Replica, x: Array,
               data: Samples) -> tuple[float, Optional[float]]:
        """The mean loss, and which share of targets is told right, where these are classes."""
        replica.load(x, training=False)
        total, right, targets = 0.0, 0, 0
        with torch.no_grad():
            for count, batch in data.batches(self._eval_batch):
                output, target = replica.module(*batch[:-1]), batch[-1]
                total += count * float(self._loss(output, target))
                if _tells_classes(output, target):
                    right += int((output.argmax(1) == target).sum())
                    targets += target.numel()
        return total / len(data), right / targets if targets else None


def _differentiate(loss: torch.Tensor) -> None:
    loss.backward()  # type: ignore[no-untyped-call]


def _tells_classes(output: Any, target: Any) -> bool:
    """Whether the output's second axis has a number for each class that the target may name."""
    if not (isinstance(output, torch.Tensor) and isinstance(target, torch.Tensor)):
        return False
    whole = target.dtype in (torch.uint8, torch.int16, torch.int32, torch.int64)
    return whole and output.dim() > 1 and output.shape[:1] + output.shape[2:] == target.shape


def _checked_loss(loss: Any) -> torch.Tensor:
    expected = "expected a tensor of one number: the mean over the batch"
    if not isinstance(loss, torch.Tensor):
        raise TypeError(f"loss(output, target) gave {loss!r}, {expected}")
    if loss.numel() != 1:
        raise ValueError(f"loss(output, target) gave a tensor of shape {tuple(loss.shape)}, "
                         f"{expected}")
    if not loss.is_floating_point():
        raise TypeError(f"loss(output, target) gave a tensor of {loss.dtype}, {expected}")
    if torch.is_grad_enabled() and not loss.requires_grad:
        raise ValueError("loss(output, target) does not depend on the parameters: was it taken "
                         "out of the graph, as by detach() or torch.no_grad()?")
    return loss


def _checked_list(data: Any) -> Iterable[Any]:
    of_one_node = isinstance(data, (torch.utils.data.Dataset, Mapping, str))
    if of_one_node or not isinstance(data, Iterable):
        raise TypeError(f"data is a {type(data).__name__}, expected a list with an entry for each "
                        "node: a tuple of tensors (inputs..., target) or a Dataset")
    return data


def _check_decay(weight_decay: float) -> None:
    expected = f"weight_decay is {weight_decay!r}, expected a number from 0"
    if not isinstance(weight_decay, SupportsFloat):
        raise TypeError(expected)
    if not (math.isfinite(weight_decay) and weight_decay >= 0):
        raise ValueError(expected)


def _check_counts(**counts: int) -> None:
    for name, count in counts.items():
        if not isinstance(count, SupportsIndex):
            raise TypeError(f"{name} is {count!r}, expected a whole number")
        if count < 1:
            raise ValueError(f"{name} is {count}, expected at least 1")


def _check_choice(name: str, value: str, *choices: str) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}, expected one of {', '.join(choices)}")
