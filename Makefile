# The front door. Every target installs what it needs first, and says so; with nothing missing that takes
# no time. The work itself is CMake's: see CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help run data test fuzz soak slow build bench check asan tsan install clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

help:  ## show this
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 16

run: data  ## MNIST over ten nodes with one digit each: K-GT against D-SGD at equal bytes
	build/driftless run experiments/mnist_softmax.toml --out runs/mnist_softmax --force
	build/driftless run experiments/mnist_cnn.toml --out runs/mnist_cnn --force
	@build/driftless report runs/mnist_softmax runs/mnist_cnn --against bytes_total -o runs/report.html

build:  ## the program, at build/driftless
	@scripts/setup build
	@scripts/build release driftless

data: build  ## MNIST, fetched once into the user's cache
	@build/driftless data fetch mnist

test:  ## build and run all tests, also under sanitizers, and each parser on some hostile inputs
	@scripts/setup build test fuzz
	@scripts/build release
	@ctest --preset release -j $(JOBS)
	@scripts/build fuzz fuzzers
	@scripts/fuzz -runs=10000

fuzz:  ## ten million inputs for every parser: hours
	@scripts/setup build fuzz
	@scripts/build fuzz fuzzers
	@scripts/fuzz -runs=10000000

soak: MINUTES ?= 10
soak: build  ## random runs, killed at random and resumed, for MINUTES (10): the same bits as undisturbed
	@scripts/soak $(MINUTES)

slow: data  ## checks that take minutes: MNIST to the accuracies that are claimed
	@scripts/setup build test
	@scripts/build release driftless_slow_tests
	@build/driftless_slow_tests

asan:  ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer, also slow ones; the same bits as without
	@scripts/setup build test
	@scripts/build release driftless driftless_program_tests driftless_asan driftless_asan_tests driftless_asan_mpi_tests
	@ctest --preset release -j $(JOBS) -C Slow -L asan
	@scripts/same_bits build/driftless build/driftless_asan

tsan:  ## the threaded tests under ThreadSanitizer
	@scripts/setup build test
	@scripts/build release driftless_program_tests driftless_tsan driftless_tsan_tests
	@ctest --preset release -j $(JOBS) -C Slow -L tsan

bench: data  ## speed against numpy, PyTorch and the machine, side by side
	@scripts/setup build test bench
	@scripts/build release driftless driftless_bench driftless_kernel_bench driftless_cnn_bench driftless_mpi_bench
	@bench/run

check:  ## clang-format and clang-tidy
	@scripts/setup build test check
	@scripts/check

install: build  ## library, headers and program to PREFIX
	cmake --install build --prefix $(PREFIX)

clean:  ## remove what was built
	rm -rf build
