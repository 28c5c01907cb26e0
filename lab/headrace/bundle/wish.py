"""What a bundle is to leave out, and where to look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput

TABLE_OF_KERNELS = Path("headrace", "detail", "simd", "kernels.hpp")  # below the folder of includes


ALWAYS_KEPT = "scalar"  # the kernel to which the others leave what is odd


ONLY_ON_REQUEST = "model"  # the kernel that says what the others do, for tools and not for speed


PARTS = {  # what --without takes, and the headers that it leaves out
    "floats": (
        "detail/parse_float.hpp",
        "detail/format_float.hpp",
        "detail/write_styled.hpp",
        "detail/simd/avx2_parse_float.hpp",
        "detail/simd/avx512_parse_float.hpp",
        "detail/simd/avx512_format_float.hpp",
    ),
    "copy": ("copy.hpp",),
    "windows": (),  # code below #if HEADRACE_WINDOWS
}


# What a small result does without: each is replaced by something short, or was only for speed.
LONG_HEADERS = ("digits.hpp", "powers_table.hpp", "message.hpp", "narrow_ascii.hpp")


# A small bundle is for a compiler that takes the library, with exceptions and no other settings.
WHERE_BYTES_COUNT: Mapping[str, str | None] = {
    "HEADRACE_ASSERT": "",  # which the bundle drops: see flatten
    "HEADRACE_COMPILED": "0",
    "HEADRACE_EXCEPTIONS": "1",
    "HEADRACE_MODEL": "0",
    "HEADRACE_SMALL": "",
    "NDEBUG": "",
    "__GNUC__": "",
    "__cplusplus": "201703",
    "__cpp_exceptions": "1",
}


def kernel_names() -> tuple[str, ...]:
    """Return the names of the kernels, best first, from the library's table. Raises BadInput without one."""
    return names_in(places.include_folder() / TABLE_OF_KERNELS)


@cache
def names_in(table: Path) -> tuple[str, ...]:
    """Return the kernels of a table, the best first. Raises BadInput for a file that has none."""
    try:
        text = table.read_text("utf-8")
    except OSError as error:
        raise BadInput(f"cannot read the table of kernels {table}: {error.strerror}") from error
    names = tuple(re.findall(r"^\s*row\((\w+)\)", text, re.M))
    if not names:
        raise BadInput(f'{table} has no table of kernels; it needs a line "row(NAME)" for each, best first')
    return names


def default_kernels() -> tuple[str, ...]:
    """Return the kernels of a bundle that is not told otherwise. Raises BadInput."""
    return tuple(name for name in kernel_names() if name != ONLY_ON_REQUEST)


def headers_of(kernel: str, folder: Path) -> list[Path]:
    """Return the headers that only this kernel needs."""
    of_kernel = re.compile(rf"{kernel}|\w+_{kernel}|{kernel}_\w+")
    return [header for header in folder.glob("*.hpp") if of_kernel.fullmatch(header.stem)]


@dataclass(frozen=True)
class Wish:
    """What to leave out and where to look."""

    kernels: tuple[str, ...] = field(default_factory=default_kernels)
    without: tuple[str, ...] = ()
    comments: bool = False
    folders: tuple[Path, ...] = ()
    small: bool = False  # only what is mentioned, no long tables, short names, macros for what repeats
    only_in_and_out: bool = False  # the source names no other reader or writer

    # What the compiler defines: name -> value, "" where nobody needs it; None: it defines no such macro.
    macros: Mapping[str, str | None] = field(default_factory=dict)

    @cached_property
    def facts(self) -> Mapping[str, str | None]:
        """What is known of the macros that the library asks for."""
        known: dict[str, str | None] = {"HEADRACE_WINDOWS": "0"} if "windows" in self.without else {}
        if self.small:
            known |= WHERE_BYTES_COUNT
            known["HEADRACE_ONLY_IN_AND_OUT"] = "" if self.only_in_and_out else None
        return {**known, **self.macros}

    @cached_property
    def left_out(self) -> frozenset[Path]:
        """The library's headers that are not to be there."""
        library = places.include_folder().resolve() / "headrace"
        headers = [library / name for part in self.without for name in PARTS[part]]
        for kernel in kernel_names():
            if kernel not in self.kernels:
                headers += headers_of(kernel, library / "detail" / "simd")
        if self.small:
            headers += [library / "detail" / name for name in LONG_HEADERS]
        return frozenset(headers)
