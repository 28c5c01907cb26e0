"""Layouts: one object, linked several times, each time with another amount of room in front of it.

Where a linker puts a loop decides which cache lines, pages and entries of a branch predictor it shares, and
may make a program some percent faster or slower (Mytkowicz, Diwan, Hauswirth & Sweeney, "Producing wrong data
without doing anything obviously wrong!", 2009; Curtsinger & Berger, "STABILIZER: statistically sound
performance evaluation", 2013). A build that runs in several layouts shows what it takes on average of these.

A round has one layout number, the same for all of its builds, so that the luck of a place is shared by a pair
of them where it is shared at all. Layout 0 is what the compiler links by itself. Layout n has
native/padding.cpp in front: sections move by multiples of STEP below a page. Where in a cache line functions
begin matters most: every four rounds hold each of its places once, and which line of the page is drawn. An
object is compiled once, and linked in a layout when a round first uses it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

from headrace.base import places
from headrace.base.errors import HeadraceError
from headrace.builds.build import OBJECT, Build, at_once, link, made_once
from headrace.matrix.compilers import Toolchain

PAGE, LINE, STEP = 4096, 64, 16  # bytes: places repeat after a page, and functions begin at multiples of 16
PLACES = LINE // STEP  # in a cache line
SECTIONS = ("UNLIKELY", "STARTUP", "HOT", "TEXT", "CONSTANTS", "DATA", "ZEROS")


def of_round(number: int, count: int, seed: int) -> int:
    """Return the layout of a round, counted from 1, of `count` layouts: the same for all builds.

    Layouts have turns in blocks of PLACES, whose numbers are neighbours and whose order is drawn.
    """
    turn, place = divmod(number - 1, PLACES)
    block = range(PLACES * (turn % -(-count // PLACES)), count)[:PLACES]
    order = random.Random(f"{seed} layouts {turn}").sample(block, len(block))
    return order[place % len(block)]


def can_be_laid_out(made: Build) -> bool:
    """Whether a build was linked from an object that is kept: a user's scripts and executables were not."""
    return bool(made.digest and made.program and made.program.with_name(OBJECT).exists())


def paddings(number: int) -> dict[str, int]:
    """Return the bytes that a layout puts in front of each section: no two layouts have the same TEXT.

    Of PLACES neighbouring layouts each has another place within a cache line, on a line of its own.
    """
    own = random.Random(f"headrace layout {number}")
    sizes = {section: STEP * own.randrange(PAGE // STEP) for section in SECTIONS}
    lines = [0, *random.Random("headrace lines").sample(range(1, PAGE // LINE), PAGE // LINE - 1)]
    line = lines[(number // PLACES + 17 * (number % PLACES)) % len(lines)]
    return {**sizes, "TEXT": LINE * line + STEP * (number % PLACES)}


def program(made: Build, number: int) -> Path:
    """Return a build's program in a layout, linked if it is not there yet.

    Raises HeadraceError with the linker's first error.
    """
    assert made.program is not None  # only what was built is laid out
    if number == 0 or not can_be_laid_out(made):
        return made.program
    place = made.program.with_name(f"layout-{number}-{_source()[1][:8]}")
    if not place.exists():
        room = _padding(made.order.toolchain, number)
        error = link(made.order, [room, made.program.with_name(OBJECT)], place)
        if error:
            raise HeadraceError(
                f"{made.order.contender.name} with {made.order.toolchain.name} cannot be linked in another "
                f"layout: {error}; --layouts 1 links it as the compiler does"
            )
    return place


def link_all(
    wanted: Sequence[tuple[Build, int]], watch: Callable[[int, int, str], None], jobs: int = 0
) -> None:
    """Link each build in a layout, `jobs` at a time, as `at_once` does."""
    for chain in {made.order.toolchain.name: made.order.toolchain for made, _ in wanted}.values():
        for number in {number for made, number in wanted if made.order.toolchain.name == chain.name} - {0}:
            _padding(chain, number)
    at_once([(made.order, partial(program, made, number)) for made, number in wanted], watch, jobs)


def _padding(chain: Toolchain, number: int) -> Path:
    """Return a toolchain's object of nothing but room, made if it is not there yet."""
    source, content = _source()
    key = hashlib.sha256(repr((content, chain.command, chain.flags, chain.fingerprint)).encode()).hexdigest()
    place = places.cache_folder("layouts", key[:24]) / f"{number}.o"
    if place.exists():
        return place
    macros = {section: str(size) for section, size in paddings(number).items()}
    called = "a layout (--layouts 1 does without)"
    return made_once(source, place, [chain], [{"only_object": True, "macros": macros}], called)


@cache
def _source() -> tuple[Path, str]:
    file = places.native_folder() / "padding.cpp"
    return file, places.digest(file)
