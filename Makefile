# The front door. Every target installs what it needs first, and says so; with nothing missing that takes
# no time. The work itself is CMake's: see CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help run python data test sanitize asan tsan fuzz soak slow build bench check package install clean

JOBS ?= $(shell nproc)
TEST_JOBS ?= $(shell expr 3 \* $(JOBS))  # tests of several processes wait more than they compute
PREFIX ?= /usr/local

help:  ## show this
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 16

run: data  ## MNIST over ten nodes with one digit each: K-GT against D-SGD at equal bytes
	build/driftless run experiments/mnist_softmax.toml --out runs/mnist_softmax --force
	build/driftless run experiments/mnist_cnn.toml --out runs/mnist_cnn --force
	@build/driftless report runs/mnist_softmax runs/mnist_cnn --metric node_accuracy --against bytes_total -o runs/report.html

build:  ## the program, at build/driftless
	@scripts/setup build
	@scripts/build release driftless

data: build  ## MNIST, fetched once into the user's cache
	@build/driftless data fetch mnist

python:  ## the Python package, at build/python
	@scripts/setup build python
	@scripts/build release driftless_python
	@echo "Try it: PYTHONPATH=$(CURDIR)/build/python /usr/bin/python3 -c 'import driftless; print(driftless.__version__)'"

test:  ## build and run all tests
	@scripts/setup build test
	@scripts/build release
	@ctest --preset release -j $(TEST_JOBS)

sanitize:  ## the tests under sanitizers, every crash point, a first hour under valgrind, 10,000 hostile inputs for every parser
	@scripts/setup build test sanitize
	@scripts/build release driftless driftless_asan_all driftless_tsan_all driftless_files_shim driftless_memory_shim
	@ctest --preset release -j $(JOBS) -C Sanitize -L 'asan|tsan|valgrind|crash'
	@scripts/same_bits build/driftless build/driftless_asan
	@scripts/build fuzz fuzzers
	@scripts/fuzz -runs=10000

asan:  ## the part of sanitize under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/setup build test sanitize
	@scripts/build release driftless driftless_asan_all
	@ctest --preset release -j $(JOBS) -C Sanitize -L asan
	@scripts/same_bits build/driftless build/driftless_asan

tsan:  ## the part of sanitize under ThreadSanitizer
	@scripts/setup build test sanitize
	@scripts/build release driftless_tsan_all
	@ctest --preset release -j $(JOBS) -C Sanitize -L tsan

fuzz:  ## ten million inputs for every parser: hours
	@scripts/setup build sanitize
	@scripts/build fuzz fuzzers
	@scripts/fuzz -runs=10000000

soak: MINUTES ?= 10
soak: build  ## random runs, killed, stopped, moved, out of room, for MINUTES (10): the same bits as undisturbed
	@scripts/soak $(MINUTES)

slow: data  ## checks that take minutes: MNIST to the accuracies that are claimed, ten thousand runs in one Python
	@scripts/setup build test
	@scripts/build release driftless_slow_tests driftless_python
	@build/driftless_slow_tests
	@PYTHONPATH=build/python OMP_NUM_THREADS=1 /usr/bin/python3 -m pytest -q -p no:cacheprovider --slow -m slow python/tests

bench: data  ## speed against numpy, PyTorch and the machine, side by side
	@scripts/setup build test bench
	@scripts/build release driftless driftless_bench driftless_kernel_bench driftless_cnn_bench driftless_codec_bench driftless_mpi_bench driftless_python
	@bench/run

check:  ## clang-format, clang-tidy and mypy
	@scripts/setup build test check
	@scripts/check

install: build  ## library, headers, program and its completion to PREFIX
	cmake --install build --prefix $(PREFIX)

package: build  ## Debian packages of the program and of the library, at build/packages
	@scripts/setup package
	@cpack --config build/CPackConfig.cmake

clean:  ## remove what was built
	rm -rf build
