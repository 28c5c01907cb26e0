"""The command `headrace bundle`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from headrace.base.errors import BadInput
from headrace.base.text import plural
from headrace.bundle import judges, limit, options


def _bytes(text: str) -> int:
    """Return a number of bytes: 65536, 64K, 64KiB. Raises BadInput."""
    match = re.fullmatch(r"(\d+)(?:([KM])(?:iB)?)?", text.strip())
    most = int(match[1]) * {None: 1, "K": 1 << 10, "M": 1 << 20}[match[2]] if match else 0
    if most == 0:
        raise BadInput(f"--max-bytes does not understand {text!r}; write 65536, 64K or 64KiB")
    return most


def _names(text: str | None, known: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the names of a list. Raises BadInput for one that is not known."""
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    for name in names:
        if name not in known:
            raise BadInput(f"{option} does not know {name!r}; it takes {', '.join(known)}")
    return names


def _options(
    kernels: str | None,
    without: str | None,
    comments: bool,
    folders: Sequence[Path],
    judge: judges.Judge | None = None,
) -> options.BundleOptions:
    known = options.kernel_names()
    chosen = options.default_kernels() if kernels is None else _names(kernels, known, "--kernels")
    left_out = _names(without, tuple(options.PARTS), "--without")
    if judge is not None and judge.system != "windows" and "windows" not in left_out:
        left_out += ("windows",)
    return options.BundleOptions(
        kernels=tuple(kernel for kernel in known if kernel in chosen or kernel == options.ALWAYS_KEPT),
        without=left_out,
        macros={} if judge is None else judge.macros,
        comments=comments,
        folders=tuple(folder.resolve() for folder in folders),
    )


def _help_on_kernels() -> str:
    try:
        names = ", ".join(options.kernel_names())
        return f"Keep only these: {names}. Default: all but {options.ONLY_ON_REQUEST}."
    except BadInput:  # which the command says when it is called
        return "Keep only these. Default: all."


# --help asks for the names of kernels when the command is registered, not when this module is loaded.
def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("bundle", epilog="Example: headrace bundle solution.cpp -o submit.cpp --for codeforces")
    def bundle_(
        source: Annotated[Path | None, typer.Argument(help="A C++ source that includes headrace.")] = None,
        library: Annotated[
            bool, typer.Option("--library", help="Bundle the library itself into one header.")
        ] = False,
        bench: Annotated[
            bool, typer.Option("--bench", help="Bundle headrace/bench.hpp and its parts into one header.")
        ] = False,
        out: Annotated[
            Path | None, typer.Option("-o", "--out", help="Output file. Default: standard output.")
        ] = None,
        kernels: Annotated[str | None, typer.Option(help=_help_on_kernels())] = None,
        without: Annotated[
            str | None, typer.Option(help=f"Parts to leave out: {', '.join(options.PARTS)}.")
        ] = None,
        max_bytes: Annotated[
            int | None,
            typer.Option(
                parser=_bytes,
                metavar="BYTES",
                help="Fit into this many bytes (65536, 64K), with macros if need be, or say what to drop.",
            ),
        ] = None,
        judge: Annotated[
            str | None,
            typer.Option(
                "--for", metavar="JUDGE", help=f"Fit what this judge accepts: {', '.join(judges.read())}."
            ),
        ] = None,
        drop: Annotated[
            bool, typer.Option("--fit", help="Leave out what does not fit, and say what; goes with a limit.")
        ] = False,
        include: Annotated[
            list[Path] | None, typer.Option("-I", help="Another folder to search for includes.")
        ] = None,
        comments: Annotated[
            bool | None,
            typer.Option(help="Keep comments or drop them. Default: kept only with --library and --bench."),
        ] = None,
        as_json: Annotated[
            bool, typer.Option("--json", help="With -o: print the size and its parts as JSON.")
        ] = False,
    ) -> None:
        """Bundle a source with what it uses of the library into one file, or the library into a header."""
        if as_json and out is None:
            raise BadInput("--json goes with -o: without it, standard output is the bundle")
        headers = [name for name, asked in (("headrace.hpp", library), ("bench.hpp", bench)) if asked]
        if len(headers) > 1:
            raise BadInput("give --library or --bench, not both: each makes one header")
        keep = bool(headers) and max_bytes is None if comments is None else comments
        header = headers[0] if headers else None
        taker = judges.find(judge) if judge else None
        if taker is not None and headers:
            raise BadInput("--for goes with a solution, not with --library or --bench")
        if taker is not None:
            print(f"headrace: {taker.sentence}", file=sys.stderr)
            max_bytes = taker.bytes if max_bytes is None else min(max_bytes, taker.bytes)
        if drop and max_bytes is None:
            raise BadInput("--fit goes with --for or --max-bytes, which say what it has to fit into")
        asked = _options(kernels, without, keep, include or [], taker)
        made = limit.write_bundle(source, header, out, asked, max_bytes, drop)
        if out is not None and as_json:
            parts = {str(file): size for file, size in made.sizes.items()}
            print(json.dumps({"file": str(out), "bytes": made.size, "parts": parts}, indent=1))
        elif out is not None:
            print(f"{out}: {made.size} bytes from {plural(len(made.sizes), 'file')}")
