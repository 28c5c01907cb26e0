#!/usr/bin/env python3
"""Run suites by others, found in the folders of HEADRACE_SUITES, and write one table of what they say.

Each folder that HEADRACE_SUITES names (a list as PATH is) counts, and each in it: git checkouts, or releases
of GCC and LLVM with their standard libraries. A suite in an unknown layout, without a version or with
changed files is named and skipped. The exit status is 1 where an answer is neither right nor explained by a
documented difference, 3 where no suite was found.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import drop_ins
import peers
import pollock
import streams
from cases import EXCEPTIONS, Suite, UnknownLayout, verdict
from layouts import LAYOUTS

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
NAMED = 8  # of missing files, at most


def built(name: str, folder: Path, *flags: str, program: str = "") -> Path:
    """Compile one of the programs beside this file."""
    result = folder / (program or name)
    words = [os.environ.get("CXX", "g++"), "-std=c++17", "-O2", "-pthread", f"-I{TOP / 'include'}", *flags]
    subprocess.run([*words, str(HERE / f"{name}.cpp"), "-o", str(result)], check=True)
    return result


def version_of(folder: Path) -> tuple[str, list[str]]:
    """Return commit and day of a checkout, or a release, and files that it lacks. Raises UnknownLayout."""
    release = streams.release_of(folder)
    if release and not (folder / ".git").exists():
        return release, []
    git = ["git", "-C", str(folder)]
    done = subprocess.run([*git, "log", "-1", "--format=%h, %cs"], capture_output=True, text=True)
    if done.returncode != 0 or not (folder / ".git").exists():
        raise UnknownLayout("its version is unknown: it is no git checkout")
    # In an index of its own: a checkout's may lack files, which would be neither missing nor changed.
    with tempfile.TemporaryDirectory(prefix="headrace-suites-") as name:
        of_commit = {**os.environ, "GIT_INDEX_FILE": f"{name}/index"}
        subprocess.run([*git, "read-tree", "HEAD"], env=of_commit, check=True)
        status = subprocess.run(
            [*git, "ls-files", "-m", "-d"], env=of_commit, capture_output=True, text=True, check=True
        )
    names = sorted(set(status.stdout.splitlines()))
    missing = [name for name in names if not (folder / name).exists()]
    changed = [name for name in names if (folder / name).exists()]
    if changed:
        raise UnknownLayout(f"its version is unknown: {changed[0]} differs from the commit")
    return done.stdout.strip(), missing


def found() -> tuple[list[Suite], dict[str, str]]:
    """Return the suites, and why folders were skipped."""
    suites, skipped = [], {}
    for entry in filter(None, os.environ.get("HEADRACE_SUITES", "").split(os.pathsep)):
        top = Path(entry).resolve()
        if not top.is_dir():
            sys.exit(
                f"suites: HEADRACE_SUITES names {entry}, which is not a folder; name folders of checkouts"
            )
        clones = [top] if (top / ".git").exists() else sorted(one for one in top.iterdir() if one.is_dir())
        for folder in clones:
            marks = [mark for mark in LAYOUTS if (folder / mark).exists()]
            if not marks:
                skipped[folder.name] = "unknown layout"
            for mark in marks:
                try:
                    version, missing = version_of(folder)
                    suite = LAYOUTS[mark](folder)
                except (UnknownLayout, OSError, ValueError, KeyError, IndexError, AttributeError) as error:
                    skipped[folder.name] = f"unknown layout or version: {error}"
                    continue
                suite.name, suite.version, suite.folder = suite.name + folder.name, version, folder
                suite.missing = [one for one in missing if Path(one).parts[0] == Path(mark).parts[0]]
                suites.append(suite)
    return suites, skipped


def answers(suite: Suite, kernels: list[str], folder: Path) -> dict[str, list[str]]:
    """Return the answers to all questions, by way; `folder` is for the programs that give them."""
    if suite.kind == "formats":
        return drop_ins.answer(suite, kernels, folder, built)
    if suite.kind == "prints":
        return drop_ins.print_all(suite, kernels, folder, built)
    if suite.kind == "streams":
        return streams.answer(suite, folder)
    program = folder / suite.kind
    if not program.exists():
        built(suite.kind, folder)
    if suite.kind == "numbers":
        ways = [("pure", ""), *((way, kernel) for way in ("single", "bulk") for kernel in kernels)]
        text = "".join("\t".join(case.question) + "\n" for case in suite.cases)
        return {
            f"{way} {kernel}".strip(): asked(program, [way], kernel, text).splitlines()
            for way, kernel in ways
        }
    ways = [*(("rows", kernel) for kernel in kernels), ("columns", "")]
    return {
        f"{way} {kernel}".strip(): [
            asked(program, [way, case.question[1], *case.question[2:], case.question[0]], kernel)
            for case in suite.cases
        ]
        for way, kernel in ways
    }


def asked(program: Path, words: list[str], kernel: str, text: str = "") -> str:
    """Run a program by a kernel; an error of the input, with its place, is "refused: " and the message."""
    environment = {**os.environ, **({"HEADRACE_SIMD": kernel} if kernel else {})}
    done = subprocess.run([program, *words], input=text.encode(), capture_output=True, env=environment)
    if done.returncode == 3 and f"{words[-1]}:" in done.stderr.decode():
        return f"refused: {done.stderr.decode()}"
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode("utf-8", "surrogateescape")


def judged(suite: Suite, by_way: dict[str, list[str]]) -> dict[str, object]:
    """Return a row of the table: a case is right where each way is."""
    counts: Counter[str] = Counter()
    wrong, excepted = [], []
    for number, case in enumerate(suite.cases):
        said = {way: got[number] if number < len(got) else "no answer" for way, got in by_way.items()}
        each = {way: verdict(case, answer) for way, answer in said.items()}
        worst = next((one for one in each.values() if one in ("different", "refused")), None)
        worst = worst or next((one for one in each.values() if one != "right"), "right")
        counts[worst] += 1
        if worst in EXCEPTIONS and suite.kind == "streams":  # few, and each by its name
            excepted.append(f"{case.place}: {worst}")
        counts["refused with a place"] += worst != "right" and any(
            one.startswith("refused: ") for one in said.values()
        )
        if worst in ("different", "refused"):
            wrong.append(f"{case.place}: expected {case.expected[:80]!r}, {next(iter(said.items()))!r:.200}")
    return {
        "suite": suite.name,
        "version": suite.version,
        "cases": len(suite.cases),
        "right": counts["right"],
        "refused with a place": counts["refused with a place"],
        "silently different": counts["different"],
        "not explained": counts["different"] + counts["refused"],
        "exceptions": {name: counts[name] for name in EXCEPTIONS if counts[name]},
        "excepted": excepted,
        "ways": list(by_way),
        "not asked": dict(suite.not_asked),
        "missing files": len(suite.missing),
        "missing": suite.missing[:NAMED],
        "wrong": wrong[:20],
    }


def page(result: dict[str, Any]) -> str:
    """Return docs/trust.md."""
    lines = [(HERE / "trust.md").read_text("utf-8").replace("COMMIT", str(result["headrace"]))]
    lines.append(
        "| suite | version | cases | right | different as documented | of these refused with a place "
        "| silently different | documented differences |"
    )
    lines.append("|---|---|--:|--:|--:|--:|--:|---|")
    used, notes, by_case = set(), [], []
    rows = result["suites"]
    for row in rows:
        by_name = row["exceptions"]
        used |= set(by_name)
        named = ", ".join(f"{name}: {count:,}" for name, count in by_name.items()) or "none"
        figures = [
            f"{row[key]:,}" for key in ("cases", "right", "refused with a place", "silently different")
        ]
        figures.insert(2, f"{sum(by_name.values()):,}")
        lines.append(f"| {row['suite']} | {row['version']} | {' | '.join(figures)} | {named} |")
        reasons = row["not asked"]
        notes += [f"- {row['suite']}: {count:,} not asked: {why}." for why, count in reasons.items() if count]
        named_cases = row["excepted"]
        by_case += [f"- {row['suite']}: {line}." for line in named_cases]
        if names := row["missing"]:
            more = row["missing files"] - len(names)
            these = ", ".join(names) + (f" and {more:,} others" if more else "")
            notes.append(f"- {row['suite']}: not there, of the commit's files: {these}.")
    skipped = result["skipped"]
    notes += [f"- {name}: skipped: {why}." for name, why in skipped.items()]
    lines += [
        "",
        "## Documented differences",
        "",
        *(f"- **{name}**: {EXCEPTIONS[name]}" for name in EXCEPTIONS if name in used),
        *(["", "The tests of standard libraries among them:", "", *by_case] if by_case else []),
    ]
    others = result["peers"]
    if others:
        lines += ["", *peers.page(others, rows)]
    scores = result["pollock"]
    if scores:
        lines += ["", *pollock.page(scores)]
    return "\n".join([*lines, "", "## Left out", "", *notes, ""])


def main() -> int:
    """Run all suites and write what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="write the table as JSON")
    parser.add_argument("--markdown", type=Path, help="write it as a page")
    parser.add_argument("--peers", action="store_true", help="ask the libraries that are found, too")
    given = parser.parse_args()
    suites, skipped = found()
    rows = []
    with tempfile.TemporaryDirectory(prefix="headrace-suites-") as name:
        kernels = asked(built("numbers", Path(name)), ["kernels"], "").split()
        for suite in suites:
            try:
                rows.append(judged(suite, answers(suite, kernels, Path(name))))
            except UnknownLayout as error:
                skipped[suite.name] = f"unknown layout: {error}"
                continue
            shown = {
                key: value
                for key, value in rows[-1].items()
                if key not in ("ways", "not asked", "wrong", "excepted", "missing")
            }
            print(*(f"{key}: {value};" for key, value in shown.items()), flush=True)
            for line in rows[-1]["wrong"]:  # type: ignore[attr-defined]
                print(f"  {line}", file=sys.stderr)
    for folder, why in skipped.items():
        print(f"{folder}: skipped: {why}", file=sys.stderr)
    commit = peers.checkout(TOP)
    result = {"headrace": commit, "suites": rows, "skipped": skipped}
    result["peers"] = peers.table(suites) if given.peers else []
    result["pollock"] = pollock.table(suites, commit) if given.peers else []
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    if given.markdown is not None:
        given.markdown.write_text(page(result), "utf-8")
    if not rows:
        return 3
    return 1 if any(row["not explained"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
