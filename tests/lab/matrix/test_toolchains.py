"""Toolchains: what is found, and what is not taken for one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from headrace.base.errors import BadInput, NothingToDo
from headrace.matrix import compilers, toolchains
from headrace.matrix.compilers import Toolchain


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An otherwise empty PATH, without zig and without what earlier tests learned."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compilers, "FINDERS", [compilers._on_path, compilers._cross_compilers])
    return tmp_path


def script(file: Path, text: str) -> None:
    file.write_text(f"#!{shutil.which('sh', path='/usr/bin:/bin')}\n{text}\n")
    file.chmod(0o755)


def test_each_toolchain_here_is_whole(chains: list[Toolchain]) -> None:
    assert chains
    assert len({one.name for one in chains}) == len(chains)
    for one in chains:
        compiler, library, target = one.name.split("/")
        assert library in ("libstdc++", "libc++") and target == one.target
        assert compiler.rpartition("-")[2] == one.version.split(".")[0]
        assert not one.optional


def test_no_compiler_says_what_to_install(path: Path) -> None:
    with pytest.raises(
        NothingToDo, match="no C\\+\\+ compiler was found on PATH: install one .*apt install g\\+\\+"
    ):
        toolchains.find()


def test_links_to_one_compiler_count_once(path: Path, chains: list[Toolchain]) -> None:
    real = Path(chains[0].command[0])
    for name in ("g++", "g++-99", "clang++"):
        (path / name).symlink_to(real)
    assert compilers._compilers_on_path() == [path / "g++-99"]


def test_a_link_to_ccache_is_no_compiler(path: Path) -> None:
    script(path / "ccache", "exit 0")
    (path / "g++").symlink_to(path / "ccache")
    assert compilers._compilers_on_path() == []


@pytest.mark.parametrize("text", ["exit 1", "echo hello", "echo '#define __x86_64__ 1'"])
def test_what_does_not_answer_as_a_compiler_is_none(path: Path, text: str) -> None:
    script(path / "g++", text)
    with pytest.raises(NothingToDo):
        toolchains.find()


def test_a_compiler_that_cannot_link_says_why(path: Path) -> None:
    macros = (
        "#define __GNUC__ 12\n#define __GNUC_MINOR__ 2\n#define __GNUC_PATCHLEVEL__ 0\n#define __linux__ 1"
    )
    answer = f"case \"$*\" in *-dM*) echo '{macros}';; *) echo 'ld: cannot find -lstdc++' >&2; exit 1;; esac"
    script(path / "g++", answer)
    with pytest.raises(NothingToDo, match=r"g\+\+-12/libstdc\+\+/.*: ld: cannot find -lstdc\+\+"):
        toolchains.find()


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("all", True),
        ("g++", True),
        ("g++-12", True),
        ("g++-1", True),
        ("libstdc++", True),
        ("x86_64-linux", True),
        ("*/libstdc++/*", True),
        ("clang++", False),
        ("libc++", False),
        ("*musl", False),
    ],
)
def test_patterns(pattern: str, fits: bool) -> None:
    assert toolchains.matches("g++-12/libstdc++/x86_64-linux", pattern) is fits


def test_an_optional_target_is_only_taken_when_named() -> None:
    plain = Toolchain("g++-12/libstdc++/x86_64-linux", [], "gcc", "12.2.0", "libstdc++", "x86_64-linux")
    small = Toolchain(
        "g++-12/libstdc++/x86-linux", [], "gcc", "12.2.0", "libstdc++", "x86-linux", optional=True
    )
    wanted = {
        pattern: [one.target for one in (plain, small) if toolchains._is_wanted(one, [pattern])]
        for pattern in ("g++-12", "x86-linux", "all", "*/x86-linux", small.name)
    }
    assert wanted == {
        "g++-12": ["x86_64-linux"],
        "x86-linux": ["x86-linux"],
        "all": ["x86_64-linux", "x86-linux"],
        "*/x86-linux": ["x86-linux"],
        small.name: ["x86-linux"],
    }


def test_an_unknown_name_gets_the_nearest(chains: list[Toolchain]) -> None:
    name = chains[0].name.split("/")[0]
    with pytest.raises(BadInput, match="did you mean") as caught:
        toolchains.find([name[:-1] + "x" + name[-1]])
    sentence, *lines = str(caught.value).splitlines()
    assert name in sentence
    assert {one.name for one in chains} <= {line.strip() for line in lines}


def test_a_name_like_no_other_gets_the_list(chains: list[Toolchain]) -> None:
    with pytest.raises(BadInput, match="there is no toolchain qqq. These are here") as caught:
        toolchains.find(["qqq"])
    assert {one.name for one in chains} <= {line.strip() for line in str(caught.value).splitlines()}


def test_the_first_error_is_found_and_has_no_folders() -> None:
    text = (
        "In file included from a.cpp:1:\n/usr/include/x/y.hpp:3:4: error: no \u2018z\u2019 here\nnote: more"
    )
    assert toolchains.first_error(text) == "y.hpp:3:4: error: no \u2018z\u2019 here"
    assert toolchains.first_error("a.o: undefined reference to `f()'") == "a.o: undefined reference to `f()'"
    full = (
        "/usr/bin/ld: final link failed: No space left on device\ncollect2: error: ld returned 1 exit status"
    )
    assert toolchains.first_error(full) == "ld: final link failed: No space left on device"
    assert toolchains.first_error("\n") == ""


def test_a_changed_compiler_is_asked_again(path: Path) -> None:
    script(path / "g++", "exit 0")
    questions: list[int] = []

    def ask() -> dict[str, str]:
        questions.append(1)
        return {"answer": "yes"}

    for _ in range(2):
        compilers.remembered(["q"], [path / "g++"], ask)
    assert len(questions) == 1
    os.utime(path / "g++", ns=(1, 1))
    compilers.remembered(["q"], [path / "g++"], ask)
    assert len(questions) == 2


def test_a_refusal_is_not_remembered(path: Path) -> None:
    script(path / "g++", "exit 0")
    for answer in ({"reason": "no library"}, {"library": "now"}):
        assert compilers.remembered(["q"], [path / "g++"], lambda answer=answer: answer) == answer


def test_a_script_named_by_its_path_is_not_run_to_learn_its_version(path: Path) -> None:
    script(path / "build.sh", f"echo 1.2.3 >> {path}/ran; echo 1.2.3")
    own, found = (compilers.of_line(f"{tool} {{program}}") for tool in (path / "build.sh", "build.sh"))
    assert (own.name, own.version, own.missing, own.command) == ("build.sh", "", "", found.command)
    assert found.name == "build.sh-1.2.3" and (path / "ran").read_text() == "1.2.3\n"
