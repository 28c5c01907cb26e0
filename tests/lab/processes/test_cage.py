"""The cage of contenders: whatever one does, nothing of it is left, and the others have what they had."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import native
from headrace.machine import doctor
from headrace.matrix.compilers import Toolchain
from headrace.processes import cage, launch
from headrace.processes.box import Cage
from headrace.processes.launch import Expected, Request
from headrace.results.failure import Failure
from headrace.results.schema import Sample

SOURCE = Path(__file__).with_name("hostile.cpp")
SPOT = "headrace-hostile-spot"
CASES = re.findall(r'^    \{"(.*?)", "(.*?)", "(.*?)",', SOURCE.read_text(), re.MULTILINE)
TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")


@pytest.fixture(scope="module")
def hostile(chains: list[Toolchain]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "hostile"
        words = ["g++", "-std=c++17", "-O1", "-pthread", "-o", program, SOURCE]
        native.compiler(*words).check_returncode()
        yield program


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a file, and a working folder below it."""
    (tmp_path / "work").mkdir()
    (tmp_path / "letter").write_text("dear all\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


def whole() -> Cage:
    """The cage that this machine allows, with all of its parts."""
    lacking = cage.look(Path.cwd()).lacking
    made = cage.here()
    if made is None or lacking:
        pytest.skip(f"no namespaces here: {'; '.join(lacking.values())}")
    return made


@pytest.fixture
def neighbours(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What listens on the loopback, and at a name without a file."""
    name = f"headrace{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as nameless:
        nameless.bind(f"\0{name}")
        nameless.listen()
        monkeypatch.setenv("PORT", str(port.getsockname()[1]))
        monkeypatch.setenv("NAME", name)
        yield


def processes() -> list[str]:
    done = subprocess.run(["ps", "-eo", "pid,stat,comm,args"], capture_output=True, text=True, check=True)
    ours = re.compile(r" *\d+ +\S+ +(hostile(-spot)? |sleep +sleep 61\.5)")  # names: a test has any arguments
    return [line for line in done.stdout.splitlines() if ours.match(line)]


def spots(home: Path) -> list[str]:
    """What is left of files and shared memory."""
    found = [str(path) for path in home.rglob("*") if SPOT in path.name]
    found += [str(path) for top in TEMPORARY for path in Path(top).glob(f"*{SPOT}*")]
    return found + [
        line for line in Path("/proc/sysvipc/shm").read_text().splitlines() if "1213354832" in line
    ]


def state(home: Path, program: Path, given: Path) -> tuple[object, ...]:
    """All that has to be as it was."""
    settings = (
        "/proc/sys/vm/swappiness",
        "/sys/kernel/mm/transparent_hugepage/enabled",
        "/proc/self/mountinfo",
    )
    own = [Path(name).read_text() for name in settings if os.path.exists(name)]
    facts = [(each.stat().st_mode, each.stat().st_size, each.stat().st_mtime_ns) for each in (program, given)]
    return (*own, *facts, given.read_bytes(), (home / "letter").read_text())


def test_there_are_as_many_as_the_document_says() -> None:
    assert len(CASES) >= 50 and len({name for name, _, _ in CASES}) == len(CASES)
    assert f"{len(CASES)} programs that behave badly" in (native.TOP / "docs/security.md").read_text("utf-8")


@pytest.mark.usefixtures("whole_machine", "neighbours")
@pytest.mark.parametrize(("name", "outcome", "detail"), CASES, ids=[name for name, _, _ in CASES])
def test_nothing_is_left_of_a_hostile_contender(
    hostile: Path, home: Path, monkeypatch: pytest.MonkeyPatch, name: str, outcome: str, detail: str
) -> None:
    monkeypatch.setattr(launch, "MOST", 1 << 26)
    given = home / "input"
    given.write_text("1 2 3\n" * 1000)
    before = state(home, hostile, given)
    request = Request(
        [str(hostile), name],
        source="file",
        input=given,
        expected=Expected(text="42"),
        timeout=0.3 if outcome == "TIMED OUT" else 60.0,
        data=1 << 30,
        cage=whole(),
    )
    ended = launch.run(request)
    said = (ended.outcome, ended.detail) if isinstance(ended, Failure) else ("ok", "")
    assert said[0] == outcome and detail in said[1], said
    assert state(home, hostile, given) == before
    assert (processes(), spots(home)) == ([], [])
    # the next one finds what the first one found
    assert isinstance(launch.run(Request(["cat"], source="file", input=given, cage=whole())), Sample)


@pytest.mark.usefixtures("neighbours", "chains")
def test_a_benchmark_that_asks_for_the_network_has_it(hostile: Path, home: Path) -> None:
    whole()
    for network, status in ((True, 7), (False, 0)):
        ended = launch.run(
            Request([str(hostile), "opens a connection"], cage=cage.here(network), status=status)
        )
        assert isinstance(ended, Sample), ended


@pytest.mark.usefixtures("chains")
def test_files_are_a_run_s_own(home: Path) -> None:
    script = "test ! -e ../seen && echo x > ../seen && cat ../letter >&2 && mktemp >&2 && echo 42"
    for _ in range(2):
        ended = launch.run(Request(["sh", "-c", script], cage=whole(), expected=Expected(text="42")))
        assert isinstance(ended, Sample), ended
    assert not (home / "seen").exists()


@pytest.mark.usefixtures("whole_machine", "chains")
def test_a_cage_that_is_ended_takes_all_with_it(home: Path) -> None:
    script = "setsid sleep 61.5 & setsid sh -c 'setsid sleep 61.5 & sleep 61.5' & sleep 61.5"
    words = whole().around([str(launch.launcher()), "--", "sh", "-c", script], [], [])
    for end in (subprocess.Popen.terminate, subprocess.Popen.kill):
        with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
            until = time.monotonic() + 20
            while len(processes()) < 4 and time.monotonic() < until:
                time.sleep(0.05)
            end(process)
            process.wait(20)
        until = time.monotonic() + 20
        while processes() and time.monotonic() < until:  # they end a moment after one that was killed
            time.sleep(0.05)
        assert processes() == []


@pytest.mark.usefixtures("chains")
def test_what_is_not_available_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    # As in a container: there is no right to make namespaces, nor users.
    limit = Path("/proc/sys/user/max_mnt_namespaces")
    if not limit.exists():
        pytest.skip("this kernel has no bound on namespaces")
    root = ["unshare", "--user", "--map-root-user", "sh", "-c", f'echo 0 > {limit} && exec "$@"', "sh"]
    done = subprocess.run(
        [*root, str(launch.launcher()), "--box", "--private", "/tmp", "--", "true"],
        capture_output=True,
        text=True,
    )
    if "echo" in done.stderr or "unshare" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 2 and "launch: no namespaces: No space left on device" in done.stderr


def test_doctor_names_what_a_cage_lacks(chains: list[Toolchain], monkeypatch: pytest.MonkeyPatch) -> None:
    found = cage.Found(lacking={cage.NETWORK: "Operation not permitted"})
    monkeypatch.setattr(cage, "look", lambda folder: found)
    check = doctor._cage(chains, lambda chains: None)
    assert check.found == "contenders can reach the network (Operation not permitted)"
    assert (check.state, check.advice) == ("disturbs", cage.HOW_TO_ALLOW)
