"""Rows of the library against Python's csv module, strict, on random files that are made to hurt."""

from __future__ import annotations

import csv
import io
import os
import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

import native

# Each file: how many fields are asked for, what each read gives at most, the size, the text. The answer: each
# row, and at the end the error or nothing, as fields that are preceded by their size.
PROGRAM = r"""
#include <headrace/columns.hpp>

#include <cstring>
#include <string>
#include <tuple>

struct in_parts {
  std::string_view left;
  std::size_t most;
  long read(char* to, std::size_t size) {
    if (size > most) size = most;
    if (size > left.size()) size = left.size();
    std::memcpy(to, left.data(), size);
    left.remove_prefix(size);
    return static_cast<long>(size);
  }
};

void put(std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  headrace::out.write({reinterpret_cast<const char*>(&size), 4});
  headrace::out.write(text);
}

template <class... T>
void answer(in_parts source) {
  headrace::reader from = headrace::reader::from(source);
  const std::string fields(1, static_cast<char>(sizeof...(T)));
  try {
    for (const auto& row : from.rows<T...>(headrace::csv)) {
      headrace::out.write(fields);
      std::apply([](const auto&... field) { (put(field), ...); }, row);
    }
    headrace::out.write({"\0\0\0\0\0", 5});
  } catch (const headrace::input_error& error) {
    headrace::out.write({"\0", 1});
    put(error.what());
  }
}

int main() {
  using text = std::string;
  std::string file;
  for (char width[9]; ;) {
    std::string_view head = headrace::in.buffered();
    while (head.size() < 9 && headrace::in.fetch_more()) head = headrace::in.buffered();
    if (head.empty()) return 0;
    std::memcpy(width, head.data(), 9);
    headrace::in.consume(9);
    std::uint32_t most, size;
    std::memcpy(&most, width + 1, 4);
    std::memcpy(&size, width + 5, 4);
    for (file.clear(); file.size() < size;) {
      head = headrace::in.buffered();
      if (head.empty() && headrace::in.fetch_more()) continue;
      head = head.substr(0, size - file.size());
      file += head;
      headrace::in.consume(head.size());
    }
    const in_parts source{file, most};
    if (width[0] == 1) answer<text>(source);
    if (width[0] == 2) answer<text, text>(source);
    if (width[0] == 3) answer<text, text, text>(source);
  }
}
"""

FILES = int(os.environ.get("HEADRACE_CSV_FILES", "3000"))  # 100,000 take four minutes
ALPHABETS = (',"\n', ',"\r\n', ',,\n"x', 'a,b\n"""', ",\r\nxy", ',"\n\0é', '"', ",\n")


def a_file(source: random.Random) -> str:
    """Return text that is nearly a table: fields of every kind, and bytes that do not belong."""
    alphabet = source.choice(ALPHABETS)
    if source.random() < 0.4:
        return "".join(source.choice(alphabet) for _ in range(source.randrange(40)))
    width, rows = source.randrange(1, 4), source.choice((2, 10, 40, 1000 if source.random() < 0.1 else 3))
    lines = []
    for _ in range(rows):
        fields = []
        for _ in range(width):
            text = "".join(source.choice(alphabet) for _ in range(source.randrange(6)))
            needs_quotes = any(byte in text for byte in '",\r\n') or source.random() < 0.2
            fields.append('"' + text.replace('"', '""') + '"' if needs_quotes else text)
        lines.append(",".join(fields) + source.choice(("\n", "\n", "\r\n")))
    text = "".join(lines)
    if source.random() < 0.3:
        at = source.randrange(len(text) + 1)
        text = text[:at] + source.choice((*alphabet, "")) + text[at + source.randrange(2) :]
    return text.rstrip("\r\n") if source.random() < 0.2 else text


class Rows:
    """The rows that Python finds, and what ends them: an error, or nothing."""

    def __init__(self, text: str) -> None:
        """Read `text` until it ends or is wrong."""
        self.rows: list[list[str]] = []
        self.error = ""
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        try:
            for row in reader:
                self.rows.append(row)
        except csv.Error as error:
            self.error = str(error)


def check(text: str, width: int, rows: list[list[str]], error: str) -> None:
    """Compare, but for what the contract says otherwise.

    An empty line is no row. A quote or a lone carriage return in a field without quotes is an error, which to
    Python is a quote and the end of a row.
    """
    python = Rows(text)
    expected = [row for row in python.rows if row]
    context = f"{text!r} as {width} fields: {error}"
    if "outside quotes that no newline follows" in error:
        assert "\r" in text and rows == expected[: len(rows)], context
    elif "inside a field that is not in quotes" in error:
        assert rows == expected[: len(rows)], context
        if len(expected) > len(rows):
            assert any('"' in field for field in expected[len(rows)]), context
        else:
            assert python.error and '"' in text, context
    elif "never closed" in error or "after the closing quote" in error:
        assert python.error and rows == expected, context
    elif error:
        assert f"expected {width} field" in error, context
        assert rows == expected[: len(rows)] and len(expected[len(rows)]) != width, context
        assert error.endswith(f"found {len(expected[len(rows)])}"), context
    else:
        assert not python.error and rows == expected, context


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no compiler on this machine")
    folder = tmp_path_factory.mktemp("columns")
    (folder / "rows.cpp").write_text(PROGRAM)
    words = [compiler, "-std=c++17", "-O1", f"-I{native.TOP / 'include'}", "-o", str(folder / "rows")]
    done = native.call(*words, folder / "rows.cpp")
    assert done.returncode == 0, done.stderr
    return folder / "rows"


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["", "scalar"])
def test_rows_are_those_of_pythons_csv_module(program: Path, kernel: str) -> None:
    source = random.Random(4180 + len(kernel))
    files = [
        (a_file(source), source.randrange(1, 4), source.choice((1, 3, 64, 1 << 20))) for _ in range(FILES)
    ]
    given = b"".join(
        struct.pack("<BII", width, most, len(text.encode())) + text.encode() for text, width, most in files
    )
    environment = {**os.environ, "HEADRACE_SIMD": kernel}
    done = subprocess.run([program], input=given, capture_output=True, timeout=600, env=environment)
    assert done.returncode == 0, done.stderr.decode()
    answers = io.BytesIO(done.stdout)

    def field() -> str:
        (size,) = struct.unpack("<I", answers.read(4))
        return answers.read(size).decode(errors="surrogateescape")

    whole = 0
    for text, width, _ in files:
        rows = []
        while (fields := answers.read(1)[0]) != 0:
            rows.append([field() for _ in range(fields)])
        error = field()
        check(text, width, rows, error)
        whole += not error and bool(rows)
    assert answers.read() == b""
    assert whole > len(files) / 10  # not all of them are wrong
