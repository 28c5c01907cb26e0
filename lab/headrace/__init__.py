"""headrace: race every way of doing C++ text I/O on your own machine."""

import re
from pathlib import Path


def version_in(config: str) -> str:
    """Return the version that the text of a config.hpp names. Raises ValueError where it names none."""
    found = re.search(r"^#define HEADRACE_VERSION (\d+)$", config, re.M)
    if found is None:
        raise ValueError("config.hpp defines no HEADRACE_VERSION")
    number = int(found[1])
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def _config() -> Path:
    """Return where config.hpp is: beside the lab when it is installed, two folders up in a checkout."""
    package = Path(__file__).resolve().parent
    installed = package / "data" / "include" / "headrace" / "config.hpp"
    return installed if installed.is_file() else package.parents[1] / "include" / "headrace" / "config.hpp"


__version__ = version_in(_config().read_text("utf-8"))  # the library's, which comes with the lab
LAYOUTS = 16  # of each build, unless --layouts says otherwise
MOST_LAYOUTS = 256  # functions begin at multiples of 16 bytes in a page of 4,096
BUDGET = 75.0  # seconds of measuring a benchmark, unless the number of rounds is given
QUICK_BUDGET = 20.0  # the same with --quick
MARGIN = 0.01  # a smaller difference between two builds matters to nobody, unless --margin says otherwise
