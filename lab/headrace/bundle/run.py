"""From a source, or a header of the library, to a file."""

from __future__ import annotations

import sys
from pathlib import Path

from headrace.base import places
from headrace.base.errors import BadInput
from headrace.bundle.bundle import Bundle, make
from headrace.bundle.limit import fit
from headrace.bundle.options import BundleOptions


def run(
    source: Path | None,
    header: str | None,
    out: Path | None,
    options: BundleOptions,
    max_bytes: int | None,
    drop: bool = False,
) -> Bundle:
    """Make a bundle and write it; nothing is written on an error. Raises BadInput.

    `source`, or else `header`: one of the library's, which stays a header. `drop`: what does not fit,
    and say so.
    """
    if (source is None) == (header is None):
        raise BadInput("name a source, or give --library or --bench: just one of the three")
    if source is not None and not source.is_file():
        raise BadInput(f"{source} is not a file; name a C++ source")
    entry = source or places.include_folder() / "headrace" / str(header)
    if out is not None and out.resolve() == entry.resolve():
        raise BadInput(f"{out} is the source itself; write the bundle to another file")
    if out is not None and not out.resolve().parent.is_dir():
        raise BadInput(f"the folder of {out} does not exist; make it, or write elsewhere")
    dropped = ""
    if max_bytes is not None and header is None:
        fitted = fit(entry, options, max_bytes, drop)
        made, dropped = fitted.bundle, fitted.dropped
    else:
        made = make(entry, options)
    if header is not None:
        if max_bytes is not None and made.size > max_bytes:
            raise BadInput(
                f"{header} makes {made.size} bytes, more than {max_bytes}; bundle a source that includes "
                "it, which can lose what it does not use"
            )
        made = Bundle("#pragma once\n" + made.text, made.sizes)
    if out is None:
        print(made.text, end="")
    else:
        places.write_whole(out, made.text.encode())
    if dropped:
        print(f"headrace: left out, to make it fit: what {dropped} leaves out", file=sys.stderr)
    if not made.holds_library:
        print(f"headrace: {entry.name} includes nothing of headrace: nothing was put in", file=sys.stderr)
    return made
