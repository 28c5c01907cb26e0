"""Make a release from the commit that is checked out: packages, single headers, SBOM, provenance, checksums.

Nothing of the working tree goes into it but what is committed, and nothing of this machine but the versions
of the tools, so two runs give the same bytes. `tools/release` calls this with the tools installed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from packages import TOP, Refused, version_in

SUMS = "SHA256SUMS"
CONFIG = "include/headrace/config.hpp"  # the version's home
TRUST = "docs/trust.md"  # what tools/suites found
WRITTEN: Mapping[str, tuple[str, int]] = {  # what cannot read it there -> how it says it, and how often
    CONFIG: (r"#define HEADRACE_ABI v(\d+_\d+_\d+)(?:_no_exceptions)?$", 2),
    "include/headrace/bench.hpp": (r"#define HEADRACE_BENCH_ABI v(\d+_\d+_\d+)(?:_no_exceptions)?$", 2),
    "MODULE.bazel": (r'^module\(name = "headrace", version = "([^"]+)"', 1),
}
HEADERS: Mapping[str, Sequence[str]] = {  # a file of the release -> what makes it
    "headrace.hpp": ("--library",),
    "headrace-no-floats.hpp": ("--library", "--without", "floats"),
    "headrace-contest.hpp": ("--library", "--no-comments", "--without", "copy,windows", "--kernels", "avx2"),
    "headrace-bench.hpp": ("--bench",),
}
ABOUT = {
    "headrace.hpp": "the library as one header",
    "headrace-no-floats.hpp": "the same without floating point",
    "headrace-contest.hpp": "for a judge on Linux: no comments, no copy(); the kernels are AVX2 and scalar",
    "headrace-bench.hpp": "bench.hpp as one header",
}


def main() -> int:
    """Make or verify; return 0, 1 where a verified release differs, 2 for what a person has to mend."""
    parser = argparse.ArgumentParser(prog="tools/release", description="Make a release, or verify one.")
    parser.add_argument("-o", "--out", type=Path, default=TOP / "dist", help="an empty folder, or a new one")
    parser.add_argument(
        "--draft", action="store_true", help="even if the version, the changes or the tree are not ready"
    )
    parser.add_argument("--verify", type=Path, metavar="FOLDER", help="make it again, and compare")
    parser.add_argument(
        "--environment",
        type=Path,
        metavar="PYTHON",
        help="describe the packages of this Python in the SBOM, instead of installing the wheel to see them",
    )
    given = parser.parse_args()
    try:
        if given.verify is not None:
            return verify(given.verify, given.environment)
        release(given.out, given.draft, given.environment)
    except Refused as reason:
        print(f"release: {reason}", file=sys.stderr)
        return 2
    except subprocess.CalledProcessError as error:
        print(f"release: {' '.join(map(str, error.cmd))}\n{error.stderr or ''}", file=sys.stderr)
        return 2
    return 0


def release(out: Path, is_draft: bool, environment: Path | None) -> None:
    """Make all files of a release in a folder. Raises Refused."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refused(f"{out} is there and not empty; remove it, or name another folder with -o")
    commit = run("git", "rev-parse", "HEAD", cwd=TOP).strip()
    changed = [line[3:] for line in run("git", "status", "--porcelain", cwd=TOP).splitlines()]
    with tempfile.TemporaryDirectory(prefix="headrace-release-") as folder:
        work = Path(folder)
        tree = export(commit, work)
        version = version_of(tree)
        unready = not_ready(tree, version)
        if changed:
            unready.append(f"not committed: {', '.join(changed[:3])}{' and others' * (len(changed) > 3)}")
        if unready and not is_draft:
            raise Refused(
                "\n  ".join(["this is not a release yet:", *unready, "--draft makes one all the same."])
            )
        made = work / "made"
        made.mkdir()
        # What depends on the hour, the language or the order of a set would differ the next time.
        stable = {
            "SOURCE_DATE_EPOCH": run("git", "show", "-s", "--format=%ct", commit, cwd=TOP).strip(),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "PYTHONHASHSEED": "0",
        }
        packages(tree, work, made, stable)
        headers(tree, made, stable)
        bill_of_materials(tree, work, made, version, stable, environment)
        (made / "PROVENANCE.md").write_text(provenance(commit, version, unready, made, tree), "utf-8")
        (made / SUMS).write_text(checksums(made), "utf-8")
        out.mkdir(parents=True, exist_ok=True)
        for file in sorted(made.iterdir()):
            shutil.copy(file, out)
    for line in unready:
        print(f"release: a draft: {line}", file=sys.stderr)
    for file in sorted(out.iterdir()):
        print(f"{file.stat().st_size:9}  {file.name}")


def verify(folder: Path, environment: Path | None) -> int:
    """Make a release again and say which files differ. Raises Refused."""
    if not (folder / SUMS).is_file():
        raise Refused(f"{folder} has no {SUMS}; name a folder that tools/release made")
    recorded = (folder / SUMS).read_text("utf-8")
    if recorded != checksums(folder):
        print(f"release: the files in {folder} are not those of its {SUMS}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="headrace-verify-") as again:
        release(Path(again), "A draft:" in (folder / "PROVENANCE.md").read_text("utf-8"), environment)
        fresh = (Path(again) / SUMS).read_text("utf-8")
    differing = sorted({line[66:] for line in {*recorded.splitlines()} ^ {*fresh.splitlines()}})
    print(f"differ: {', '.join(differing)}" if differing else f"all files are as in {folder / SUMS}")
    return 1 if differing else 0


def run(*words: str | Path, cwd: Path, **variables: str) -> str:
    """Run a program and return what it prints."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **variables},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def export(commit: str, work: Path) -> Path:
    """Write the files of a commit below a folder, and return where."""
    archive = work / "tree.tar"
    run("git", "archive", "--format=tar", "-o", archive, "--prefix=headrace/", commit, cwd=TOP)
    with tarfile.open(archive) as tar:
        tar.extractall(work, filter="data")
    return work / "headrace"


def version_of(tree: Path) -> str:
    """Return the version that config.hpp has, if all others have it, too. Raises Refused."""
    version = version_in((tree / CONFIG).read_text("utf-8"))
    for name, (pattern, count) in WRITTEN.items():
        there = re.findall(pattern, (tree / name).read_text("utf-8"), re.M)
        if [text.replace("_", ".") for text in there] != [version] * count:
            raise Refused(
                f"{CONFIG} has HEADRACE_VERSION for {version}, and {name} says "
                f"{' and '.join(there) or 'none'}; CONTRIBUTING.md lists what has the version"
            )
    return version


def not_ready(tree: Path, version: str) -> list[str]:
    """Return what a person has to do before this is a release."""
    missing = []
    changes = (tree / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## (.+)$", changes, re.M)
    if "Unreleased" in sections:
        missing.append("CHANGELOG.md has changes under Unreleased: give them a version")
    if version not in sections:
        missing.append(f"CHANGELOG.md has no section {version}")
    tags = run("git", "tag", "--points-at", "HEAD", cwd=TOP).split()
    if f"v{version}" not in tags:
        missing.append(f"this commit has no tag v{version}")
    tested = re.search(r"headrace's commit (\w+)", (tree / TRUST).read_text("utf-8"))
    same = ("git", "diff", "--quiet", tested[1] if tested else "", "HEAD", "--", "include")
    if subprocess.run(same, cwd=TOP, capture_output=True).returncode != 0:
        missing.append(f"the headers are not those of {TRUST}: run tools/suites as it says")
    return missing


def tests_of_others(tree: Path) -> str:
    """Return the first table of what tools/suites found. Raises Refused."""
    table = re.search(r"^\| suite \|.*\n(?:\|.*\n)+", (tree / TRUST).read_text("utf-8"), re.M)
    if table is None:
        raise Refused(f"{TRUST} has no table of suites; make it again by tools/suites")
    return table[0]


def packages(tree: Path, work: Path, made: Path, stable: Mapping[str, str]) -> None:
    """Make the sdist from the tree, and the wheel from the sdist: so the sdist is whole."""
    build = (sys.executable, "-m", "hatchling", "build")
    run(*build, "-t", "sdist", "-d", made, cwd=tree, **stable)
    (sdist,) = made.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        tar.extractall(work / "sdist", filter="data")
    run(*build, "-t", "wheel", "-d", made, cwd=work / "sdist" / sdist.name.removesuffix(".tar.gz"), **stable)


def headers(tree: Path, made: Path, stable: Mapping[str, str]) -> None:
    """Make the single headers by the tree's own `headrace bundle`."""
    for name, options in HEADERS.items():
        bundle = (sys.executable, "-m", "headrace", "bundle", *options)
        run(*bundle, "-o", made / name, cwd=tree, PYTHONPATH=str(tree / "lab"), **stable)


def bill_of_materials(
    tree: Path, work: Path, made: Path, version: str, stable: Mapping[str, str], environment: Path | None
) -> None:
    """Write which packages the wheel brings along, as CycloneDX; the headers bring none."""
    python = environment
    if python is None:
        folder = work / "environment"
        venv.create(folder, with_pip=False, symlinks=True)
        python = folder / "bin" / "python"
        install = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
        (wheel,) = made.glob("*.whl")
        run(*install, "--constraint", tree / ".ci/constraints.txt", wheel, cwd=work)
        # pyproject.toml describes headrace; pip would add where on this machine its wheel was.
        uninstall = (sys.executable, "-m", "pip", "--python", python, "uninstall", "--quiet", "--yes")
        run(*uninstall, "headrace", cwd=work)
    project = work / "pyproject.toml"  # the tool does not ask the build backend for the version
    text = (tree / "pyproject.toml").read_text("utf-8")
    project.write_text(re.sub("^dynamic = .*$", f'version = "{version}"', text, flags=re.M), "utf-8")
    options = ("--pyproject", project, "--mc-type", "library", "--output-reproducible")
    kind = ("--spec-version", "1.6", "--output-format", "JSON", "--validate")
    out = made / f"headrace-{version}.cdx.json"
    run(
        sys.executable,
        "-m",
        "cyclonedx_py",
        "environment",
        *options,
        *kind,
        "-o",
        out,
        python,
        cwd=work,
        **stable,
    )


def provenance(commit: str, version: str, unready: Sequence[str], made: Path, tree: Path) -> str:
    """Say from what, by what and how these files were made, and what tests of others found."""
    names = ("hatchling", "cyclonedx-bom", "cyclonedx-python-lib")
    tools = "\n".join(f"- {name} {importlib.metadata.version(name)}" for name in names)
    files = {
        f"headrace-{version}.tar.gz": "the source: library, lab, tests, documents",
        f"headrace-{version}-py3-none-any.whl": "the lab, with the headers and the benchmarks",
        **ABOUT,
        f"headrace-{version}.cdx.json": "what the wheel needs, in the versions of the tests (CycloneDX)",
    }
    rows = "\n".join(
        f"| `{name}` | {what} | {(made / name).stat().st_size:,} |" for name, what in files.items()
    )
    draft = f"\nA draft: {'; '.join(unready)}.\n" if unready else ""
    return f"""# How headrace {version} was made
{draft}
From commit `{commit}`, and nothing that is not in it, by `tools/release`. The digests are in `{SUMS}`.

| file | what it is | bytes |
|---|---|--:|
{rows}

To make it again, in a checkout of that commit: `tools/release --verify FOLDER`, where FOLDER has these files.
It makes all of them and compares their digests. They come out the same with the same tools:

- Python {platform.python_version()}, zlib {zlib.ZLIB_RUNTIME_VERSION}
{tools}

The wheel was built from the sdist. No header needs anything but a C++17 compiler and its standard library.

## Other people's tests

What each difference is, and at which commit the headers were asked: `{TRUST}` in the source.

{tests_of_others(tree)}"""


def checksums(folder: Path) -> str:
    """Return a line per file, as sha256sum reads them."""
    files = sorted(file for file in folder.iterdir() if file.name != SUMS)
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)


if __name__ == "__main__":
    sys.exit(main())
