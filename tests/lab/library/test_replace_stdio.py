"""replace_stdio.hpp: each program of replace_stdio/ does the same with it and without, on every input."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

import native
from drop_in import STRICT, TOP, Way, compiled, differences, libraries, programs, sentence, together, ways
from headrace.matrix.compilers import Toolchain

PROGRAMS = programs(Path(__file__).with_name("replace_stdio"))
HEADER = "headrace/replace_stdio.hpp"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_programs_do_the_same(chains: list[Toolchain], tmp_path: Path) -> None:
    assert len(PROGRAMS) >= 40
    found = []
    for number, way in enumerate(ways(chains)):
        found += differences(PROGRAMS, HEADER, way, tmp_path / str(number))
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_compiled_library_does_the_same(chain: Toolchain, tmp_path: Path) -> None:
    library = tmp_path / "headrace.o"
    compiled(TOP / "src/headrace.cpp", library, chain, ["-DHEADRACE_COMPILED=1", "-c"], "-O1")
    flags = ["-DHEADRACE_COMPILED=1", str(library)]
    found = differences(PROGRAMS, HEADER, Way(chain, "-O0"), tmp_path / "compared", flags)
    assert not found, "\n".join(found)


INTEGERS = {
    "": "int",
    "l": "long",
    "ll": "long long",
    "h": "short",
    "hh": "signed char",
    "z": "std::ptrdiff_t",
}
VALUES = ["0", "7", "-7", "99", "-12345", "INT_MIN", "INT_MAX", "4096"]
DOUBLES = [
    "0.0",
    "-0.0",
    "1.0",
    "-2.5",
    "0.1",
    "1e-5",
    "123456.789",
    "1e15",
    "-1e21",
    "0.125",
    "INFINITY",
    "NAN",
]


def one_print(draw: random.Random) -> str:
    """Return a call of printf with up to four conversions."""
    text, values = "", []
    for _ in range(draw.randint(0, 4)):
        text += draw.choice(["", " ", "x", "%%", ", ", "\\n", 'a\\tb\\"', "\\x41\\102"])
        flags = "".join(draw.sample("-0+ #", draw.choice([0, 0, 0, 1, 2])))
        width = draw.choice(["", "", "1", "5", "12", "40"])
        precision = draw.choice(["", "", "", ".", ".0", ".1", ".3", ".17"])
        letter = draw.choice("dddiuxXocsssffeEgGGFap")
        length = draw.choice(list(INTEGERS)) if letter in "diuxXo" else ""
        text += f"%{flags}{width}{precision}{length}{letter}"
        if letter in "diuxXo":
            values.append(f"static_cast<{INTEGERS[length]}>({draw.choice(VALUES)})")
        elif letter == "c":
            values.append(draw.choice(["'c'", "65", "'\\n'"]))
        elif letter == "s":
            values.append(draw.choice(['"word"', '""', '"a longer text than that"', "text"]))
        elif letter == "p":
            values.append("static_cast<void*>(nullptr)")
        else:
            values.append(draw.choice([*DOUBLES, "1.5f"]))
    return (
        f"count += printf({', '.join([chr(34) + text + draw.choice(['', '|', '%%']) + chr(34), *values])});"
    )


def one_scan(draw: random.Random) -> str:
    """Return a call of scanf with up to three conversions, and what shows all that it stored."""
    text, targets = "", []
    for _ in range(draw.randint(1, 3)):
        text += draw.choice(["", " ", " ", ",", ":", " x", "  , "])
        star = draw.choice(["", "", "", "*"])
        width = draw.choice(["", "", "", "1", "3", "9"])
        letter = draw.choice(
            ["d", "d", "d", "u", "i", "x", "lf", "lf", "f", "s", "s", "c", "[a-z]", "[^,\\n]", "ld", "hd"]
        )
        width = width or ("39" if letter[0] in "s[" and not star else "")
        text += f"%{star}{'' if letter == 'c' else width}{letter}"
        target = {"d": "&i", "u": "&u", "i": "&i", "x": "&u", "lf": "&d", "f": "&f", "ld": "&l", "hd": "&h"}
        targets += [target.get(letter, "text" if letter != "c" else "&c")] if not star else []
    arguments = ", ".join([f'"{text}{draw.choice(["", "", " "])}"', *targets])
    show = 'printf(" %d %u %ld %d %g %g %d %s\\n", i, u, l, h, d, f, c, text);'
    return f'count += got = scanf({arguments}); printf("%d", got); {show} if (got <= 0) count += getchar();'


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_random_formats_do_the_same(chains: list[Toolchain], tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    calls = [one_print(draw) if draw.random() < 0.5 else one_scan(draw) for _ in range(120)]
    text = (
        "#include <climits>\n#include <cmath>\n#include <cstddef>\n#include <cstdio>\nint main() {\n"
        "  int i = 0, got, count = 0; unsigned u = 0; long l = 0; short h = 0; double d = 0; float f = 0;\n"
        '  char c = 0, text[50] = "none";\n  for (int round = 0; round < 5; ++round) {\n    '
        + "\n    ".join(calls)
        + '\n  }\n  printf("%d\\n", count);\n}\n'
    )
    usable = libraries(chains)
    way = Way(usable[seed % len(usable)], "-O0")
    found = differences({"mine": text}, HEADER, way, tmp_path / "compared")
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize(("standard", "level"), [("c++17", "-O2"), ("c++20", "-O0")])
def test_it_compiles_without_warnings(
    chains: list[Toolchain], tmp_path: Path, standard: str, level: str
) -> None:
    file = tmp_path / "together.cpp"
    file.write_text(together({name: PROGRAMS[name] for name in ("menu", "fields", "sets")}))
    words = ["-include", HEADER, f"-std={standard}", *STRICT, "-Wno-unused-result", "-c"]
    for chain in libraries(chains):
        compiled(file, tmp_path / "together.o", chain, words, level)


@pytest.mark.parametrize("order", [1, -1])
def test_both_drop_ins_are_one_sentence(chain: Toolchain, tmp_path: Path, order: int) -> None:
    lines = ["#include <headrace/replace_stdio.hpp>\n", "#include <headrace/replace_iostream.hpp>\n"][::order]
    said = sentence(chain, tmp_path, "".join(lines) + "int main() {}\n")
    assert "include either headrace/replace_stdio.hpp or headrace/replace_iostream.hpp" in said


def test_files_without_it_share_the_buffers(chain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / "with.cpp").write_text(
        f"#include <{HEADER}>\nvoid other();\nint main() {{ int n = 0; for (int i = 0; i < 3; ++i) {{\n"
        '  scanf("%d", &n); printf("%d,", n); other(); puts("."); } }\n'
    )
    (tmp_path / "without.cpp").write_text(
        "#include <cstdio>\n#include <iostream>\nvoid other() {\n"
        '  int n = 0; std::cin >> n; std::cout << n << ";"; scanf("%d", &n); printf("%d", n); }\n'
    )
    words = [*chain.command, "-std=c++17", "-w", *chain.flags, f"-I{TOP / 'include'}"]
    files = [tmp_path / "with.cpp", tmp_path / "without.cpp"]
    native.compiler(*words, *files, "-o", tmp_path / "both").check_returncode()
    done = subprocess.run([tmp_path / "both"], input=b"1 2 3 4 5 6 7 8 9", capture_output=True, timeout=20)
    assert done.stdout == b"1,2;3.\n4,5;6.\n7,8;9.\n"


HEADERS = sorted(
    [
        *(TOP / "include/headrace").glob("replace_*.hpp"),
        *(TOP / "include/headrace/replace").glob("*.hpp"),
    ]
)


@pytest.mark.slow
@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.stem)
def test_each_header_of_the_drop_ins_compiles_alone(
    chains: list[Toolchain], tmp_path: Path, header: Path
) -> None:
    file = tmp_path / "alone.cpp"
    file.write_text(f'#include "{header}"\nint main() {{}}\n')
    for one in libraries(chains):
        compiled(file, tmp_path / "alone", one, [*STRICT, "-fsyntax-only"])
