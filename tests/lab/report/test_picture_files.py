"""PNG from our own SVG: every colour is filled in, what is drawn shows, a system without fonts is told."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest

import synthetic
from headrace.report import lane_chart, line_chart, picture_files, svg, sweep
from headrace.report.ranking import groups
from headrace.report.view import View

FIRST = 150  # lines: the title, and the keys of the colours


def pictures() -> list[str]:
    campaign = synthetic.read_ints()
    charts = lane_chart.charts(groups(campaign)[0], campaign)
    (swept,) = sweep.sweeps(groups(synthetic.swept()))
    drawn = [svg.standalone(one) for one in charts]
    return drawn + [svg.standalone(one) for one in line_chart.of_sweep(swept)]


def pixels(data: bytes) -> tuple[int, int, set[bytes]]:
    """Return width, height and the colours of the first lines of a PNG of 8 bits and 4 channels."""
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert (depth, kind) == (8, 6)
    at, packed = 8, b""
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        if data[at + 4 : at + 8] == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    raw, stride = zlib.decompress(packed), 4 * width
    row, colours = bytearray(stride), set()
    for line in range(min(height, FIRST)):
        start = line * (stride + 1)
        row = unfiltered(raw[start], raw[start + 1 : start + 1 + stride], row)
        colours |= {bytes(row[x : x + 3]) for x in range(0, stride, 4)}
    return width, height, colours


def unfiltered(kind: int, line: bytes, above: bytearray) -> bytearray:
    """Undo one of the five filters of PNG (RFC 2083)."""
    done = bytearray(len(line))
    for x, value in enumerate(line):
        a = done[x - 4] if x >= 4 else 0
        b = above[x]
        c = above[x - 4] if x >= 4 else 0
        nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        done[x] = (value + (0, a, b, (a + b) // 2, nearest)[kind]) & 255
    return done


def test_no_second_scheme_is_left() -> None:
    for drawn in pictures():
        plain = svg.flat(drawn)
        style = plain[plain.index("<style>") : plain.index("</style>")]
        assert "light-dark(" in drawn and "light-dark(" not in plain
        assert all(light in style and dark not in style for light, dark in [*svg.LANES, *svg.LINES])
        assert plain.replace(style, "") == drawn.replace(re.search(r"<style>[^<]*", drawn)[0], "")  # type: ignore[index]


@pytest.mark.skipif(
    not picture_files.has_fonts(), reason=f"needs a font: apt-get install {picture_files.FONTS}"
)
def test_a_png_shows_text_and_colours() -> None:
    drawn = picture_files.png(pictures()[0])
    width, height, colours = pixels(drawn)
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', pictures()[0])
    assert box and (width, height) == (
        round(int(box[1]) * picture_files.SCALE),
        round(int(box[2]) * picture_files.SCALE),
    )
    for colour in ("#1b1f24", *(light for light, _ in svg.LANES[:3])):  # ink, three keys
        assert bytes.fromhex(colour[1:]) in colours, colour


def test_without_a_font_there_is_no_picture_without_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture_files, "has_fonts", lambda: False)
    written = picture_files.draw(View(synthetic.read_ints()), tmp_path, "r")
    assert written and {path.suffix for path in written} == {".svg"}
    assert "fonts-dejavu-core" in picture_files.remark(written)
    assert picture_files.remark([]) == "" and picture_files.remark([tmp_path / "a.png"]) == ""
