"""The command line: arguments in, an exit code out. What a command does lives in the module that it calls."""

from __future__ import annotations

import datetime
import importlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer
from typer.core import TyperCommand, TyperGroup

from headrace import BUDGET, QUICK_BUDGET, __version__, places
from headrace.errors import EXIT_CODES, BadInput, HeadraceError
from headrace.names import unknown

# What takes time to load is imported where it is used: --version and completion answer at once.
if TYPE_CHECKING:
    from rich.console import Console

    from headrace import doctor, explain, results

# Commands that other modules hold: name -> module and what its help begins with.
ELSEWHERE = {
    "report": (
        "headrace.report.command",
        "Show campaigns: a table here, and a page, pictures, Markdown or CSV as files.",
    ),
    "explain": (
        "headrace.explain",
        "Say why each contender takes as long as it does: system calls, page faults, functions.",
    ),
    "bundle": (
        "headrace.bundle",
        "Make one file of a source and what it reaches of the library, or of a header of the library.",
    ),
    "compare": ("headrace.compare", "Compare two results files row by row: verdict, ratio and interval."),
    "selftest": (
        "headrace.selftest",
        "Try on this machine that the method raises no false alarms and sees a difference of 3 %.",
    ),
}


class _Commands(TyperGroup):
    """Loads the module of a command when that command is used; until then its name and one sentence do."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names in the order of the help."""
        return [*super().list_commands(ctx), *ELSEWHERE]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; one of another module as a placeholder."""
        if cmd_name in ELSEWHERE:
            return TyperCommand(cmd_name, help=ELSEWHERE[cmd_name][1])
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is used, whole."""
        if args and args[0] in ELSEWHERE:
            return args[0], _load(args[0]), args[1:]
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            raise BadInput(unknown("command", args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


def _load(name: str) -> click.Command:
    part = typer.Typer(add_completion=False)
    importlib.import_module(ELSEWHERE[name][0]).register(part)
    return typer.main.get_command(part)


app = typer.Typer(
    name="headrace",
    help="Race every way of doing C++ text I/O on your own machine.",
    epilog=f"Example: headrace run read_ints --quick. Exit codes: {EXIT_CODES}.",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"headrace {__version__}")
        raise typer.Exit


def _print_include(wanted: bool) -> None:
    if wanted:
        print(places.include_folder())
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    include_dir: Annotated[
        bool,
        typer.Option(
            "--include-dir",
            callback=_print_include,
            is_eager=True,
            help="Print the folder of the C++ headers, for -I.",
        ),
    ] = False,
) -> None:
    """Race every way of doing C++ text I/O on your own machine."""


def _complete(begun: str) -> list[str]:
    """Offer benchmark names to the shell."""
    return [name for name in places.benchmark_names() if name.startswith(begun)]


@app.command(epilog="Example: headrace run read_ints --toolchain g++ --opt O0,O2 --route file:null,pipe:null")
def run(
    benchmark: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names, or paths of folders as ./mine; all without any.", autocompletion=_complete
        ),
    ] = None,
    toolchain: Annotated[
        list[str] | None, typer.Option(help='A name, a part of one ("clang", "libc++"), a pattern, or "all".')
    ] = None,
    contender: Annotated[
        list[str] | None, typer.Option(help="Only these (and those they compare with).")
    ] = None,
    guest: Annotated[
        list[Path] | None,
        typer.Option(
            "--with", help="Race a program of your own, too: a C++ source, a script, an executable."
        ),
    ] = None,
    opt: Annotated[list[str] | None, typer.Option(help="Optimisation levels, as O0,O2.")] = None,
    route: Annotated[
        list[str] | None, typer.Option(help="Sources with sinks, as file:null,pipe:null.")
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Run exactly N rounds, without early stop.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=1, help=f"Bound of the measuring; {BUDGET:g} a benchmark unless --rounds is given."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help=f"A smaller input and few rounds: {QUICK_BUDGET:g} s a benchmark at most, and the building.",
        ),
    ] = False,
    timeout: Annotated[float | None, typer.Option(min=0.01, help="Seconds that one run may take.")] = None,
    out: Annotated[Path | None, typer.Option(help="Results file; results/<time>.json without it.")] = None,
    pin: Annotated[int | None, typer.Option(min=0, help="Run every program on this processor.")] = None,
    cold: Annotated[
        bool, typer.Option("--cold", help="Drop the input from the page cache before each run.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            exists=True, file_okay=False, writable=True, help="Where file sinks are; a RAM disk without it."
        ),
    ] = None,
    change: Annotated[list[str] | None, typer.Option("--set", help="Change the input, as rows=100.")] = None,
    sweep: Annotated[str | None, typer.Option(help="Run over sizes, as rows=1e2..1e4.")] = None,
    seed: Annotated[int, typer.Option(help="Of the order within rounds.")] = 1,
    why: Annotated[
        bool, typer.Option("--explain", help="Then count each build's system calls and say why it is slow.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build and race a benchmark's contenders, check every answer, and show and save the result."""
    from headrace import race, results
    from headrace.progress import Line

    place = _results_place(out)
    if guest and not benchmark:
        raise BadInput(
            f"which benchmark does {guest[0].name} answer? headrace run read_ints --with {guest[0]}"
        )
    explainer, obstacle = _explainer(why, bool(guest))
    wanted = race.Options(
        benchmarks=benchmark or places.benchmark_names(),
        toolchains=toolchain or [],
        contenders=contender or [],
        optimise=race.check_levels(opt or []),
        routes=race.check_routes(route or []),
        rounds=rounds,
        seconds=seconds,
        quick=quick,
        timeout=timeout,
        pin=pin,
        cold=cold,
        folder=folder,
        seed=seed,
        guests=guest or [],
        settings=race.check_settings(change or [], sweep),
        command=["headrace", *sys.argv[1:]],
        after=explainer,
    )
    with Line() as line:
        campaign = race.run(wanted, line.show)
    if explainer:
        warnings = [*campaign.warnings, *explainer.remarks]
        campaign = campaign.model_copy(update={"warnings": warnings})
    results.save(campaign, place)
    _show(campaign, place, as_json)
    if obstacle:
        print(f"headrace: no cause for your program: {obstacle}", file=sys.stderr)
    raise typer.Exit(race.exit_code(campaign))


def _explainer(wanted: bool, own: bool) -> tuple[explain.Explainer | None, str]:
    """Return what explains the rows, if anything does, and why a user's own program goes unexplained."""
    from headrace import explain

    if not wanted and not own:
        return None, ""
    explainer = explain.Explainer(only_own=not wanted)
    try:
        explainer.prepare()
    except HeadraceError as error:
        if wanted:
            raise
        return None, str(error)
    return explainer, ""


def _results_place(out: Path | None) -> Path:
    """Return where the results go. Raises BadInput now, not after minutes of measuring."""
    place = out or Path("results") / f"{datetime.datetime.now():%Y-%m-%d-%H%M%S}.json"
    if place.is_dir():
        raise BadInput(f"{place} is a folder; name a file with --out")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        probe = place.with_name(f".{place.name}.probe")
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise BadInput(
            f"cannot write results to {place}: {error.strerror}; choose another place with --out"
        ) from error
    return place


_FEW_PICTURES = 8  # are named; more are counted


def _show(campaign: results.Campaign, place: Path, as_json: bool) -> None:
    """Print the table and write the page and the pictures beside the results."""
    from rich.console import Console

    from headrace.report import page, plot, table

    if as_json:
        print(campaign.model_dump_json(indent=1))
    else:
        table.render(campaign, Console())
    page.render([campaign], place.with_suffix(".html"))
    pictures = plot.draw(campaign, place.parent, place.stem)
    if not as_json:
        print("\nWritten: " + ", ".join(str(path) for path in [place, place.with_suffix(".html")]))
        if len(pictures) > _FEW_PICTURES:
            print(f"and {len(pictures)} pictures, {place.with_suffix('')}-*.svg and .png")
        else:
            print("".join(f"         {path}\n" for path in pictures), end="")


@app.command("list", epilog="Example: headrace list read_ints")
def list_(
    benchmark: Annotated[
        list[str] | None,
        typer.Argument(help="Show all of these: input, answer, contenders.", autocompletion=_complete),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the benchmarks; of named ones the question, the input, the answer and the contenders."""
    from rich.console import Console

    from headrace import catalogue

    found = catalogue.find(benchmark or [])
    if as_json:
        infos = [one.info().model_dump(exclude={"sources"}) for one in found]
        print(json.dumps(infos, indent=1))
        return
    console = Console()
    if not benchmark:
        catalogue.overview(found, console)
        return
    for number, one in enumerate(found):
        console.print("\n" if number else "", end="")
        catalogue.show(one, console)


@app.command(epilog="Example: headrace new parse_dates && headrace run ./parse_dates --quick")
def new(
    name: Annotated[str, typer.Argument(help="Of the benchmark, and of its folder.")], as_json: Json = False
) -> None:
    """Make a folder with a benchmark that works, to start your own from."""
    from headrace import scaffold

    files = scaffold.create(Path(name))
    if as_json:
        print(json.dumps({"files": [str(file) for file in files]}))
        return
    for file in files:
        print(f"wrote {file}")
    path = Path(name)
    print(f"try it: headrace run {path if path.is_absolute() else f'./{path}'} --quick")


@app.command("doctor", epilog="Example: headrace doctor --json")
def doctor_(as_json: Json = False) -> None:
    """Show toolchains, processor, memory and load; what is missing and how to get it."""
    from rich.console import Console

    from headrace import doctor, race
    from headrace.progress import Line

    with Line() as line:
        found = doctor.diagnose(lambda what: line.show(race.Step("toolchains", what, 0, 0)))
    if as_json:
        print(found.model_dump_json(indent=1))
    else:
        _print_diagnosis(found, Console())
    if not found.toolchains:
        raise typer.Exit(3)


def _print_diagnosis(found: doctor.Diagnosis, console: Console) -> None:
    from rich.text import Text

    from headrace import doctor
    from headrace.report.text import plural, wrapped

    facts = found.machine
    console.print(
        Text(
            f"{facts.cpu}, {plural(facts.cores, 'processor')}, {facts.system}, Linux {facts.kernel}",
            style="bold",
        )
    )
    for line in wrapped(" ".join(facts.features), console.width):
        console.print(Text(line), soft_wrap=True)
    width = max((len(check.name) for check in found.checks), default=0)
    for check in found.checks:
        _print_check(check, width, console)
    for name, reason in found.absent.items():
        _print_check(
            doctor.Check(name="toolchain", state="missing", found=name, advice=reason), width, console
        )
    untried = f"Tried only when asked for (--toolchain NAME, or all): {', '.join(found.untried)}"
    for line in wrapped(untried, console.width) if found.untried else []:
        console.print(Text(line), soft_wrap=True)


def _print_check(check: doctor.Check, width: int, console: Console) -> None:
    """Print a mark, the name, and beside them what was found and what to do. Names stay whole."""
    from rich.text import Text

    from headrace.report.text import wrapped

    mark, style = {"good": ("yes", "green"), "missing": ("no", "yellow"), "disturbs": ("beware", "red")}[
        check.state
    ]
    start = Text.assemble((f"{mark:<8}", style), f"{check.name:<{width}}  ")
    names = check.found.split(", ")
    listed = names if all(" " not in name for name in names) else [check.found]
    said = [*(listed if check.found != "none" else []), check.advice]
    lines = [line for text in said for line in wrapped(text, console.width - len(start))]
    for line in lines or [""]:
        console.print(start + Text(line), soft_wrap=True)
        start = Text(" " * len(start))


def main() -> None:
    """Run the command line. Every error becomes one sentence on stderr and the exit code of its kind."""
    try:
        code = app(standalone_mode=False, prog_name="headrace")
    except HeadraceError as error:
        code = _complain(str(error), error.exit_code)
    except click.ClickException as error:
        code = _complain(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        code = _complain("interrupted before anything was measured", 130)
    except BrokenPipeError:  # a reader such as head has left
        sys.stderr.close()
        code = 0
    sys.exit(code if isinstance(code, int) else 0)


def _complain(sentence: str, code: int) -> int:
    print(f"headrace: {sentence}", file=sys.stderr)
    return code
