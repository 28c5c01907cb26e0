#!/usr/bin/env python3
"""Fill in the packages of packaging/ for a release: its version, its archive's address and checksums.

The version has one home, include/headrace/config.hpp, and is taken from the archive's own:

    tools/packages.py dist/headrace-1.2.3.tar.gz --url https://.../headrace-1.2.3.tar.gz \\
        --homepage https://... --maintainer "Name <mail@...>" -o packages

vcpkg/ is then a folder of overlay ports, xmake/ a repository of packages, homebrew/Formula/headrace.rb a
formula of a tap, rpm/headrace.spec what rpmbuild takes, and debian/ belongs into the unpacked archive. (The
recipes for Conan and Meson read config.hpp themselves and need no filling in.) Changes are dated by
SOURCE_DATE_EPOCH where it is set, else today.
"""

from __future__ import annotations

import argparse
import datetime
import email.utils
import hashlib
import os
import re
import shutil
import sys
import tarfile
import time
import zlib
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "lab"))
from headrace import version_in  # noqa: E402

PACKAGING = TOP / "packaging"
PLACES = {  # a folder of packaging/ -> where its files go
    "vcpkg": "vcpkg/headrace",
    "xmake": "xmake/packages/h/headrace",
    "homebrew": "homebrew/Formula",
    "rpm": "rpm",
    "debian": "debian",
}
FIELD = re.compile(r"@([A-Z][A-Z0-9_]*)@")


class Refused(Exception):
    """What is wrong with what was given, as a sentence."""


def version_of(archive: Path) -> str:
    """Return an archive's version. Raises Refused."""
    try:
        with tarfile.open(archive) as files:
            names = files.getnames()
            tops = {name.split("/")[0] for name in names}
            if len(tops) != 1:
                raise Refused(f"{archive}: {len(tops)} folders at its top, not headrace-VERSION alone")
            (top,) = tops
            name = f"{top}/include/headrace/config.hpp"
            if name not in names:
                raise Refused(f"{archive}: has no {name}: give an archive of the source")
            config = files.extractfile(name)
            assert config is not None  # it is a file of the archive
            version = version_in(config.read().decode("utf-8"))
    except OSError as error:
        raise Refused(f"cannot read {archive}: {error.strerror or error}") from error
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise Refused(f"cannot read {archive}: it is no whole tar archive") from error
    except ValueError as error:
        raise Refused(f"{archive}: {error}") from error
    if top != f"headrace-{version}":
        raise Refused(f"{archive}: its folder is {top}, and its config.hpp says version {version}")
    return version


def fields_of(archive: Path, url: str, homepage: str, maintainer: str) -> dict[str, str]:
    """Return what the files of packaging/ have between @ and @. Raises Refused."""
    if not re.fullmatch(r"[^<>@\n]+ <[^<>@\s]+@[^<>@\s]+>", maintainer):
        raise Refused(f"--maintainer {maintainer!r}: write 'Name <mail@example.org>'")
    for option, address in (("--url", url), ("--homepage", homepage)):
        if not re.fullmatch(r"(https|file)://[^\s\"'\\]+", address):
            raise Refused(f"{option} {address!r}: write an address that starts with https://")
    version = version_of(archive)
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or str(int(time.time()))
    if not re.fullmatch(r"\d{1,10}", epoch):
        raise Refused(f"SOURCE_DATE_EPOCH is {epoch!r}: set it to seconds since 1970, or not at all")
    date = datetime.datetime.fromtimestamp(int(epoch), datetime.UTC)
    content = archive.read_bytes()
    return {
        "VERSION": version,
        "URL": url,
        "HOMEPAGE": homepage,
        "MAINTAINER": maintainer,
        "SHA256": hashlib.sha256(content).hexdigest(),
        "SHA512": hashlib.sha512(content).hexdigest(),
        "DATE_OF_DEBIAN": email.utils.format_datetime(date),
        "DATE_OF_RPM": f"{email.utils.format_datetime(date)[:3]} {date:%b} {date:%d %Y}",
    }


def fill_in(fields: dict[str, str], out: Path) -> list[Path]:
    """Write all packages below a folder and return the files. Raises Refused."""
    made = []
    for folder, place in PLACES.items():
        for source in sorted(path for path in (PACKAGING / folder).rglob("*") if path.is_file()):
            file = out / place / source.relative_to(PACKAGING / folder)
            file.parent.mkdir(parents=True, exist_ok=True)
            text = FIELD.sub(lambda field: fields[field[1]], source.read_text("utf-8"))
            file.write_text(text, "utf-8")
            shutil.copymode(source, file)
            made.append(file)
    return made


def main() -> int:
    """Write the packages and name them; return 2 for what a person has to mend."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="tools/packages.py"
    )
    parser.add_argument("archive", type=Path, help="headrace-VERSION.tar.gz, the source")
    parser.add_argument("--url", required=True, help="where that file will be")
    parser.add_argument("--homepage", required=True)
    parser.add_argument("--maintainer", required=True, help="of the packages: Name <mail@example.org>")
    parser.add_argument("-o", "--out", type=Path, default=Path("packages"))
    given = parser.parse_args()
    try:
        fields = fields_of(given.archive, given.url, given.homepage, given.maintainer)
        if given.out.exists():
            raise Refused(f"{given.out} is there already: remove it, or name another folder with -o")
        for file in fill_in(fields, given.out):
            print(file)
    except Refused as reason:
        print(f"packages: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
