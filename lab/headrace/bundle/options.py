"""What a bundle is to leave out, and where to look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle import overlay

TABLE_OF_KERNELS = Path("headrace", "detail", "simd", "kernels.hpp")  # below the folder of includes
ALWAYS_KEPT = "scalar"  # the kernel to which the others leave what is odd
ONLY_ON_REQUEST = "model"  # the kernel that says what the others do, for tools and not for speed
# What --without takes: overlays, and for Windows, code below HEADRACE_WINDOWS.
PARTS = ("floats", "copy", "windows")
# A small bundle is for a compiler that takes the library, with exceptions and no other settings.
WHERE_BYTES_COUNT: Mapping[str, str | None] = {
    "HEADRACE_ASSERT": "",  # which the bundle drops: see flatten
    "HEADRACE_COMPILED": "0",
    "HEADRACE_EXCEPTIONS": "1",
    "HEADRACE_MODEL": "0",
    "NDEBUG": "",
    **dict.fromkeys(("max", "min")),
    **dict.fromkeys(f"__{feature}__" for feature in ("SSE3", "BMI", "LZCNT", "POPCNT", "MOVBE")),
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
class BundleOptions:
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
        return {**known, **self.macros}

    @cached_property
    def lacking(self) -> frozenset[str]:
        """The kernels that are not to be there."""
        return frozenset(kernel_names()) - {*self.kernels}

    @property
    def is_scalar(self) -> bool:
        """Whether no kernel has instructions of its own."""
        return not set(self.kernels) - {ALWAYS_KEPT, ONLY_ON_REQUEST}

    @cached_property
    def left_out(self) -> frozenset[Path]:
        """The library's headers that are not to be there."""
        folder = _library() / "detail" / "simd"
        headers = {header for kernel in self.lacking for header in headers_of(kernel, folder)}
        if self.is_scalar:
            headers.add(folder / "target.hpp")
        return frozenset(headers)

    @cached_property
    def changes(self) -> Mapping[Path, tuple[Path, ...]]:
        """The files of overlays that change a header of the library."""
        overlays = [*self.without, *["small"] * self.small, *["in_and_out"] * self.only_in_and_out]
        changes: dict[Path, tuple[Path, ...]] = {}
        for name in overlays:
            for header, file in overlay.files(name).items():
                header = _library() / header
                changes[header] = (*changes.get(header, ()), file)
        return changes


def _library() -> Path:
    return places.include_folder().resolve() / "headrace"
