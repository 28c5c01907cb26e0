"""Every code block of the README and of docs/ is tried: compiled, run, parsed or looked up.

What a block is tried with is beside it, in Markdown that readers see or in a comment that they do not:

- `cpp` with a main is a program; without one it becomes the body of a main, after
  `using headrace::in, headrace::out;`. Text blocks after it are titled: "input" is its standard input,
  "output" what it must print, "error" a part of what it must say on stderr, and any other title is a file
  that it finds. Without any of them it is only compiled.
- `<!-- given: ... -->` before a fragment declares what the reader of the page can imagine.
- `<!-- needs: fmt -->` skips a block where {fmt} is missing.
- `<!-- follow: NAME -->` makes a block a step of a tutorial, which test_tutorials.py follows from an empty
  folder: it becomes the file NAME, or with the name `run` is run as it is.
- `sh`: each line is a make target that exists or a headrace command whose arguments it accepts; nothing else.
- `toml` is a piece of a benchmark.toml, `cmake` a project, or its way to the library, that
  builds beside a checkout called headrace, with the package installed.
- `text` without a title is a picture. No other language is known, so no block can go untried.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
import typer

import drop_in
import native
import synthetic
from conftest import BuiltOnce
from consumers import must
from headrace.base.errors import BadInput
from headrace.cli import app
from headrace.matrix import inputs, needs
from headrace.matrix.benchmarks import BenchmarkSpec, ContenderSpec
from headrace.matrix.compilers import Toolchain
from headrace.report.view import View
from pages import PAGES, Block, blocks

sys.path.insert(0, str(native.TOP / "tools"))
import api_reference
import contract_table
import figures

LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
PRELUDE = """\
#include <headrace/headrace.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
using headrace::in, headrace::out;
"""


EVERY = [block for page in PAGES for block in blocks(page)]
NATIVE = [block for block in EVERY if block.language == "cpp"]


def program(block: Block) -> str:
    """Make a translation unit whose compiler messages name the page and its lines."""
    place = f'#line {block.line} "{block.page.name}"\n'
    if re.search(r"^int main\(", block.text, re.MULTILINE) or "#include" in block.text:
        ending = "" if "main(" in block.text else "int main() {}\n"
        return place + block.text + ending
    return f"{PRELUDE}int main() {{\n{block.given}\n{place}{block.text}}}\n"


@dataclass(frozen=True)
class Compiled:
    folder: Path
    chain: Toolchain
    problems: dict[str, str]


@pytest.fixture(scope="module")
def compiled(chains: list[Toolchain], built_once: BuiltOnce) -> Compiled:
    """Compile all C++ at once, two at a time, with this machine's first compiler."""
    chain = native.one_of_each_family(chains)[0]

    def fill(folder: Path) -> None:
        library = native.library(chain, folder)

        def one(numbered: tuple[int, Block]) -> tuple[str, str]:
            number, block = numbered
            source = folder / f"{number}.cpp"
            source.write_text(program(block), "utf-8")
            if any(needs.missing(need, chain) for need in block.needs):
                return block.name, ""
            words = native.command(source, folder / str(number), chain, block.needs, library)
            words += [] if block.beside else ["-c", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
            done = native.compiler(*words)
            return block.name, done.stderr if done.returncode else ""

        with ThreadPoolExecutor(max_workers=2) as pool:
            problems = dict(pool.map(one, enumerate(NATIVE)))
        (folder / "problems.json").write_text(json.dumps(problems), "utf-8")

    folder = built_once("documents", fill)
    return Compiled(folder, chain, json.loads((folder / "problems.json").read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(NATIVE)), ids=[block.name for block in NATIVE])
def test_cpp(number: int, compiled: Compiled, tmp_path: Path) -> None:
    block = NATIVE[number]
    for need in block.needs:
        if reason := needs.missing(need, compiled.chain):
            pytest.skip(reason)
    assert compiled.problems[block.name] == ""
    if not block.beside:
        return
    for title in block.beside.keys() - {"input", "output", "error"}:
        (tmp_path / title).write_text(block.beside[title], "utf-8")
    done = native.run([compiled.folder / str(number)], block.beside.get("input", "").encode(), tmp_path)
    said = done.stderr.decode()
    if "output" in block.beside:
        assert done.stdout.decode() == block.beside["output"]
    if "error" in block.beside:
        assert block.beside["error"].strip() in said
        assert done.returncode != 0
    else:
        assert (done.returncode, said) == (0, "")


@pytest.mark.parametrize("block", EVERY, ids=[block.name for block in EVERY])
def test_language(block: Block) -> None:
    assert block.language in ("cpp", "sh", "toml", "cmake", "text"), "nobody tries a block of this language"
    assert not block.title or block.language == "text", "only text blocks have a title"


SH = [block for block in EVERY if block.language == "sh" and block.follow != "run"]


@pytest.mark.parametrize("block", SH, ids=[block.name for block in SH])
def test_sh(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    targets = re.findall(r"^([\w-]+):", (native.TOP / "Makefile").read_text("utf-8"), re.MULTILINE)
    monkeypatch.chdir(native.TOP)
    for line in block.text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= {*targets}, line
        elif Path(words[0]).name == "headrace":
            accept(words[1:])
        elif words[1:3] == ["python3", "tools/suites"]:  # tests/lab/project/test_suites.py runs it
            done = native.call(sys.executable, *words[2:], "--help")
            assert {word for word in words if word.startswith("--")} <= {*re.findall(r"--\w+", done.stdout)}
        else:
            pytest.fail(f"nobody tries: {line}")


def accept(words: list[str]) -> None:
    """Let the command line read the words, all but doing it."""
    group = typer.main.get_command(app)
    assert isinstance(group, click.Group)
    with group.make_context("headrace", list(words), resilient_parsing=words[0].startswith("-")) as context:
        if words[0].startswith("-"):
            return
        name, command, rest = group.resolve_command(context, [*context.protected_args, *context.args])
        assert command is not None, words
        with command.make_context(name, rest, parent=context):
            pass


@pytest.mark.parametrize(
    "block", [b for b in EVERY if b.language == "toml"], ids=[b.name for b in EVERY if b.language == "toml"]
)
def test_toml(block: Block) -> None:
    read = tomllib.loads(block.text)
    if read.keys() == {"input"}:
        inputs.check(read["input"], block.name)
        return
    if read.keys() != {"contender"}:  # a whole file
        BenchmarkSpec.model_validate(read)
        return
    for contender in read["contender"]:
        ContenderSpec.model_validate(contender)


CMAKE = [block for block in EVERY if block.language == "cmake"]


def cmake(*words: str | Path) -> None:
    must("cmake", *words, DESTDIR="")


@pytest.fixture(scope="module")
def installed(built_once: BuiltOnce) -> Path:
    """Return the prefix where this checkout is installed."""

    def fill(folder: Path) -> None:
        cmake("-S", native.TOP, "-B", folder / "library", "-DHEADRACE_BUILD_TESTS=OFF")
        cmake("--build", folder / "library")
        cmake("--install", folder / "library", "--prefix", folder / "prefix")

    return built_once("documents-installed", fill) / "prefix"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on this machine")
@pytest.mark.parametrize("block", CMAKE, ids=[block.name for block in CMAKE])
def test_cmake(block: Block, installed: Path, tmp_path: Path) -> None:
    (tmp_path / "headrace").symlink_to(native.TOP)
    project = "cmake_minimum_required(VERSION 3.16)\nproject(mine LANGUAGES CXX)\n"
    program = "add_executable(mine main.cpp)\ntarget_link_libraries(mine PRIVATE headrace::headrace)\n"
    whole = block.text if "project(" in block.text else project + block.text + program
    (tmp_path / "CMakeLists.txt").write_text(whole, "utf-8")
    (tmp_path / "main.cpp").write_text(
        "#include <headrace/headrace.hpp>\nint main() { headrace::out << 1; }\n", "utf-8"
    )
    cmake("-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={installed}")
    cmake("--build", tmp_path / "build")


LINKED = [*PAGES, native.TOP / "CHANGELOG.md", native.TOP / "SECURITY.md"]


@pytest.mark.parametrize("page", LINKED, ids=[str(page.relative_to(native.TOP)) for page in LINKED])
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name files that are there, or pages that the site is built with, and their headings."""
    made = {native.TOP / "docs" / "reference" / name for name in api_reference.pages()}
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link, image in LINK.findall(text):
        target, _, heading = (link or image).partition("#")
        if "://" in target:
            continue
        path = Path(os.path.normpath(page.parent / target)) if target else page
        assert path.exists() or path in made, f"{page.name} links to {target}, which is not there"
        if heading and path.suffix == ".md" and path not in made:
            assert heading in headings(path), f"{page.name} links to {target}#{heading}, which is no heading"


def headings(page: Path) -> set[str]:
    """Return the names by which links reach a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    words = (re.sub(r"[^\w -]", "", title.lower()) for title in re.findall(r"^#+ (.+)$", text, re.M))
    return {title.strip().replace(" ", "-") for title in words}


def test_every_page_is_in_the_navigation() -> None:
    listed = (native.TOP / "mkdocs.yml").read_text("utf-8")
    docs = native.TOP / "docs"
    for page in [path.relative_to(docs).as_posix() for path in docs.rglob("*.md")]:
        assert f": {page}\n" in listed, f"mkdocs.yml does not list docs/{page}"
    for name in api_reference.pages():
        assert f": reference/{name}\n" in listed, f"mkdocs.yml does not list reference/{name}"


# ---- what is made ----


def test_what_holds_whom_names_tests_that_are_there() -> None:
    known = {
        name
        for file in (native.TOP / "tests" / "lab").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    page = (native.TOP / "docs" / "security.md").read_text("utf-8")
    named = re.findall(r"`(test_\w+)`", page)
    assert named and not set(named) - known
    rows = [row for row in re.findall(r"(?<=--\|\n)(?:\|.*\n)+", page) for row in row.splitlines()]
    assert len(rows) > 30
    assert [row for row in rows if "`test_" not in row and "nothing holds it" not in row] == []


def test_drop_ins_are_said_to_be_tried_by_as_many_programs_as_they_are() -> None:
    folders = [path for path in (native.TOP / "tests/lab/library").glob("replace*") if path.is_dir()]
    programs = [name for folder in folders for name in drop_in.programs(folder)]
    page = (native.TOP / "docs" / "start" / "drop-in.md").read_text("utf-8")
    assert f"the tests run {len(programs)} programs on {len(drop_in.INPUTS)} inputs each" in page


def test_reference_holds_the_contracts() -> None:
    pages = api_reference.pages()
    assert "On an error the target keeps its value" in pages["reader.md"]
    assert "bool try_read(T&& value);" in pages["reader.md"]
    for name, text in pages.items():
        for hidden in (
            "namespace detail",
            "inline namespace",
            "detail::",
            "private:",
            "HEADRACE_ABI",
            "HEADRACE_INLINE",
        ):
            assert hidden not in text, f"{name} shows {hidden}"
        declares = not name.startswith(("index", "replace_"))  # these have names that a program already uses
        assert ("\n### `" in text) == declares, name
        code = "".join(re.findall(r"```cpp\n(.*?)```", text, re.DOTALL))
        assert code.count("{") == code.count("}"), f"{name}: a body was cut in the wrong place"


def test_reference_refuses_a_header_without_a_contract() -> None:
    with pytest.raises(api_reference.UnreadableHeader, match="nothing.hpp does not open with a comment"):
        api_reference.page("nothing", "#pragma once\n")


def test_reference_cuts_bodies_and_private_members() -> None:
    header = (
        "// headrace/small.hpp: a small one. It says more.\n#pragma once\n\nnamespace headrace {\n\n"
        "namespace detail {\nint hidden() {\n  return 1;\n}\n}  // namespace detail\n\n"
        "// Holds a number.\nclass box {\n public:\n  explicit box(int n) noexcept : n_(n) {}\n"
        "  // The number { of it.\n  int get() const { return n_ > 0 ? n_ : [] { return 0; }(); }\n\n"
        " private:\n  int n_ = 0;\n};\n\n// ----------------------------------------\n\nint below();\n}\n"
    )
    made = api_reference.page("small", header)
    assert made.startswith("# small.hpp\n\n`#include <headrace/small.hpp>`\n\nA small one. It says more.\n")
    assert "### `box`\n\nHolds a number.\n" in made
    assert "  explicit box(int n) noexcept;\n  // The number { of it.\n  int get() const;\n};" in made
    assert "hidden" not in made and "below" not in made and "n_" not in made


def test_reference_shows_what_users_can_name() -> None:
    header = (
        "// headrace/small.hpp: a small one.\n#pragma once\n\nnamespace headrace {\n"
        "inline namespace HEADRACE_ABI {\n\n"
        "class fault : public detail::error_base {\n public:\n  fault(int code);\n"
        "  // From pieces.\n  fault(detail::message&& text);\n"
        '  [[deprecated("renamed to get")]] int got() const;\n};\n\n'
        "template <class Int, std::enable_if_t<detail::is_integer<Int>, int> = 0>\nInt twice(Int value);\n\n"
        "// The only one.\n[[maybe_unused]] inline fault& last = detail::storage.value;\n\n"
        '}  // namespace HEADRACE_ABI\n}  // namespace headrace\n\n#include "detail/small_impl.hpp"\n'
    )
    made = api_reference.page("small", header)
    assert "class fault : public std::system_error {\n public:\n  fault(int code);\n" in made
    assert '[[deprecated("renamed to get")]] int got() const;\n};' in made
    assert "template <class Int>\nInt twice(Int value);" in made
    assert "### `last`\n\nThe only one.\n\n```cpp\nextern fault& last;\n```" in made
    assert not re.search('detail|HEADRACE_ABI|pieces|#include "', made)


def test_contract_table_shows_every_case() -> None:
    text = contract_table.CASES.read_text("utf-8")
    made = contract_table.tables(text)
    cases = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert sum(line.startswith("| ") and "case |" not in line for line in made.splitlines()) == len(cases)
    assert "| i22 | <code>255&nbsp;256</code> | <code>255</code>, then **out of range** at 1:5 |" in made


@pytest.mark.parametrize("row", ["x1\ti32\t1", "x1\ti31\t1\t1 $", "x1\ti32\t1\t1", "x1\ti32\t1\t!odd@1:1"])
def test_contract_table_refuses_a_bad_row(row: str) -> None:
    with pytest.raises(contract_table.UnreadableCase, match=r"torture.tsv:1: "):
        contract_table.tables(row + "\n")


def test_figures_are_those_of_the_stored_campaign() -> None:
    """Nobody typed a figure: the page, the README's table and the picture come out again as they are."""
    campaign = figures.load(figures.STORED)
    advice = "run python tools/figures.py: it makes them again from docs/data/figures.json.gz"
    read = figures.README.read_text("utf-8")
    assert figures.readme(read, View(campaign)) == read, advice
    made = figures.advice.text([View(campaign)])
    made += figures.newest([figures.load(file) for file in figures.stored_newest()])
    assert made == figures.PAGE.read_text("utf-8"), advice
    assert figures.picture(View(campaign)) == figures.PICTURE.read_text("utf-8"), advice
    assert figures.PICTURE.stat().st_size < 200_000
    assert figures.described(campaign) == campaign, f"a benchmark.toml has other words now; {advice}"


def test_what_newer_compilers_change_is_a_table_for_each_ranking() -> None:
    campaign = figures.load(figures.STORED)
    made = figures.newest([campaign])
    chains = " | ".join(sorted(chain.name.rpartition("/")[0] for chain in campaign.toolchains))
    assert made.count(f"| way | {chains} |") == made.count("### ") == len(View(campaign).groups)
    assert re.search(r"^\| `naive_cin_cout` \| \d+ ns \| [\d.]+ ns \|$", made, re.M), made
    assert figures.newest([]) == ""


def test_what_is_said_of_newer_releases_is_what_their_table_shows() -> None:
    """A row of the table has what is said of it; and what changed by half is said."""
    units = {"ns": 1, "µs": 1000}
    made = figures.newest([figures.load(file) for file in figures.stored_newest()])
    said = re.findall(
        r"(`[^`]+`) (is|takes) ([\d.]+) times as \w+ with (\S+) as with ([^\s;]+)", made.replace(".\n", "\n")
    )
    table: dict[tuple[str, str], float] = {}
    for part in made.split("### ")[1:]:
        head, _, *rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("|")]
        for row in rows:
            for chain, cell in zip(head[1:], row[1:], strict=False):
                if cell.strip():
                    table[row[0], chain] = float(cell.split()[0]) * units[cell.split()[1]]
    for way, verb, factor, newer, older in said:
        ratio = table[way, newer] / table[way, older]
        assert float(factor) == pytest.approx(ratio if verb == "takes" else 1 / ratio, rel=0.02), (way, newer)
    assert {way for way, *_ in said} >= {"`std_print MODE=full`"}


def test_campaigns_with_newer_compilers_are_stored_by_their_benchmarks_and_replace_older_ones(
    tmp_path: Path,
) -> None:
    campaign = synthetic.a_campaign([], benchmarks=[synthetic.an_info("read_ints", "naive")])
    for old in ("newest-1.json.gz", "newest-read_ints.json.gz", "figures.json.gz"):
        (tmp_path / old).write_bytes(b"")
    figures.store_newest([campaign], tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {"newest-read_ints.json.gz", "figures.json.gz"}
    assert figures.load(tmp_path / "newest-read_ints.json.gz").benchmarks[0].name == "read_ints"
    with pytest.raises(BadInput, match="two results files .* are of the same benchmark"):
        figures.store_newest([campaign, campaign], tmp_path)


def test_a_toolchain_without_a_release_is_no_newer_one() -> None:
    chains = [f"{name}/libstdc++/x86_64-linux" for name in ("g++", "g++-12", "g++-16")]
    (said,) = figures._changes("way", dict(zip([*chains, "cargo-1.91.1"], (9.0, 2.0, 1.0, 9.0), strict=True)))
    assert re.fullmatch(r"`way` is 2\S* times as fast with g\+\+-16\S* as with g\+\+-12\S*", said), said


def test_figures_take_words_from_the_benchmarks_and_leave_what_was_measured() -> None:
    campaign = figures.load(figures.STORED)
    info = campaign.benchmarks[0]
    old = info.model_copy(
        update={
            "title": "old",
            "question": "old",
            "contenders": {**dict.fromkeys(info.contenders, "old"), "gone": "kept"},
            "findings": [one.model_copy(update={"says": "old"}) for one in info.findings],
        }
    )
    gone = info.model_copy(update={"name": "gone", "title": "kept"})
    made = figures.described(campaign.model_copy(update={"benchmarks": [old, gone]}))
    words = {**info.contenders, "gone": "kept"}
    assert made.benchmarks == [info.model_copy(update={"contenders": words}), gone]
    assert made.rows == campaign.rows


def test_figures_need_the_markers_and_the_race() -> None:
    campaign = figures.load(figures.STORED)
    with pytest.raises(SystemExit, match=r"README.md has no <!-- figures: begin -->"):
        figures.readme("# A page without them\n", View(campaign))
    with pytest.raises(SystemExit, match="has no read_ints; run it with that benchmark"):
        figures.picture(View(campaign.model_copy(update={"rows": []})))


def test_stored_campaign_names_no_place_of_a_machine(tmp_path: Path) -> None:
    campaign = figures.load(figures.STORED)
    environment = {"HEADRACE_PEERS": "/home/me/peers", "LANG": "C.UTF-8"}
    run = campaign.run.model_copy(update={"environment": environment, "asked": {"folder": "/home/me/mine"}})
    kept = tmp_path / "figures.json.gz"
    kept.write_bytes(figures.stored(campaign.model_copy(update={"run": run})))
    again = figures.load(kept)
    assert again.run.environment == {"LANG": "C.UTF-8"}
    for text in (campaign.model_dump_json(), again.model_dump_json()):
        assert not re.search(r"\"/(home|root|tmp|work|usr)/", text)
    assert (
        "--out" not in figures.README.read_text("utf-8").partition(figures.BEGIN)[2].partition(figures.END)[0]
    )
