"""The samples of a node, as torch users have them: tensors, or a Dataset."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import default_collate

# (inputs..., target)
Batch = tuple[Any, ...]
Chosen = Union[slice, npt.NDArray[np.int64]]


class Samples:
    """A tuple of tensors (inputs..., target) whose first axes count samples, or a Dataset of tuples.

    A list of tuples is a Dataset.
    """

    def __init__(self, given: Any, name: str, device: torch.device,
                 collate: Optional[Callable[[list[Any]], Any]]) -> None:
        self.name, self._device = name, device
        self._tensors: list[torch.Tensor] = []
        is_array = isinstance(given, (torch.Tensor, np.ndarray))
        if isinstance(given, (tuple, list)) and not _is_list_of_samples(given):
            if collate is not None:
                raise ValueError(f"{name} is a tuple of tensors, which `collate` is not for: give a "
                                 "Dataset, or leave collate out")
            self._tensors = _checked(name, given)
            self._size = len(self._tensors[0])
        elif not is_array and hasattr(given, "__getitem__") and hasattr(given, "__len__"):
            self._dataset, self._collate = given, collate or default_collate
            self._size = len(given)
        else:
            hint = "; data is a list with one of these for each node" if name == "data[0]" else ""
            raise TypeError(f"{name} is a {type(given).__name__}, expected a tuple of tensors "
                            f"(inputs..., target) or a Dataset with a length{hint}")
        if self._size == 0:
            raise ValueError(f"{name} has no samples: give it one at least")

    def __len__(self) -> int:
        return self._size

    @property
    def dtypes(self) -> list[torch.dtype]:
        """Of the tensors; empty for a Dataset."""
        return [each.dtype for each in self._tensors]

    @property
    def made_by_python(self) -> bool:
        """Whether taking samples runs code that may be random."""
        return not self._tensors

    def take(self, chosen: Chosen) -> Batch:
        """These samples, on the device of the model."""
        batch: Any
        if self.made_by_python:
            ids = range(self._size)[chosen] if isinstance(chosen, slice) else chosen.tolist()
            batch = self._collate([self._dataset[each] for each in ids])
            if not isinstance(batch, (tuple, list)) or len(batch) < 2:
                raise TypeError(f"{self.name}: collated samples are a {type(batch).__name__}, "
                                "expected a tuple (inputs..., target)")
        elif isinstance(chosen, slice):
            batch = [each[chosen] for each in self._tensors]
        else:
            index = torch.from_numpy(chosen)
            batch = [each.index_select(0, index.to(each.device)) for each in self._tensors]
        return tuple(each.to(self._device) if isinstance(each, torch.Tensor) else each
                     for each in batch)

    def batches(self, size: int) -> Iterator[tuple[int, Batch]]:
        """All samples in order, as (how many, batch)."""
        for first in range(0, self._size, size):
            last = min(first + size, self._size)
            yield last - first, self.take(slice(first, last))


def check_alike(nodes: Sequence[Samples]) -> None:
    """That tensors of all nodes are of the same types: a run would find out late."""
    first, *others = [each for each in nodes if not each.made_by_python] or nodes
    for other in others:
        if other.dtypes != first.dtypes and not other.made_by_python:
            raise TypeError(f"{other.name} has tensors of {_listed(other.dtypes)}, but "
                            f"{first.name} has {_listed(first.dtypes)}: expected the same")


def _listed(dtypes: Sequence[torch.dtype]) -> str:
    return ", ".join(map(str, dtypes))


def _is_list_of_samples(given: Any) -> bool:
    return isinstance(given, list) and any(isinstance(each, tuple) for each in given)


def _tensor(name: str, given: Any) -> torch.Tensor:
    try:
        return torch.as_tensor(given)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} has a {type(given).__name__} that is no tensor: {error}") from None


def _checked(name: str, given: Sequence[Any]) -> list[torch.Tensor]:
    tensors = [_tensor(name, each) for each in given]
    if len(tensors) < 2 or any(each.dim() == 0 for each in tensors):
        shapes = ", ".join(str(tuple(each.shape)) for each in tensors)
        raise ValueError(f"{name} has tensors of shapes {shapes}, expected (inputs..., target), "
                         "each with a first axis that counts samples")
    sizes = [len(each) for each in tensors]
    if len(set(sizes)) > 1:
        raise ValueError(f"{name} has tensors of {' and '.join(map(str, sizes))} samples: inputs "
                         "and target must have equally many")
    return tensors
