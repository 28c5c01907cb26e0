"""headrace: race every way of doing C++ text I/O on your own machine."""

__version__ = "0.1.0"
