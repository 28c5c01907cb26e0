"""The options of a race: one model for command lines, results files, archives, hosts and --resume.

`commands/options.py` makes the commands' parameters of how a command line spells each field. A field's
constraints hold for what is read from files, and OF_THE_QUESTION is what an archive may ask of another
machine. pydantic is imported where a file is read: the shell loads this module for names of benchmarks.
"""

# ruff: noqa: RUF009 - what makes a field's default is dataclasses.field, by another name

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from annotated_types import Ge, Gt, Le, MinLen

from headrace import BUDGET, LAYOUTS, MARGIN, MOST_LAYOUTS, QUICK_BUDGET
from headrace.base import places
from headrace.base.errors import BadInput, first_fault

if TYPE_CHECKING:
    from pydantic import TypeAdapter

SWEEP_POINTS_A_DECADE = 2
LEVELS = ("O0", "O1", "O2", "O3", "Os", "Og", "Ofast", "Oz")
Above0 = Annotated[float, Gt(0)]

Texts = list[str] | None
Paths = list[Path] | None
_FOLDER: Mapping[str, Any] = {"exists": True, "file_okay": False, "writable": True}
_FILE: Mapping[str, Any] = {"exists": True, "dir_okay": False, "readable": True}


class Spelling:
    """How a command line spells a field: its parameters, and what makes the field's value of them."""

    def __init__(self, read: Callable[..., Any] = lambda value: value, /, **parameters: Any) -> None:
        self.read, self.parameters = read, parameters

    def value(self, given: Mapping[str, Any]) -> Any:
        """Make the field's value of those of its parameters that were given. Raises BadInput."""
        own = {name: given[name] for name in self.parameters if name in given}
        return self.read(**own) if len(self.parameters) > 1 else self.read(*own.values())


def check_routes(route: Sequence[str]) -> list[tuple[str, str]]:
    """Read "file:null,pipe:null" lists. Raises BadInput for an unknown end."""
    from headrace.matrix import benchmarks

    return [benchmarks.route(text) for text in _listed(route)]


def check_compilers(compiler: Sequence[Path]) -> list[str]:
    """Name compilers from anywhere: a file by its whole path, a command as it is."""
    return [str(path.absolute()) if path.exists() else str(path) for path in compiler]


def check_optimise(opt: Sequence[str] = (), flags: str = "") -> list[str]:
    """Read --opt, lists such as "O0,-O2", and --flags as sets of flags, the level first and without its dash.

    Raises BadInput for what is no level.
    """
    levels = [text.removeprefix("-") for text in _listed(opt)]
    for level in levels:
        if level not in LEVELS:
            raise BadInput(f"{level} is not an optimisation level; use {', '.join(LEVELS)}")
    return check_flags(flags, levels) if flags else levels


def check_flags(text: str, levels: Sequence[str]) -> list[str]:
    """Read "-O3 -march=native;-O2 -flto" as sets of flags.

    A set without a level is crossed with `levels`, or with O2. Raises BadInput for what is no flag, or what
    would change what is made.
    """
    sets = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        try:
            words = shlex.split(part)
        except ValueError as error:
            raise BadInput(f"--flags: {part}: {str(error).lower()}") from error
        for word in words:
            if not word.startswith("-") or word in ("-", "-o", "-c", "-S", "-E", "-x", "-M", "-MM"):
                raise BadInput(
                    f"--flags: {word} is not a flag that a build can take; separate sets by ;, as "
                    '"-O3 -march=native;-O2 -flto"'
                )
        own = [word for word in words if word[1:] in LEVELS]
        rest = [word for word in words if word not in own]
        for level in [own[-1][1:]] if own else levels or ["O2"]:
            sets.append(shlex.join([level, *rest]))
    if not sets:
        raise BadInput(f'--flags {text} has no set of flags; give one as "-O3 -march=native"')
    return list(dict.fromkeys(sets))


def check_settings(change: Sequence[str] = (), sweep: str | None = None) -> list[dict[str, str]]:
    """Read "rows=100" changes and a sweep, "rows=1e2..1e6" or "kind=a,b". Raises BadInput for others."""
    fixed = {}
    for text in change:
        key, equals, value = text.partition("=")
        if not equals or not key or not value:
            raise BadInput(f"a setting of the input is a name and a value such as rows=100, not {text}")
        fixed[key] = _whole(value)
    if sweep is None:
        return [fixed]
    key, _, span = sweep.partition("=")
    values = [*dict.fromkeys(span.split(","))]
    if key and len(values) > 1 and all(values):
        return [{**fixed, key: _whole(value)} for value in values]
    try:
        low, high = (float(end) for end in span.split(".."))
    except ValueError:
        raise BadInput(
            "a sweep is a name and a range such as rows=1e2..1e6, or values such as kind=short,wide, not "
            f"{sweep}"
        ) from None
    if not 1 <= low < high < 1e12:
        raise BadInput(f"a sweep goes from 1 or more up to a larger number below 1e12, not {span}")
    steps = max(2, round(math.log10(high / low) * SWEEP_POINTS_A_DECADE))
    sizes = [round(low * (high / low) ** (step / steps)) for step in range(steps + 1)]
    return [{**fixed, key: str(value)} for value in dict.fromkeys(sizes)]


def _whole(text: str) -> str:
    """Write a whole number without an exponent: 1e2 is the same input as 100, and the same row."""
    try:
        value = float(text) if "e" in text.lower() else math.nan
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() and value < 1e15 else text


def check_margin(margin: str) -> float:
    """Read "1%" or "1" as 0.01. Raises BadInput for anything else, and for a margin that nothing can meet."""
    value = percentage(margin)
    if not 0.0001 <= value <= 1:
        raise BadInput(
            f"--margin is a percentage from 0.01% to 100%, not {margin}: within a margin of 0 nothing is "
            "ever the same"
        )
    return value


def percentage(text: str) -> float:
    """Read "5%" or "5" as 0.05, and anything else as no number."""
    try:
        return float(text.strip().removesuffix("%")) / 100
    except ValueError:
        return math.nan


def check_layouts(layouts: int) -> int:
    """Return a number of layouts. Raises BadInput for more than there are."""
    if not 1 <= layouts <= MOST_LAYOUTS:
        raise BadInput(
            f"--layouts {layouts}: a build has 1 to {MOST_LAYOUTS} layouts; functions have as many places "
            "in a page"
        )
    return layouts


def _once(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _listed(texts: Sequence[str]) -> list[str]:
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


def complete(begun: str) -> list[str]:
    """Offer benchmark names to the shell."""
    return [name for name in places.benchmark_names() if name.startswith(begun)]


def _option(kind: Any, help: str, flag: str = "", **more: Any) -> Any:
    """Return the type of a parameter with what typer shows of it."""
    return Annotated[kind, typer.Option(*([flag] if flag else []), help=help, **more)]


def _spelt(
    usual: Any,
    read: Callable[..., Any] = lambda value: value,
    /,
    of_the_question: bool = False,
    **parameters: Any,
) -> Any:
    """Return a field with its usual value, or what makes that, and how a command line spells it."""
    default: dict[str, Any] = {"default_factory" if callable(usual) else "default": usual}
    spelling = Spelling(read, **parameters)
    return field(**default, metadata={"spelling": spelling, "of_the_question": of_the_question})


_asked = partial(_spelt, of_the_question=True)  # what belongs to the question, not to the machine

_NAMES = typer.Argument(
    help="Names, or paths of folders such as ./mine.", autocompletion=complete, show_default="all"
)
_TOOLCHAIN = 'A name, part of a name ("clang", "libc++"), a pattern, or "all".'
_CONTENDER = "Only these, and those they are compared with."
_GUEST = "Also race a program of your own: a C++ source, a script or an executable."
_LEVEL = "Optimisation levels, such as O0,O2."
_FLAGS = 'Sets of compiler flags, each a row of its own: "-O3 -march=native;-O2 -flto".'
_COMPILER = "Use the compiler at this path, and no other unless named."
_ROUTE = "Routes from a source to a sink, such as file:null,pipe:null."
_ROUNDS = "Run exactly N rounds, without stopping early."
_SECONDS = f"Time limit for measuring; {BUDGET:g} per benchmark unless --rounds is given."
_QUICK = f"A smaller input and few rounds: at most {QUICK_BUDGET:g} s per benchmark, plus building."
_TIMEOUT = "Time limit for one run, in seconds."
_PIN = "Run every program on this processor."
_COLD = "Drop the input from the page cache before each run."
_OUTPUT = "Folder for output files. Default: a RAM disk."
_INPUT = "Read this file as the input; the answer is what all contenders agree on."
_SWEEP = "Run a range of sizes, such as rows=1e2..1e4, or values: kind=short,wide."
_MARGIN = "Differences below this count as small; fixed before measuring."
_LAYOUTS = "Link each build in N layouts and draw one for each round; 1 turns this off."
_INPUTS = "Make N inputs from different seeds and take one for each round."
_JOBS = "Number of builds at the same time; 0: one per processor."


@dataclass(frozen=True)
class RunOptions:
    """The options of a race. Empty lists mean all that is usual."""

    benchmarks: list[str] = _spelt(MISSING, _once, benchmark=Annotated[Texts, _NAMES])
    toolchains: list[str] = _asked(list, toolchain=_option(Texts, _TOOLCHAIN))
    contenders: list[str] = _asked(list, contender=_option(Texts, _CONTENDER))
    guests: list[Path] = _spelt(list, guest=_option(Paths, _GUEST, "--with"))  # a user's own programs
    # "O2", "O3 -march=native".
    optimise: list[str] = _asked(
        list, check_optimise, opt=_option(Texts, _LEVEL), flags=_option(str | None, _FLAGS)
    )
    compilers: list[str] = _spelt(list, check_compilers, compiler=_option(Paths, _COMPILER))  # their paths
    routes: list[tuple[str, str]] = _asked(list, check_routes, route=_option(Texts, _ROUTE))
    rounds: Annotated[int, Ge(1)] | None = _asked(None, rounds=_option(int | None, _ROUNDS, min=1))
    seconds: Above0 | None = _asked(None, seconds=_option(float | None, _SECONDS, min=1))  # of measuring
    quick: bool = _asked(False, quick=_option(bool, _QUICK, "--quick"))
    timeout: Above0 | None = _asked(None, timeout=_option(float | None, _TIMEOUT, min=0.01))
    pin: Annotated[int, Ge(0)] | None = _spelt(None, pin=_option(int | None, _PIN, min=0))
    cold: bool = _asked(False, cold=_option(bool, _COLD, "--cold"))
    # For file sinks; None: a RAM disk.
    folder: Path | None = _spelt(None, folder=_option(Path | None, _OUTPUT, **_FOLDER))
    # A user's own file, for all benchmarks.
    input: str = _spelt(
        "", lambda path: str(path.resolve()), own_input=_option(Path | None, _INPUT, "--input", **_FILE)
    )
    # Of the input; several are a sweep.
    settings: Annotated[list[dict[str, str]], MinLen(1)] = _asked(
        lambda: [{}],
        check_settings,
        change=_option(Texts, "Change a setting of the input, such as rows=100.", "--set"),
        sweep=_option(str | None, _SWEEP),
    )
    seed: int = _asked(1, seed=_option(int, "Seed for the order within rounds."))
    # A smaller difference counts as small.
    margin: Annotated[float, Gt(0), Le(1)] = _asked(
        MARGIN, check_margin, margin=_option(str | None, _MARGIN, show_default=f"{MARGIN:.0%}")
    )
    # Of each build.
    layouts: Annotated[int, Ge(1), Le(MOST_LAYOUTS)] = _asked(
        LAYOUTS, check_layouts, layouts=_option(int, _LAYOUTS)
    )
    inputs: Annotated[int, Ge(1)] = _asked(1, inputs=_option(int, _INPUTS, min=1))
    setup: str = _spelt("", setup=_option(str, "Shell command to run once before all runs."))
    prepare: str = _spelt("", prepare=_option(str, "Shell command to run before each run, untimed."))
    cleanup: str = _spelt("", cleanup=_option(str, "Shell command to run once after all runs."))
    jobs: Annotated[int, Ge(0)] = _spelt(0, jobs=_option(int, _JOBS, min=0))
    include: str = ""  # a folder of another headrace's headers, for all builds


SPELLINGS: Mapping[str, Spelling] = {
    each.name: each.metadata["spelling"] for each in fields(RunOptions) if each.metadata
}
OF_THE_QUESTION = frozenset(each.name for each in fields(RunOptions) if each.metadata.get("of_the_question"))


def plain(options: RunOptions) -> dict[str, Any]:
    """Give options as plain data, from which `of_plain` makes them again."""
    return {
        **{each.name: getattr(options, each.name) for each in fields(RunOptions)},
        "guests": [str(path.resolve()) for path in options.guests],
        "folder": None if options.folder is None else str(options.folder),
        "routes": [":".join(route) for route in options.routes],
    }


def of_plain(asked: Mapping[str, Any], where: Path | str, key: str = "run.asked") -> RunOptions:
    """Make options of what `plain` returned. Raises BadInput, which names `where` they were read."""
    from pydantic import ValidationError

    if not asked or not set(asked) <= {each.name for each in fields(RunOptions)}:
        raise BadInput(f"{where} does not say what was asked for; run the campaign again")
    routes = asked.get("routes", [])
    if isinstance(routes, list):
        routes = [text.split(":", 1) if isinstance(text, str) else text for text in routes]
    try:
        options = _model().validate_python({**asked, "routes": routes})
        check_routes([":".join(route) for route in options.routes])
    except ValidationError as error:
        raise BadInput(f"{where}: {first_fault(error, key)}; run the campaign again") from error
    except BadInput as error:
        raise BadInput(f"{where}: key {key}.routes: {error}") from error
    return options


@cache
def _model() -> TypeAdapter[RunOptions]:
    from pydantic import TypeAdapter

    return TypeAdapter(RunOptions)
