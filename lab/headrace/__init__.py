"""headrace: race every way of doing C++ text I/O on your own machine."""

__version__ = "0.1.0"
BUDGET = 75.0  # seconds of measuring a benchmark, unless the number of rounds is given
QUICK_BUDGET = 20.0  # the same with --quick
