# make race      set up, then run the first benchmark on this machine
# make test      set up, then run what protects a change
# make test-all  that and all the rest: other sanitizers, toolchains, packages, bundles, other processors
# make check     the quick part of make test: no sanitizers, no races, no documents
# make cross-test  the library's tests as 32-bit and 64-bit ARM and Windows programs, where the tools for them are here
# make prove   all tokens of six kinds, 2^32 of four bytes among them, by every kernel, in two processes
# make soak    random programs, copies, floats and doubles for SECONDS (600)
# make every-float  all 2^32 floats and 10^9 doubles to text and back by every kernel, in two processes
# make docs    the documents as a site, in site/
# make figures run the races that the documents show, and put their figures there; figures-newest: with newer compilers
# make bench   build and run the micro-benchmarks of parse, format and what they are made of
# make clean   remove all that these made
# Everything stays in this folder: .venv, .cache, build, build-asan, build-sanitizers, results, site.

PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

GENERATOR := $(if $(shell command -v ninja),-G Ninja)
CCACHE := $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
# Where the folder that ccache uses cannot be written, as that of a user without a home, it keeps what it has here.
CCACHE_WORKS = $(shell folder=$$(ccache --get-config cache_dir) && mkdir -p "$$folder" 2>/dev/null && test -w "$$folder" && echo yes)
ifeq ($(if $(CCACHE),$(CCACHE_WORKS),yes),)
export CCACHE_DIR := $(CURDIR)/.cache/ccache
endif
# What it wants for a precompiled header: dates in macros do not matter here.
export CCACHE_SLOPPINESS := pch_defines,time_macros
CONFIGURE := cmake -S . $(GENERATOR) $(CCACHE) -DHEADRACE_WARNINGS_AS_ERRORS=ON
# As programs are compiled: -O3 takes a fifth longer, and tests nothing more.
RELEASE := -B build -DCMAKE_BUILD_TYPE=Release '-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG' -DHEADRACE_TEST_HEADERS=OFF
SANITIZED := -B build-asan -DCMAKE_BUILD_TYPE=Debug -DHEADRACE_SANITIZE=address,undefined
CTEST := ctest --output-on-failure --parallel $(JOBS)

# The tests start some hundred Pythons: each would compile all modules again where nothing may be kept of it.
unexport PYTHONDONTWRITEBYTECODE

# A worker that has none left takes tests from another. Tests that call make are not its sub-makes.
PYTEST := MAKEFLAGS= $(BIN)/pytest --numprocesses=$(JOBS) --dist=worksteal

# One after the other, each with its name and its time. By another name than MAKE: of a line with that, `make -n` runs
# the commands.
MAKE_ALONE := $(MAKE) --no-print-directory
STAGES := MAKEFLAGS= JOBS='$(JOBS)' PYTHON='$(PYTHON)' tools/stages $(MAKE_ALONE) --jobs=2

.PHONY: race test test-all test-rest check lab-quick lab-check bench set-up-and-cpp-test cpp-quick cpp-test asan-test \
	cpp-slow tools-test tsan-test msan-test valgrind-test toolchains-test lab-test lab-slow prove soak every-float \
	lint lint-python lint-cpp format docs figures figures-newest clean

race: .venv/race
	$(BIN)/headrace run read_ints

# The library with every kernel, the same under AddressSanitizer and UBSan, then the lab and the documents' code.
test:
	$(STAGES) set-up-and-cpp-test asan-test lint lab-check

# What make test leaves out.
test-rest: .venv/test
	$(STAGES) cpp-slow tools-test lab-slow cross-test

test-all: test test-rest

tools-test: tsan-test msan-test valgrind-test toolchains-test

check:
	$(MAKE_ALONE) --jobs=2 .venv/test cpp-quick
	$(MAKE_ALONE) --jobs=2 lint lab-quick

# To set up takes one processor, and waits for the network.
set-up-and-cpp-test: .venv/test cpp-test

# What is quick of it: no race, no document or package, no browser.
lab-quick: .venv/test
	$(PYTEST) --forks --quick -m "not slow"

# Commands are forked from a process that has their modules; in lab-slow and lab-test each is a process of its own.
lab-check: .venv/test
	$(PYTEST) --forks -m "not slow"

lab-slow: .venv/test
	$(PYTEST) -m slow

# The contracts of reading and writing, by every kernel.
QUICK := columns_records format parse reader torture writer
cpp-quick:
	$(CONFIGURE) $(RELEASE)
	cmake --build build --parallel $(JOBS) --target $(QUICK:%=%_test)
	HEADRACE_TEST_SHARE=11 $(CTEST) --test-dir build --tests-regex '^($(subst $() ,|,$(QUICK)))(\.|$$)'

# Arithmetic and kernels as programs are compiled, all tests with sanitizers; a third of the random cases, and with
# sanitizers an eleventh and without the model, which no user has: what finds a fault of today. cpp-slow takes all.
cpp-test:
	$(CONFIGURE) $(RELEASE)
	cmake --build build --parallel $(JOBS) --target headrace_optimised_tests
	HEADRACE_TEST_SHARE=3 $(CTEST) --test-dir build --label-regex optimised

asan-test:
	$(CONFIGURE) $(SANITIZED)
	cmake --build build-asan --parallel $(JOBS) --target headrace_tests
	HEADRACE_TEST_SHARE=11 $(CTEST) --test-dir build-asan --exclude-regex '^fuzz_|^every_token|\.model$$'

# All tests with the library from its headers and all random cases, a fifth of them with sanitizers, and the fuzzers
# with their seeds.
cpp-slow:
	$(CONFIGURE) $(RELEASE) -DHEADRACE_TEST_HEADERS=ON
	cmake --build build --parallel $(JOBS)
	$(CTEST) --test-dir build
	$(CONFIGURE) $(SANITIZED)
	cmake --build build-asan --parallel $(JOBS)
	$(CTEST) --test-dir build-asan

# Threads under ThreadSanitizer. HEADRACE_THREADS_SECONDS=60 makes it longer.
tsan-test:
	tools/sanitizers thread

# MemorySanitizer and valgrind do not know all instructions of the kernels: programs in plain C++ under both.
msan-test:
	tools/sanitizers memory

valgrind-test:
	tools/sanitizers valgrind

# Two commands at once. Where one fails make does, and nothing is left running.
at_once = $1 & other=$$!; $2 && wait $$other || { kill $$other 2>/dev/null; exit 1; }

# A quarter of an hour or more on two idle processors. KINDS=decimals runs one.
KINDS := edges short digits decimals eights groups
prove:
	$(CONFIGURE) $(RELEASE)
	cmake --build build --parallel $(JOBS) --target every_token
	for kind in $(KINDS); do \
		$(call at_once,build/tests/every_token $$kind 1 2,build/tests/every_token $$kind 2 2); \
	done

SECONDS := 600
soak:
	$(CONFIGURE) $(RELEASE)
	cmake --build build --parallel $(JOBS) --target reader_random_test copy_test format_float_test write_floats_test
	for program in reader_random copy format_float write_floats; do \
		HEADRACE_SOAK=$$(($(SECONDS) / 4)) build/tests/$${program}_test --gtest_brief=1 '--gtest_filter=*.soak' || exit 1; \
	done

DOUBLES := 500000000
every-float:
	$(CONFIGURE) $(RELEASE)
	cmake --build build --parallel $(JOBS) --target every_float
	$(call at_once,build/tests/every_float floats 1 2,build/tests/every_float floats 2 2)
	$(call at_once,build/tests/every_float doubles $(DOUBLES) 1,build/tests/every_float doubles $(DOUBLES) 2)

# Each compiler here with each standard library, as C++17, 20 and 23, without exceptions and without RTTI.
toolchains-test: .venv/test
	HEADRACE_PYTHON=$(abspath $(BIN)/python) tools/toolchains/check

lab-test: lint
	$(PYTEST)

cross-test: .venv/race
	$(BIN)/python tools/cross_tests.py

lint: lint-python lint-cpp

lint-python: .venv/test
	$(BIN)/ruff check lab tests tools
	$(BIN)/ruff format --check lab tests tools
	$(BIN)/mypy

lint-cpp:
	@if command -v clang-format-19 >/dev/null; then \
		echo clang-format-19 && $(CPP) -exec clang-format-19 --dry-run -Werror {} +; \
	else tools/missing clang-format-19 "lint: clang-format-19 is not here"; fi
	@if command -v clang-tidy-19 >/dev/null; then $(MAKE) --no-print-directory .cache/clang-tidy; \
	else tools/missing clang-tidy-19 "lint: clang-tidy-19 is not here"; fi

# Seven seconds, so only after a change of what it reads, or of itself.
.cache/clang-tidy: .clang-tidy tests/support/kernels.hpp $(shell find include tests/smoke -name '*.[ch]pp') \
		$(shell command -v clang-tidy-19)
	clang-tidy-19 --quiet tests/smoke/smoke.cpp -- -std=c++17 -Iinclude
	@mkdir -p .cache && touch $@

# Lays out the C++ as .clang-format says.
CPP := find include src bench benchmarks examples fuzz lab tests '(' -name '*.[ch]pp' -o -name '*.cppm' ')'
format:
	$(CPP) -exec clang-format-19 -i {} +

docs: .venv/docs
	$(BIN)/mkdocs build

# On a quiet machine, a quarter of an hour of measuring and up to as much of building. FIGURES="read_ints copy print"
# races others; RACE="--seconds 300 --toolchain g++-12/*" measures for a shorter time, and with fewer toolchains.
RACE ?= --seconds 900
FIGURES ?= read_ints read_words read_lines read_mixed read_doubles write_ints write_doubles
figures: .venv/race
	$(BIN)/headrace run $(FIGURES) --opt O2 $(RACE) --out results/figures.json
	$(BIN)/python tools/figures.py results/figures.json

# On a quiet machine, six minutes once all is built: those compilers beside these.
CHAINS := g++-12/libstdc++ g++-16/libstdc++ clang++-19/libc++ clang++-23/libc++
race_newest = PATH="$$PWD/.cache/toolchains/sid/bin:$$PATH" $(BIN)/headrace run $1 --seconds 75 \
	$(foreach chain,$(CHAINS),--toolchain $(chain)/x86_64-linux) $(foreach name,$2,--contender $(name)) --out results/newest-$1.json
figures-newest: .venv/race
	tools/toolchains/debian sid g++-16 clang-23 libc++-23-dev
	$(call race_newest,read_lines,getline fgets posix_getline hand_written headrace_lines)
	$(call race_newest,read_ints,naive_cin_cout faster_cin_cout scanf_printf hand_written headrace_stream headrace_bulk)
	$(call race_newest,print,printf cout std_print headrace) --route none:file
	$(BIN)/python tools/figures.py --newest results/newest-*.json

bench:
	$(CONFIGURE) $(RELEASE)
	cmake --build build --parallel $(JOBS) --target headrace_bench

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "headrace needs Python 3.11 or newer: make PYTHON=python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

# The race wants libc++ beside libstdc++. Where no clang has it, zig brings one.
.venv/race: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable .
	$(BIN)/headrace doctor --json | grep -q '"library": "libc++"' || $(BIN)/pip install --quiet --editable '.[zig]'
	touch $@

# In the versions that the tests are known to pass with: another numpy has other types.
.venv/test: .venv/race .ci/constraints.txt
	PIP_CONSTRAINT=.ci/constraints.txt $(BIN)/pip install --quiet --editable '.[test]'
	touch $@

# For tools/release.
.venv/release: .venv/made pyproject.toml .ci/constraints.txt
	PIP_CONSTRAINT=.ci/constraints.txt $(BIN)/pip install --quiet --editable '.[release]'
	touch $@

.venv/docs: .venv/made pyproject.toml
	$(BIN)/pip install --quiet --editable '.[docs]'
	touch $@

clean:
	rm -rf .venv .cache build build-asan build-sanitizers results site
