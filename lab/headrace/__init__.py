"""headrace: race every way of doing C++ text I/O on your own machine."""

__version__ = "0.1.0"
LAYOUTS = 16  # of each build, unless --layouts says otherwise
MOST_LAYOUTS = 256  # functions begin at multiples of 16 bytes in a page of 4,096
BUDGET = 75.0  # seconds of measuring a benchmark, unless the number of rounds is given
QUICK_BUDGET = 20.0  # the same with --quick
MARGIN = 0.01  # a smaller difference between two builds matters to nobody, unless --margin says otherwise
