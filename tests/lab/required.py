"""Which skipped tests are failures: those that lack what HEADRACE_REQUIRE asks for.

HEADRACE_REQUIRE is "all", or names of packages. A test says why it is skipped; here is which package such a
reason is about. What no package brings (a RAM disk, a kernel that lets perf trace) stays skipped.
"""

from __future__ import annotations

import re

PACKAGES = {  # what a reason says -> the packages of which one would have helped
    r"for aarch64 and qemu": ("g++-aarch64-linux-gnu", "qemu-user"),
    r"no (g\+\+(,| on| or)|compiler)|needs a compiler": ("g++",),
    r"^x86_64-w64-mingw32-g\+\+ is not": ("g++-mingw-w64-x86-64-posix",),
    r"^no make ": ("make",),
    r"no cmake": ("cmake",),
    r"no pkg-config": ("pkg-config",),
    r"^fmt is not": ("libfmt-dev",),
    r"Chromium": ("chromium",),
    r"needs a font": ("fonts-dejavu-core",),
    r"^wine is not": ("wine", "wine64"),
    r"needs valgrind": ("valgrind",),
    r"^zstd is not": ("zstd",),
    r"needs playwright": ("playwright",),
    r"mkdocs is missing": ("mkdocs",),
    r"^no clang\+\+-19": ("clang-19",),
    r"^no clang-scan-deps-19": ("clang-tools-19",),
    r"^no ninja": ("ninja-build",),
    r"^no Python\.h": ("python3-dev",),
    r"^no dpkg-buildpackage": ("dpkg-dev",),
    r"^no dh ": ("debhelper",),
    r"^no lintian": ("lintian",),
    r"^no ruby": ("ruby",),
    r"^no rpm(build)? ": ("rpm",),
    r"^no rpmlint": ("rpmlint",),
    r"no conan": ("conan",),
    r"no meson": ("meson",),
    r"needs cyclonedx": ("cyclonedx-bom",),
    r"no git": ("git",),
}


def lacking(reason: str, wanted: str) -> str:
    """Return the package that a skipped test lacks and that is wanted; "" where it may be skipped."""
    for pattern, packages in PACKAGES.items():
        if re.search(pattern, reason):
            named = wanted.split()
            return next((one for one in packages if "all" in named or one in named), "")
    return ""
