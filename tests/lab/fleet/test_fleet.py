"""Races on other machines: what travels, who takes it, and that a host which dies costs nothing else."""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import io
import json
import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import distributed
import pytest

import native
import synthetic
from conftest import Command, command
from headrace import __version__, cli
from headrace.base import context, places
from headrace.base.errors import BadInput, NothingToDo
from headrace.builds import build
from headrace.fleet import archive, child, host, network, order
from headrace.fleet import run as fleet_run
from headrace.fleet.order import HostFacts, Limits, Order
from headrace.fleet.run import Peer
from headrace.history.index import Index, Question
from headrace.judge.table import rejudged
from headrace.matrix import benchmarks
from headrace.matrix.compilers import Toolchain
from headrace.processes.lines import descendants
from headrace.race.options import RunOptions, plain
from headrace.report import page, side_by_side
from headrace.report.view import View
from headrace.results import fleet as files
from headrace.results import store
from headrace.results.fleet import Fleet, Host
from headrace.results.schema import Campaign

SMALL = [*"read_ints --contender hand_written --toolchain g++ --set rows=10 --rounds 3 --layouts 1".split()]
SLOWLY = ["--prepare", "sleep ${FLEET_TEST_SLEEP:-0}"]  # on the hosts that have the variable


# What travels


def test_the_same_sources_give_the_same_archive(tmp_path: Path) -> None:
    program = tmp_path / "mine.cpp"
    program.write_text('#include "near/part.h"\n#include "absent.h"\nint main() { return part; }\n')
    (tmp_path / "near").mkdir()
    (tmp_path / "near/part.h").write_text("constexpr int part = 0;\n")
    first = archive.pack(["read_ints"], [program])
    os.utime(program, (1, 1))
    again = archive.pack(["read_ints"], [program])
    assert first.digest == again.digest
    assert (list(first.benchmarks), list(first.guests)) == (["read_ints"], ["own/programs/mine/mine.cpp"])
    archive.unpack(first.data, first.digest, tmp_path / "there")
    assert (tmp_path / "there/own/programs/mine/near/part.h").read_text() == "constexpr int part = 0;\n"
    assert (tmp_path / "there/include/headrace/headrace.hpp").is_file()


def test_a_folder_holds_what_the_newest_archive_holds_and_unchanged_files_stay(tmp_path: Path) -> None:
    program, there = tmp_path / "mine.cpp", tmp_path / "there"
    program.write_text("int main() {}\n")
    first = archive.pack(["read_ints"], [program])
    archive.unpack(first.data, first.digest, there)
    header = there / "include/headrace/headrace.hpp"
    os.utime(header, (1, 1))
    (there / "benchmarks/read_ints/left.cpp").write_text("from an earlier archive")
    program.write_text("int main() { return 0; }\n")
    second = archive.pack(["read_ints"], [program])
    archive.unpack(second.data, second.digest, there)
    assert header.stat().st_mtime == 1
    assert not (there / "benchmarks/read_ints/left.cpp").exists()
    assert (there / "own/programs/mine/mine.cpp").read_text() == "int main() { return 0; }\n"


def test_an_own_benchmark_travels_by_its_folder(tmp_path: Path, misbehaving: Path) -> None:
    packed = archive.pack([str(misbehaving)], [])
    assert list(packed.benchmarks) == ["own/benchmarks/misbehaving"]
    archive.unpack(packed.data, packed.digest, tmp_path / "there")
    assert (tmp_path / "there/own/benchmarks/misbehaving/benchmark.toml").is_file()


def test_a_header_elsewhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.h").write_text("")
    program = tmp_path / "in" / "mine.cpp"
    program.write_text('#include "../out.h"\nint main() {}\n')
    with pytest.raises(BadInput, match=r"includes .*out\.h, which is outside of the folder of mine\.cpp"):
        archive.pack(["read_ints"], [program])


@pytest.mark.parametrize("change", ["cut", "tampered"])
def test_a_broken_or_tampered_archive_is_not_unpacked(tmp_path: Path, change: str) -> None:
    packed = archive.pack(["read_ints"], [])
    data = bytearray(packed.data)
    if change == "cut":
        del data[1000:]
    else:
        data[1000] ^= 1
    with pytest.raises(BadInput, match="broken or changed on its way, and nothing of it was used"):
        archive.unpack(bytes(data), packed.digest, tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_what_is_no_archive_is_refused_though_its_checksum_is_right(tmp_path: Path) -> None:
    for data in (b"nothing", gzip.compress(b"no zip" * 200), b""):
        with pytest.raises(BadInput, match=r"is no .headrace archive, or was damaged"):
            archive.unpack(data, archive.digest(data), tmp_path / "there")


@pytest.mark.parametrize("name", ["../out", "/tmp/out", "a/../../out"])
def test_an_archive_that_reaches_outside_is_refused(tmp_path: Path, name: str) -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        packed.writestr(name, b"")
    data = written.getvalue()
    with pytest.raises(BadInput, match="may be outside of its folder"):
        archive.unpack(data, archive.digest(data), tmp_path / "there")
    assert not (tmp_path / "there").exists()


# A host, without Dask between


@pytest.fixture
def settings(tmp_path: Path) -> host.Settings:
    """Let this process be a host that accepts builds."""
    chosen = host.Settings("here", tmp_path / "host", accepts=True, limits=Limits(memory=4 << 30))
    host.start(chosen)
    return chosen


def an_order(packed: archive.Archive, **more: Any) -> Order:
    asked = plain(
        RunOptions(
            benchmarks=list(packed.benchmarks),
            guests=[Path(one) for one in packed.guests],
            contenders=["hand_written"],
            toolchains=["g++"],
            settings=[{"rows": "10"}],
            rounds=3,
            layouts=1,
        )
    )
    asked["guests"] = list(packed.guests)
    told = {"archive": packed.digest, "asked": json.loads(json.dumps(asked))}
    return Order(**{"id": "0123456789ab", **told, **more})


def obeyed(wanted: Order, sources: bytes = b"") -> host.Outcome:
    return host.obey(wanted.plain(), sources, lambda: False)


def test_a_host_runs_an_order_once(settings: host.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = archive.pack(["read_ints"], [])
    heard: list[dict[str, Any]] = []
    monkeypatch.setattr(host.Talking, "lines", noting(heard))
    outcome = obeyed(an_order(packed, commit="abc"), packed.data)
    assert outcome["state"] == "done", outcome["detail"]
    assert host.now() == {"archives": [packed.digest[:12]]}
    campaign = json.loads(gzip.decompress(outcome["result"]))
    assert campaign["commit"] == "abc"
    assert {row["contender"]: len(row["samples"]) for row in campaign["rows"]}["hand_written"] == 3
    assert any("step" in each for each in heard)
    assert any(str(settings.folder) in word for word in campaign["rows"][0]["command"])  # its own sources
    assert obeyed(an_order(packed))["result"] == outcome["result"]  # kept, not measured again


def noting(heard: list[dict[str, Any]]) -> Any:
    """Return a Talking.lines that notes what the host tells of itself after each line."""
    lines = host.Talking.lines

    def noted(self: host.Talking) -> Iterator[str]:
        for line in lines(self):
            yield line
            heard.append(host.now())

    return noted


def test_an_order_that_was_taken_back_can_be_given_again(settings: host.Settings) -> None:
    packed = archive.pack(["read_ints"], [])
    wanted = an_order(packed, id="again")
    slow = replace(wanted, asked={**wanted.asked, "prepare": "sleep 30"})
    given_up = threading.Event()
    outcomes: list[host.Outcome] = []

    def ask() -> None:
        outcomes.append(host.obey(slow.plain(), packed.data, given_up.is_set))

    first = threading.Thread(target=ask, daemon=True)
    first.start()
    until = time.monotonic() + 120
    while "step" not in host.now():  # until it runs
        assert time.monotonic() < until
        time.sleep(0.01)
    waits = replace(wanted, id="other")
    assert host.obey(waits.plain(), b"", lambda: True)["state"] == "stopped"  # before its turn came
    given_up.set()
    first.join(60)
    assert [each["state"] for each in outcomes] == ["stopped"]
    assert obeyed(wanted)["state"] == "done"


def test_a_host_says_what_it_lacks(settings: host.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = archive.pack(["read_ints"], [])
    assert "does not have the archive" in obeyed(an_order(packed))["detail"]
    assert "broken or changed" in obeyed(an_order(packed), packed.data[:-1])["detail"]
    assert host.now()["archives"] == []
    kept = settings.folder / "archives" / packed.digest
    kept.write_bytes(packed.data[:-1])  # changed where it lies
    assert "broken or changed" in obeyed(an_order(packed))["detail"]
    assert host.now()["archives"] == []  # so it is sent again
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1, 1, 0))
    assert "its disk is full" in obeyed(an_order(packed), packed.data)["detail"]


def test_a_disk_that_fills_up_is_named(settings: host.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        with places.written_whole(path) as file:
            file.write(data[:10])
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(places, "write_whole", full)
    packed = archive.pack(["read_ints"], [])
    detail = obeyed(an_order(packed), packed.data)["detail"]
    assert "No space left on device; free some room" in detail
    assert not any((settings.folder / "archives").iterdir())  # nothing half written


def test_a_host_refuses_without_consent(tmp_path: Path) -> None:
    host.start(host.Settings("here", tmp_path / "host"))
    packed = archive.pack(["read_ints"], [])
    assert "--accept-builds" in obeyed(an_order(packed), packed.data)["detail"]
    assert host.now()["archives"] == []


def test_an_order_of_another_version_is_refused() -> None:
    data = Order("0", "", {}).plain()
    assert order.read(data) == Order("0", "", {})
    with pytest.raises(BadInput, match=rf"it has headrace {__version__}, and the order comes from 0\.0\.1"):
        order.read({**data, "version": "0.0.1"})
    with pytest.raises(BadInput, match="no order"):
        order.read({**data, "more": 1})


def test_an_order_names_nothing_outside_of_its_archive(settings: host.Settings) -> None:
    packed = archive.pack(["read_ints"], [])
    wanted = an_order(packed)
    wanted.asked["guests"] = ["../../../../../etc/passwd"]
    assert "outside of what was sent" in obeyed(wanted, packed.data)["detail"]


GREEDY = {
    "memory.cpp": """
#include <cstdlib>
#include <cstring>
int main() { for (;;) std::memset(std::malloc(1 << 20), 1, 1 << 20); }
""",
    "large.cpp": """
#include <cstdio>
int main() { std::FILE* f = std::fopen("large", "w"); while (std::fputc(1, f) != EOF) {} return 7; }
""",
}


@pytest.mark.slow
def test_a_host_bounds_what_it_was_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(memory=300 << 20, file_size=4 << 20)
    host.start(host.Settings("here", tmp_path / "host", accepts=True, limits=limits))
    for name, text in GREEDY.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)  # where the large file goes
    packed = archive.pack(["read_ints"], [tmp_path / name for name in GREEDY])
    outcome = obeyed(an_order(packed), packed.data)
    assert outcome["state"] == "done", outcome["detail"]
    rows = {row["contender"]: row for row in json.loads(gzip.decompress(outcome["result"]))["rows"]}
    assert rows["memory"]["outcome"] == rows["large"]["outcome"] == "CRASHED"
    assert "SIGXFSZ" in rows["large"]["detail"]
    assert rows["hand_written"]["outcome"] == "ok"


def test_a_compilation_gets_the_time_that_was_set(chain: Toolchain, tmp_path: Path) -> None:
    found = benchmarks.find("read_ints")
    contender = next(one for one in found.contenders() if one.name == "hand_written")
    wanted = build.Order(contender, chain, "O2", "c++17")
    context.use(build_seconds=0.001)
    try:
        assert "did not end within 0.001 s" in build.make(wanted, tmp_path)
    finally:
        context.use(build_seconds=build.TIMEOUT)


# Who may be asked


PLAIN = "is plain tcp to another machine.*--insecure"
NONE = "is not the address of a scheduler"


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        *((f"tcp://{host}", "") for host in ("127.0.0.1:8786", "localhost:1", "[::1]:8786")),
        *((f"tcp://{host}", PLAIN) for host in ("192.0.2.7:8786", "0.0.0.0:8786")),
        *(
            (text, NONE)
            for text in ("tcp://", "http://a:1", "tcp://a", "tcp://a:99999", "tcp://a:0", "tcp://a:1/x")
        ),
    ],
)
def test_only_plain_tcp_within_this_machine_need_not_be_allowed(address: str, fault: str) -> None:
    for insecure in (False, True):
        if fault == NONE or (fault and not insecure):
            with pytest.raises(BadInput, match=fault):
                network.check_address(address, insecure)
        else:
            network.check_address(address, insecure)


def a_peer(name: str, machine: str = "m", **more: Any) -> Peer:
    facts = {"version": __version__, "model": "x", "accepts": True, "shared": False, **more}
    return Peer(f"tcp://{name}:1", name, HostFacts(name=name, machine=machine, **facts))


def test_a_machine_with_two_workers_is_listed_twice() -> None:
    with pytest.raises(BadInput, match="a and b are one machine, listed twice"):
        fleet_run.check_once([a_peer("a"), a_peer("b")])
    with pytest.raises(BadInput, match="listed twice"):
        fleet_run.check_once([a_peer("a", shared=True), a_peer("b")])
    fleet_run.check_once([a_peer("a", shared=True), a_peer("b", shared=True)])
    fleet_run.check_once([a_peer("a"), a_peer("b", machine="n"), Peer("tcp://c:1", "c", None)])


def test_a_host_that_cannot_take_an_order_says_why() -> None:
    assert a_peer("a").objection() == ""
    assert "it has headrace 0.0.1, and the order comes from" in a_peer("a", version="0.0.1").objection()
    assert "--accept-builds" in a_peer("a", accepts=False).objection()
    assert "not a headrace worker" in Peer("tcp://a:1", "a", None).objection()
    assert "--name" in a_peer("../a").objection()


def test_facts_of_a_newer_worker_are_read_as_far_as_they_are_known() -> None:
    told = {"headrace": {"version": "9", "name": "a", "more": 1}}
    facts = order.facts_of(told)
    assert facts is not None
    assert (facts.version, facts.accepts) == ("9", False)
    assert order.facts_of({}) is None


def test_a_missing_dask_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network.importlib.util, "find_spec", lambda name: None)
    for words in (["run", "read_ints", "--on", "tcp://127.0.0.1:1"], ["fleet", "join", "tcp://127.0.0.1:1"]):
        with pytest.raises(NothingToDo, match=r"pip install 'headrace\[fleet\]'"):
            cli.app(words, standalone_mode=False)


def test_without_dask_all_else_works() -> None:
    """Every module can be imported but that of the worker."""
    program = """
import importlib, pkgutil, sys
for name in ("dask", "distributed"):
    sys.modules[name] = None
import headrace
for found in pkgutil.walk_packages(headrace.__path__, "headrace."):
    if found.name not in ("headrace.__main__", "headrace.fleet.worker"):
        importlib.import_module(found.name)
"""
    done = native.call(sys.executable, "-c", program)
    assert done.returncode == 0, done.stderr


# The result


@cache
def a_campaign(winner: str = "") -> Campaign:
    """A campaign of one toolchain on one route, in which that contender is faster than it was."""
    if not winner:
        made = synthetic.read_ints(routes=[("file", "null")])
        rows = [row for row in made.rows if row.toolchain == synthetic.GCC and not row.twin_of]
        return made.model_copy(update={"rows": rows})
    rows = []
    for row in a_campaign().rows:
        faster = [one.model_copy(update={"wall": one.wall / 20}) for one in row.samples]
        rows.append(row.model_copy(update={"samples": faster}) if row.contender == winner else row)
    return rejudged(a_campaign().model_copy(update={"rows": rows}))


def by_host(**first: str) -> dict[str, Campaign]:
    """Campaigns of hosts, each with its winner."""
    return {name: a_campaign(winner) for name, winner in first.items()}


def viewed(campaigns: dict[str, Campaign]) -> dict[str, View]:
    return {name: View(one) for name, one in campaigns.items()}


def test_agreement_is_told_by_hosts() -> None:
    campaigns = viewed(by_host(a="headrace_bulk", b="headrace_bulk", rpi4="getc_unlocked"))
    every = list(campaigns.values()), list(campaigns)
    (told,) = side_by_side.agreements(*every)
    assert (told.first, told.on, told.of) == ("headrace_bulk", 2, 3)
    assert [(one.host, one.first) for one in told.others] == [("rpi4", "`getc_unlocked`")]
    assert told.sentence.startswith("`headrace_bulk` is first in 2 of 3 campaigns; rpi4: `getc_unlocked` (")
    assert told.cells[2] == "2 of 3"
    assert set(side_by_side.as_data(*every)[0]) == {*"title first on shared of others sentence".split()}


def test_the_page_has_a_section_per_host_and_the_table() -> None:
    campaigns = viewed(by_host(a="headrace_bulk", b="headrace_bulk", rpi4="getc_unlocked"))
    text = page.html(list(campaigns.values()), list(campaigns), ["2 of 4 hosts answered.", "<b>: gone."])
    assert text.count('<section class="campaign"') == 3
    assert "Who is first" in text
    assert "read_ints: 3 hosts" in text
    assert "&lt;b&gt;: gone." in text
    many = {f"h{number}": campaigns["a"] for number in range(side_by_side.SECTIONS + 1)}
    short = page.html(list(many.values()), list(many), [])
    assert '<section class="campaign"' not in short
    assert f"{len(many)} of {len(many)}" in short


def a_fleet(*named: Host) -> Fleet:
    address = "tcp://127.0.0.1:1"
    return Fleet(
        headrace_version=__version__, id="1", started="", on=address, archive="0", asked={}, hosts=list(named)
    )


def test_what_hosts_did_is_told_together() -> None:
    said = files.sentences(
        a_fleet(
            Host(name="a", model="", state="done", ran_on="b", detail="its worker died; begins again on b"),
            Host(name="b", model="", state="done"),
            Host(name="c", model="", state="done", ran_on="b"),
            *(Host(name=f"n{at}", model="", state="failed", detail="no compiler.") for at in range(9)),
            Host(name="z", model=""),
        )
    )
    assert said == [
        "1 of 13 hosts answered.",
        "a: its worker died; begins again on b.",
        "c: ran on b.",
        "n0, n1, n2, n3, n4, n5 and 3 more: no compiler.",
        "z: not finished.",
    ]


@pytest.mark.slow
def test_where_no_scheduler_answers_nothing_is_left(headrace: Command, tmp_path: Path) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    for place in ([], ["--out", "new/deep/x.fleet"]):
        done = headrace("run", *SMALL, "--on", address, *place, HEADRACE_CACHE=str(tmp_path / "cache"))
        assert (done.returncode, f"no scheduler answers at {address}" in done.stderr) == (2, True)
        assert [one.name for one in tmp_path.iterdir()] == ["cache"]


def test_sources_of_long_ago_are_not_kept(tmp_path: Path, headrace: Command) -> None:
    kept = tmp_path / "cache" / "sources"
    kept.mkdir(parents=True)
    for name, days in (("old", 15), ("young", 13)):
        (kept / f"{name}.zip").write_text(name)
        os.utime(kept / f"{name}.zip", (then := time.time() - days * 86_400, then))
    headrace("run", *SMALL, "--on", f"tcp://127.0.0.1:{free_port()}", HEADRACE_CACHE=str(tmp_path / "cache"))
    left = sorted(file.name for file in kept.iterdir())
    assert len(left) == 2 and "young.zip" in left  # beside those of this race


def test_a_results_file_that_was_changed_is_named(tmp_path: Path) -> None:
    place = tmp_path / "x.fleet"
    record = fleet_run.FleetRecord(a_fleet(Host(name="a", model="")), place)
    campaign = a_campaign()
    record.receive("a", gzip.compress(campaign.model_dump_json().encode()), 0)
    fleet = files.load(place)
    assert files.files(fleet, place) == {"a": tmp_path / "x" / "a.json"}
    (tmp_path / "x" / "a.json").write_text("{}")
    with pytest.raises(BadInput, match=r"a\.json was changed after a sent it"):
        files.files(fleet, place)
    (tmp_path / "x" / "a.json").unlink()
    with pytest.raises(BadInput, match="which is gone"):
        files.files(fleet, place)
    with pytest.raises(ValueError, match="what it sent cannot be used: Not a gzipped file"):
        record.receive("a", b"broken", 0)
    packs_well = campaign.model_dump_json().encode() + b" " * places.SMALL
    record.receive("a", gzip.compress(packs_well), 0)
    with pytest.raises(ValueError, match="is no results file"):
        record.receive("a", gzip.compress(b"{}"), 0)
    assert not (tmp_path / "x" / "a.json").exists()


def test_a_report_of_a_fleet_is_that_of_its_hosts(inside: Command, tmp_path: Path) -> None:
    absent = Host(name="c", model="", state="failed", detail="no compiler")
    fleet = a_fleet(Host(name="a", model=""), Host(name="b", model=""), absent)
    record = fleet_run.FleetRecord(fleet, tmp_path / "x.fleet")
    for name, campaign in by_host(a="headrace_bulk", b="getc_unlocked").items():
        record.receive(name, gzip.compress(campaign.model_dump_json().encode()), 0)
    said = inside("report", "x.fleet", code=0).stdout
    assert "1 of 2" in said and "c: no compiler." in said
    shown = (tmp_path / "x.html").read_text()
    assert "2 hosts" in shown and "c: no compiler." in shown
    assert len(inside("report", "x.fleet", "--csv", "-", code=0).stdout.splitlines()) > 20  # rows of both
    told = json.loads(inside("report", "x.fleet", "--json", code=0).stdout)
    assert set(told["campaigns"]) == {"a", "b"} and told["agreement"][0]["of"] == 2
    inside("report", "x.fleet", "--export-markdown", "x.md", "--export-json", "e.json", code=0)
    exported = (tmp_path / "x.md").read_text()
    titles = [line for line in exported.splitlines() if line.startswith("# ")]
    assert titles == ["# a", "# b", "# Who is first"]
    assert "| 1 of 2 | b: getc\\_unlocked (headrace\\_bulk: place 2) |" in exported
    assert json.loads((tmp_path / "e.json").read_text()) == told


def test_a_build_that_fails_for_want_of_room_says_nothing_of_its_row() -> None:
    campaign = a_campaign()
    assert not child._full_disk(campaign)
    detail = "/usr/bin/ld: final link failed: No space left on device"
    full = campaign.rows[0].model_copy(update={"outcome": "does not compile", "detail": detail})
    assert child._full_disk(campaign.model_copy(update={"rows": [full]}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "or was cut short"),
        ("[" * 100_000, "or was cut short (brackets in brackets"),
        ("{}", "is no file of a fleet"),
        ('{"fleet_version": 99}', "is of a newer headrace"),
        ('{"fleet_version": 1}', "key headrace_version: Field required"),
    ],
)
def test_a_file_of_no_fleet_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.fleet").write_text(text)
    with pytest.raises(BadInput) as caught:
        files.load(tmp_path / "x.fleet")
    assert said in str(caught.value)


def test_a_fleet_is_no_results_file_and_names_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "x.fleet").write_text('{"fleet_version": 1}')
    with pytest.raises(BadInput, match=r"x\.fleet lists the hosts of a fleet; name the .* in .*/x$"):
        store.load(tmp_path / "x.fleet")


# A cluster of processes on this machine


def free_port() -> int:
    """Return a port that is free, and that no outgoing connection of others is given meanwhile."""
    for port in random.sample(range(20_000, 32_000), 50):
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError("none of fifty ports is free")


class Cluster:
    """A scheduler and workers, each a process, with a file for what each says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.races = 0

    def scheduler(self) -> None:
        words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
        words += ["--port", str(self.port), "--dashboard-address", "127.0.0.1:0"]
        self._start("scheduler", words, {})
        self.until("scheduler", "Scheduler at:")

    def workers(self, **variables: dict[str, str]) -> None:
        """Start workers by their names, each with its variables, and wait until they work."""
        for name, own in variables.items():
            words = ["fleet", "join", self.address, "--name", f"test-{name}", "--shared", "--accept-builds"]
            self._start(name, command(words), own)
        for name in variables:
            self.until(name, "works for")

    def race(self, *words: str, stdout: int | None = None) -> str:
        """Start a race, and return its name. Its standard output is a file of it, unless another is given."""
        self.races += 1
        self._start(f"race {self.races}", command(["run", *words, "--json"]), {}, stdout)
        return f"race {self.races}"

    def _start(
        self, name: str, words: list[str], variables: dict[str, str], stdout: int | None = None
    ) -> None:
        with (self.folder / f"{name}.log").open("ab") as log, (self.folder / f"{name}.out").open("wb") as out:
            self.running[name] = subprocess.Popen(
                words, cwd=self.folder, env={**os.environ, **variables}, stdout=stdout or out, stderr=log
            )

    def said(self, name: str) -> str:
        return "".join((self.folder / f"{name}.{kind}").read_text() for kind in ("out", "log"))

    def until(self, name: str, text: str, times: int = 1) -> None:
        """Wait until a process has said something; far longer than it can take."""
        end = time.monotonic() + 120
        while self.said(name).count(text) < times:
            assert time.monotonic() < end, f"{name} never said {text!r}, but {self.said(name)!r}"
            time.sleep(0.05)

    def ended(self, name: str) -> tuple[int, dict[str, Any], str]:
        """Wait for a race. Returns its exit code, its JSON, and what it said."""
        code = self.running[name].wait(timeout=200)
        out = (self.folder / f"{name}.out").read_text()
        return code, json.loads(out) if out.strip() else {}, (self.folder / f"{name}.log").read_text()

    def kill(self, name: str) -> None:
        process = self.running[name]
        process.kill()
        process.wait()

    def stop(self) -> None:
        for process in self.running.values():
            if process.poll() is None:
                process.terminate()
        for process in self.running.values():
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        made.scheduler()
        yield made
    finally:
        made.stop()


def results_of(cluster: Cluster) -> dict[str, Campaign]:
    """Read what the newest race has left on disk."""
    place = max(cluster.folder.glob("results/*.fleet"), key=lambda file: file.stat().st_mtime)
    found = files.files(files.load(place), place)
    on_disk = sorted(place.with_suffix("").glob("*.json"))
    assert sorted(found.values()) == on_disk  # all that is there counts, and nothing else is there
    campaigns = {name: store.load(file) for name, file in found.items()}
    assert len({one.run.id for one in campaigns.values()}) == len(campaigns)  # none is there twice
    for one in campaigns.values():
        counted = [len(row.samples) for row in one.rows if row.contender == "hand_written"]
        assert counted
        assert set(counted) == {3}
    return campaigns


def states(told: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["state"] for one in told["hosts"]}


@pytest.mark.slow
def test_hosts_that_die_fail_or_dawdle_cost_nothing_else(cluster: Cluster) -> None:
    (cluster.folder / "nothing").mkdir()
    cluster.workers(
        bare={"PATH": str(cluster.folder / "nothing")},
        mortal={"FLEET_TEST_SLEEP": "60"},
        slow={"FLEET_TEST_SLEEP": "0.2"},
    )
    (cluster.folder / "headrace.toml").write_text("history = true\n")
    words = ["--on", cluster.address, "--export-markdown", "x.md", "--lost-after", "5"]
    race = cluster.race(*SMALL, *SLOWLY, *words)
    cluster.until("mortal", "begins")
    cluster.until("slow", "done")
    cluster.kill("mortal")  # in the middle of it
    code, told, said = cluster.ended(race)
    assert code == 1, said
    assert states(told) == {"test-bare": "failed", "test-mortal": "done", "test-slow": "done"}
    hosts = {one["name"]: one for one in told["hosts"]}
    assert (hosts["test-mortal"]["ran_on"], hosts["test-mortal"]["attempt"]) == ("test-slow", 1)
    assert "compiler" in hosts["test-bare"]["detail"]
    assert "nothing was heard from test-mortal for 5 s; its campaign begins again on test-slow" in said
    assert set(results_of(cluster)) == {"test-mortal (on test-slow)", "test-slow"}
    assert cluster.said("slow").count("begins") == 2
    assert (
        "test-slow" in (cluster.folder / "x.md").read_text()
    )  # one machine, of which nothing can be compared
    index = Index(cluster.folder / "results/history.sqlite")
    assert len(index.campaigns(Question())) == 2
    index.close()


@pytest.mark.slow
def test_a_frozen_host_is_named_and_ctrl_c_waits_for_nobody(cluster: Cluster) -> None:
    cluster.workers(frozen={"FLEET_TEST_SLEEP": "60"}, well={})
    race = cluster.race(*SMALL, *SLOWLY, "--on", cluster.address, "--out", "a.fleet", "--lost-after", "100")
    cluster.until("frozen", "begins")
    cluster.until("well", "done")
    cluster.running["frozen"].send_signal(signal.SIGSTOP)
    cluster.until(race, "test-frozen: nothing heard from it for 15 s")
    begun = time.monotonic()
    cluster.running[race].send_signal(signal.SIGTERM)  # as Ctrl-C, which some shells let nobody hear
    cluster.until(race, "--resume a.fleet goes on")
    assert time.monotonic() - begun < 20  # two by itself; one that waits for the host takes 85
    code, told, said = cluster.ended(race)
    assert (code, states(told)) == (130, {"test-frozen": "open", "test-well": "done"}), said
    again = cluster.race(*SLOWLY, "--resume", "a.fleet", "--lost-after", "5")
    code, told, said = cluster.ended(again)
    assert code == 0, said
    assert states(told) == {"test-frozen": "done", "test-well": "done"}
    assert "1 of 2 hosts answered." in files.sentences(files.load(cluster.folder / "a.fleet"))
    assert [each["of"] for each in told["agreement"]] == [1]  # a host that stands in counts once
    cluster.running["frozen"].send_signal(signal.SIGCONT)


@pytest.mark.slow
def test_the_name_of_a_worker_that_is_gone_is_free_after_a_while(cluster: Cluster) -> None:
    cluster.workers(only={})
    gone = cluster.running["only"]
    gone.send_signal(signal.SIGSTOP)  # its connection stays open, and nobody answers there
    cluster._start("again", command(["fleet", "join", cluster.address, "--name", "test-only"]), {})
    cluster.until("again", "still lists a worker called test-only, which does not answer; trying again")
    assert "works for" not in cluster.said("again")
    cluster.kill("only")  # now the scheduler sees that it is gone
    cluster.until("again", "test-only works for")


@pytest.mark.slow
def test_a_race_survives_its_scheduler(cluster: Cluster) -> None:
    cluster.workers(prompt={}, steady={"FLEET_TEST_SLEEP": "0.4"})
    race = cluster.race(*SMALL, *SLOWLY, "--on", cluster.address)
    cluster.until(race, "test-prompt: done")
    cluster.until("steady", "begins")
    cluster.kill("scheduler")
    cluster.until(race, "is lost; waiting for it")
    cluster.scheduler()
    code, told, said = cluster.ended(race)
    assert code == 0, said
    assert states(told) == {"test-prompt": "done", "test-steady": "done"}
    assert set(results_of(cluster)) == {"test-prompt", "test-steady"}
    assert "Traceback" not in said
    assert cluster.said("steady").count("begins") == 1  # what was measured before is not measured again


@pytest.mark.slow
def test_a_worker_says_who_can_run_code_by_it(cluster: Cluster) -> None:
    cluster.workers(open={})
    assert "plain tcp: every user of this machine can run programs here as this user" in cluster.said("open")


@pytest.mark.slow
def test_a_second_ctrl_c_leaves_at_once(cluster: Cluster) -> None:
    # The first has been seen when a host is told to stop. Then the race waits for ever, as its JSON goes into
    # a pipe that is full and that nobody reads: only the second ends it, and the bound is for what hangs.
    read, write = os.pipe()
    os.write(write, bytes(fcntl.fcntl(write, fcntl.F_GETPIPE_SZ)))
    cluster.workers(frozen={"FLEET_TEST_SLEEP": "60"}, well={"FLEET_TEST_SLEEP": "60"})
    race = cluster.race(*SMALL, *SLOWLY, "--on", cluster.address, "--out", "a.fleet", stdout=write)
    cluster.until("frozen", "begins")
    cluster.until("well", "begins")
    cluster.running["frozen"].send_signal(signal.SIGSTOP)
    cluster.running[race].send_signal(signal.SIGINT)
    cluster.until("well", "stopped")
    cluster.running[race].send_signal(signal.SIGINT)
    assert cluster.running[race].wait(20) == 130
    os.close(read)
    os.close(write)
    said = cluster.said(race)
    assert "Traceback" not in said and "interrupted before" not in said  # as a first one ends it
    cluster.running["frozen"].send_signal(signal.SIGCONT)


@contextlib.contextmanager
def fleet_up(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run `headrace fleet up` with temporary files in a folder, until it says what it has started."""
    process = subprocess.Popen(
        command(["fleet", "up", "--json", *words]),
        env={**os.environ, "TMPDIR": str(folder)},
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(process.stdout.readline() or "{}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ended(processes: list[int], seconds: float) -> bool:
    """Whether all processes are gone after a while at most."""
    until = time.monotonic() + seconds
    while any(Path(f"/proc/{each}").exists() for each in processes):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def check_that_strangers_are_not_heard(address: str) -> None:
    """Try what those can who know the address, and not the key."""
    for stranger in (None, distributed.Security.temporary()):
        plain = address if stranger else address.replace("tls", "tcp")
        with pytest.raises(OSError):
            distributed.Client(plain, security=stranger, timeout=3)


@pytest.mark.slow
def test_a_fleet_of_this_machine_serves_its_user_and_leaves_nothing(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with fleet_up(temporary) as (process, told):
        key, address = Path(told["dask_config"]), told["scheduler"]
        assert address.startswith("tls://127.0.0.1:") and told["join"] == ""
        assert key.parent.parent == temporary
        assert key.parent.stat().st_mode & 0o077 == key.stat().st_mode & 0o077 == 0
        race = told["run"].replace("headrace run read_ints", shlex.join(command(["run", *SMALL])))
        done = subprocess.run(race, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=200)
        assert (done.returncode, f"{told['workers'][0]}: done" in done.stderr) == (0, True), done.stderr
        check_that_strangers_are_not_heard(address)
        below = descendants(process.pid)
        assert len(below) >= 2  # a scheduler and a worker
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert ended(below, 1)
        assert [*temporary.iterdir()] == []


def address_that_others_reach() -> str:
    """Return an address of this machine; skips where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # which sends nothing
        except OSError:
            pytest.skip("needs an address that is no loopback")
        return str(asked.getsockname()[0])


@pytest.mark.slow
def test_another_machine_joins_a_fleet_by_a_copy_of_its_key(tmp_path: Path) -> None:
    own = address_that_others_reach()
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    with fleet_up(here, "--listen", own, "--workers", "0") as (process, told):
        address, key = told["scheduler"], Path(told["dask_config"])
        assert address.startswith(f"tls://{own}:") and told["workers"] == []
        copied = Path(shutil.copy(key, there))  # with its rights, as scp does
        assert copied.stat().st_mode & 0o077 == 0 and str(tmp_path) not in copied.read_text()
        words = shlex.join(command(["fleet", "join"]))
        join = told["join"].replace("headrace fleet join", words) + " --name test-there"
        worker = subprocess.Popen(
            f"exec env {join}", shell=True, cwd=there, stdout=subprocess.PIPE, text=True
        )
        assert worker.stdout is not None
        with worker, contextlib.closing(worker.stdout):
            assert f"test-there works for {address}" in worker.stdout.readline()
            race = told["run"].replace("headrace run read_ints", shlex.join(command(["run", *SMALL])))
            done = subprocess.run(race, shell=True, cwd=here, capture_output=True, text=True, timeout=200)
            assert (done.returncode, "test-there: done" in done.stderr) == (0, True), done.stderr
            check_that_strangers_are_not_heard(address)
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
            assert any("is lost; trying again" in line for line in worker.stdout)
            worker.terminate()
    assert not key.exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("127.0.0.1", ""),
        ("[::1]:0", ""),
        ("192.0.2.77", "cannot listen on 192.0.2.77: .*wants an address of this machine"),
        ("no.such.name.invalid", "cannot listen on no.such.name.invalid: "),
        ("", "--listen  is no address"),
        ("fd00::7", "is no address; give one such as .*\\[fd00::7\\]"),
        ("127.0.0.1:65536", "is no address"),
        ("tls://127.0.0.1:1", "is no address"),
    ],
)
def test_a_fleet_listens_on_an_address_of_this_machine(text: str, fault: str) -> None:
    if not fault:
        assert network.own_address(text) == (text.removesuffix(":0"), 0)
        return
    with pytest.raises(BadInput, match=fault):
        network.own_address(text)


@pytest.mark.slow
def test_a_fleet_that_is_killed_or_has_a_frozen_worker_ends_whole(tmp_path: Path) -> None:
    with fleet_up(tmp_path, "--workers", "2") as (process, told):
        assert len(told["workers"]) == 2
        below = descendants(process.pid)
        process.kill()
        assert ended(below, 20)
    with fleet_up(tmp_path, "--workers", "2") as (process, _):
        below = descendants(process.pid)
        for each in below:
            os.kill(each, signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert ended(below, 1)


# Faults at random


class Detour:
    """A port that leads to a scheduler, and can be cut."""

    def __init__(self, port: int) -> None:
        self.to, self.is_cut, self.open = port, False, list[socket.socket]()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self.listening.accept()
                if self.is_cut:
                    ours.close()
                    continue
                theirs = socket.create_connection(("127.0.0.1", self.to))
                self.open += [ours, theirs]
                for pair in ((ours, theirs), (theirs, ours)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while block := source.recv(1 << 16):
                sink.sendall(block)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self, seconds: float) -> None:
        """Break what is connected, and let nobody through for a while."""
        self.is_cut = True
        for end in self.open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        time.sleep(seconds)
        self.is_cut = False

    def close(self) -> None:
        self.listening.close()


FAULTS = ("killed", "frozen", "full disk", "wrong version", "scheduler restarts", "connection cut")
OLD = "import headrace; headrace.__version__ = '0.0.1'; from headrace.__main__ import main; main()"
FULL = 'mount -t tmpfs -o size=256k full "$0" && exec "$@"'
# Each fault once, or HEADRACE_FAULTS rounds, of victims and moments of their own.
NO_HANG = 90.0  # seconds from a fault to the end of the race


def _start_worker(cluster: Cluster, name: str, fault: str, port: int) -> None:
    words = [
        "fleet",
        "join",
        f"tcp://127.0.0.1:{port}",
        "--name",
        f"test-{name}",
        "--shared",
        "--accept-builds",
    ]
    own = {"FLEET_TEST_SLEEP": "0.2"}
    if fault == "wrong version":
        cluster._start(name, [sys.executable, "-c", OLD, *words], own)
    elif fault == "full disk":
        folder = cluster.folder / "full"
        folder.mkdir()
        own["HEADRACE_CACHE"] = str(folder)
        cluster._start(name, ["unshare", "-m", "sh", "-c", FULL, str(folder), *command(words)], own)
    else:
        cluster._start(name, command(words), own)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(int(os.environ.get("HEADRACE_FAULTS", len(FAULTS)))))
def test_a_random_fault_costs_no_sample_and_is_named(cluster: Cluster, number: int) -> None:
    luck = random.Random(number)
    fault = FAULTS[number % len(FAULTS)]
    names = ["first", "second", "third"]
    victim = luck.choice(names)
    if fault == "full disk" and (os.geteuid() != 0 or shutil.which("unshare") is None):
        pytest.skip("needs root and unshare to mount a small disk")
    with contextlib.closing(Detour(cluster.port)) as detour:
        for name in names:
            is_faulty = name == victim
            port = detour.port if is_faulty and fault == "connection cut" else cluster.port
            _start_worker(cluster, name, fault if is_faulty else "", port)
        for name in names:
            cluster.until(name, "works for")
        race = cluster.race(*SMALL, *SLOWLY, "--on", cluster.address, "--lost-after", "20")
        begun = time.monotonic()
        if fault not in ("full disk", "wrong version"):
            cluster.until(victim, "begins")
            time.sleep(luck.uniform(0, 3))
            begun = time.monotonic()
        if fault == "killed":
            cluster.kill(victim)
        elif fault == "frozen":
            cluster.running[victim].send_signal(signal.SIGSTOP)
        elif fault == "scheduler restarts":
            cluster.kill("scheduler")
            cluster.scheduler()
        elif fault == "connection cut":
            detour.cut(luck.uniform(1, 10))
        code, told, said = cluster.ended(race)
        seconds = time.monotonic() - begun
        if fault == "frozen":
            cluster.running[victim].send_signal(signal.SIGCONT)
    assert seconds < NO_HANG, said
    assert "Traceback" not in said
    hosts = {one["name"]: one for one in told["hosts"]}
    fails = fault in ("full disk", "wrong version")
    assert (code, set(hosts)) == (1 if fails else 0, {f"test-{name}" for name in names}), said
    own = hosts[f"test-{victim}"]
    assert len(results_of(cluster)) == (2 if fails else 3)  # each with all its samples, and none twice
    words = {
        "full disk": "No space left",
        "wrong version": "0.0.1",
        "frozen": "nothing was heard",
        "killed": "nothing was heard",
    }
    if own["ran_on"] or fails or fault == "killed":  # others may have come back in time, or been done
        assert words.get(fault, "") in own["detail"], own
    if fault == "scheduler restarts":
        assert "is lost; waiting for it" in said


@pytest.mark.slow
def test_clients_take_turns_and_one_that_is_interrupted_goes_on_later(cluster: Cluster) -> None:
    cluster.workers(only={"FLEET_TEST_SLEEP": "0.3"})
    again = native.call(*command(["fleet", "join", cluster.address, "--name", "test-only"]))
    assert again.returncode == 2
    assert "a worker called test-only works for" in again.stderr
    words = [*SMALL, *SLOWLY, "--on", cluster.address, "--out"]
    first = cluster.race(*words, "a.fleet")
    cluster.until("only", "begins")
    second = cluster.race(*words, "b.fleet")
    cluster.running[first].send_signal(signal.SIGTERM)  # as Ctrl-C, which some shells let nobody hear
    code, told, said = cluster.ended(first)
    assert code == 130, said
    assert states(told) == {"test-only": "open"}
    assert "headrace run --resume a.fleet goes on" in said
    assert not (cluster.folder / "a").exists()
    third = cluster.race(*SLOWLY, "--resume", "a.fleet")
    for race in (second, third):
        code, told, said = cluster.ended(race)
        assert code == 0, said
        assert states(told) == {"test-only": "done"}
    turns = [word for word in cluster.said("only").split() if word in ("begins:", "stopped", "done")]
    assert turns == ["begins:", "stopped", "begins:", "done", "begins:", "done"]
