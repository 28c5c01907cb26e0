"""The command line: arguments in, an exit code out. It knows the commands by name; each is a module."""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated

import click
import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from headrace import __version__
from headrace.base import ctrl_c, places
from headrace.base.errors import EXIT_CODES, BadInput, HeadraceError, Interrupted
from headrace.base.names import unknown
from headrace.base.text import either, visible

# What takes time to load is imported by the command that is used: --version, --help and completion
# answer at once.
COMMANDS = {  # name, which is its module's, too: what its help begins with
    "run": "Build and race a benchmark's contenders, check every answer, and show and save the result.",
    "list": "List the benchmarks; for named ones, show the question, input, answer and contenders.",
    "new": "Make a folder with a working benchmark, to start your own from.",
    "doctor": "Show toolchains, processor, memory and load, and how to get what is missing.",
    "peers": "List the other libraries that contenders use: where, which version, and how to get the rest.",
    "report": "Show campaigns: a table here, and a page, pictures, Markdown or CSV as files.",
    "explain": "Say why each contender takes as long as it does: system calls, page faults, functions.",
    "fix": "Say why a program is slow, try what helps, and prove that its output stays the same.",
    "bundle": "Bundle a source with what it uses of the library into one file, or the library into a header.",
    "columns": "Write the C++ program that reads a file of columns, with the reason for each type.",
    "compare": (
        "Compare the ratios of two results files, or with --fail-if-slower run both again as a gate."
    ),
    "bisect": "Find the commit of a git repository that made a row slower, by racing commits against GOOD.",
    "history": "Keep an index of results files, and show what changed across dates, commits and compilers.",
    "export": "Pack a campaign with its sources and checksums into one file, for headrace rerun elsewhere.",
    "rerun": "Race the sources in an archive on this machine, and show both sides' ratios to the baseline.",
    "import": "Convert other harnesses' JSON to results files, for history, report and compare.",
    "fleet": "Let machines race for `headrace run --on`: start a fleet that has a key, or join one.",
    "selftest": "Check on this machine that the method raises no false alarms and finds a difference of 3 %.",
}


_GATE = "the command that headrace history show prints below each change"
MOVED = {  # commands and options of before, and what to use
    "schema": "headrace list --schema results, or benchmark",
    "worker": "headrace fleet join",
    "bisect --cpu": "headrace bisect --by cpu",
    **{f"{name} --output": f"headrace {name} --out" for name in ("columns", "export", "import", "report")},
    "compare --cpu": "headrace compare --by cpu",
    "explain --deep": "headrace run --count instructions --wide",
    "history show --confirm": _GATE,
    "history show --seconds": _GATE,
    "report --mean": "headrace report --wide",
    "run --fix": "headrace fix mine.cpp --input FILE",
}

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what writing standard output fails with
ADVICE = {
    errno.EACCES: "; it takes other permissions, or another place",
    errno.EPERM: "; it takes other permissions, or another place",
    errno.EROFS: "; name a place that can be written",
    errno.ENOSPC: "; free some room there, or name another place",
    errno.EDQUOT: "; free some room there, or name another place",
    errno.EMFILE: "; raise the limit with ulimit -n",
    errno.EAGAIN: "; end other programs, or raise the limit with ulimit -u",
    errno.ENOMEM: "; end other programs, or take a smaller input",
}


class _Commands(TyperGroup):
    """Loads the module of a command when that command is used; until then its name and one sentence do."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; one of another module as a placeholder."""
        if cmd_name in COMMANDS:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name])
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that is used; what ends it before it has a result becomes a sentence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted("interrupted before there was a result") from None
        except click.NoSuchOption as error:
            path = error.ctx.command_path if error.ctx else ""
            if (name := f"{path} {error.option_name}".removeprefix("headrace ")) in MOVED:
                raise BadInput(_moved(name)) from None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is used, whole."""
        if args and args[0] in COMMANDS:
            _check_names([_folder(), *args])
            command = _load(args[0])
            ctrl_c.interrupt()
            return args[0], command, args[1:]
        if args and args[0] in MOVED:
            raise BadInput(_moved(args[0]))
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            raise BadInput(unknown("command", args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


class _Parts(TyperGroup):
    """The commands below a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take what is typed. Raises BadInput where that is no command at all, or one that is not here."""
        names = self.list_commands(ctx)
        if not args and not ctx.resilient_parsing:
            raise BadInput(f"{ctx.command_path} needs a command after it: {either(names)}")
        if args and not args[0].startswith("-") and args[0] not in names:
            raise BadInput(unknown(f"command {ctx.info_name}", args[0], names))
        return super().parse_args(ctx, args)


def _moved(name: str) -> str:
    return f"headrace {name} has gone; use {MOVED[name]}"


def _folder() -> str:
    """Return the folder that this runs in. Raises BadInput where it is gone."""
    try:
        return os.getcwd()
    except OSError as error:
        raise BadInput(f"the current folder cannot be used ({error.strerror}); cd to one that can") from error


def _check_names(names: Sequence[str]) -> None:
    """Raise BadInput for a name of bytes that are no text: found out after a race, it would cost the race."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            shown = os.fsencode(name).decode("ascii", errors="backslashreplace")
            raise BadInput(
                f"{shown} is not text in {sys.getfilesystemencoding()}, so that no results file or page "
                "can name it; rename it"
            ) from None


def _load(name: str) -> click.Command:
    part = typer.Typer(add_completion=False, cls=_Parts)
    module = importlib.import_module(f"headrace.commands.{name}")
    if hasattr(module, "register"):  # of commands below it
        module.register(part)
    else:
        function = getattr(module, name, None) or getattr(module, f"{name}_")  # import_, as import is a word
        part.command(name, epilog=f"Example: {module.EXAMPLE}")(function)
    command = typer.main.get_command(part)
    _hide_missing_defaults(command)
    return command


def _hide_missing_defaults(command: click.Command) -> None:
    """Keep "[default: None]" out of the help, of a command and of those below it."""
    for parameter in command.params:
        if isinstance(parameter, TyperArgument | TyperOption) and parameter.default is None:
            is_said = isinstance(parameter.show_default, str) and not parameter.required
            parameter.show_default = parameter.show_default if is_said else False
    for part in command.commands.values() if isinstance(command, click.Group) else ():
        _hide_missing_defaults(part)


app = typer.Typer(
    name="headrace",
    help="Race every way of doing C++ text I/O on your own machine.",
    epilog=f"Example: headrace run read_ints --quick. Exit codes: {EXIT_CODES}.",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def main() -> None:
    """Run the command line. Every error becomes one sentence on stderr and the exit code of its kind."""
    signal.signal(signal.SIGTERM, _end)
    try:
        code = app(standalone_mode=False, prog_name="headrace")
        sys.stdout.flush()
    except HeadraceError as error:
        code = _complain(str(error), error.exit_code)
    except click.ClickException as error:
        code = _complain(error.format_message(), 2)
    except (KeyboardInterrupt, click.Abort):
        code = _complain("interrupted", 130)
    except BrokenPipeError:
        code = _without_reader()
    except SystemExit as left:  # what click and rich make of a broken pipe; they say 1, which is a regression
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        code = _without_reader()
    except OSError as error:
        code = _complain(_refused(error), 2)
        if not error.filename:
            _drop_output()
    ctrl_c.end_at_once()
    sys.exit(code if isinstance(code, int) else 0)


def _refused(error: OSError) -> str:
    """Say what the system refused, of what, and what to do about it."""
    said = error.strerror or str(error)
    advice = ADVICE.get(error.errno or 0, "")
    if error.filename:
        return f"{visible(os.fsdecode(error.filename))}: {said}{advice}"
    if error.errno in FULL:
        return f"cannot write what was asked for: {said}"
    return f"the system refused: {said}{advice}"


def _end(number: int, frame: object) -> None:
    """Let SIGTERM end the work as Ctrl-C does: it saves what there is and leaves nothing half done."""
    raise KeyboardInterrupt


def _without_reader() -> int:
    """Return what a shell says of a program that SIGPIPE ended: a reader such as head has left."""
    _drop_output()
    return 128 + signal.SIGPIPE


def _drop_output() -> None:
    """Let Python's own flush at the end succeed, where standard output takes no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str, code: int) -> int:
    print(f"headrace: {sentence}", file=sys.stderr)
    return code
