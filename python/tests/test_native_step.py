"""A local step in C by its address."""
import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import driftless as dl
from conftest import K_GT, KGT, Synthetic, synthetic_in_cpp

SOURCE = """#include <stdint.h>
#include <stdatomic.h>
atomic_long steps;
void gradient(int32_t node, int64_t d, const double* x, uint64_t seed, int64_t round, int32_t step,
              double* g) {
  for (int64_t k = 0; k < d; ++k) g[k] = (node + 1.0) * (node + 1.0) / 10 * x[k];
}
void step(int32_t node, int64_t d, double* y, double rate, const double* c, uint64_t seed,
          int64_t round, int32_t step) {
  ++steps;
  for (int64_t k = 0; k < d; ++k)
    y[k] -= rate * ((node + 1.0) * (node + 1.0) / 10 * y[k] + c[k]);
}"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("native")
    (folder / "steps.c").write_text(SOURCE)
    subprocess.run(["cc", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-o",
                    folder / "steps.so", folder / "steps.c"], check=True)
    return ctypes.CDLL(str(folder / "steps.so"))


def address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


@pytest.mark.parametrize("method", ["k-gt", "scaffold", KGT])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_native_step_takes_all_corrected_steps_with_the_bits_of_cpp(library, method, threads):
    class Native(Synthetic):
        native_gradient, native_step = address(library.gradient), address(library.step)

    steps = ctypes.c_long.in_dll(library, "steps")
    steps.value = 0
    options = {**K_GT, "algorithm": method}
    native = dl.run(Native(noise=0.0), threads=threads, **options)[0]
    assert steps.value == 15 * 7 * 10
    assert np.array_equal(native.models, dl.run(synthetic_in_cpp(noise=0.0), **options)[0].models)


def test_steps_without_a_correction_take_the_gradient(library):
    class Native(Synthetic):
        native_gradient, native_step = address(library.gradient), address(library.step)

    steps = ctypes.c_long.in_dll(library, "steps")
    steps.value = 0
    options = {**K_GT, "algorithm": "d-sgd"}
    native = dl.run(Native(noise=0.0), **options)[0]
    assert steps.value == 0
    assert np.array_equal(native.models, dl.run(synthetic_in_cpp(noise=0.0), **options)[0].models)
