"""The documents and their code blocks, as tests read them: see project/test_documents.py."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from checkout import TOP

PAGES = [
    TOP / "README.md",
    TOP / "CONTRIBUTING.md",
    TOP / "examples" / "README.md",
    TOP / "examples" / "contest" / "README.md",
    *sorted((TOP / "docs").rglob("*.md")),
]
FENCE = re.compile(r"^(`{3,})(\w*)(?: title=\"([^\"]+)\")?\s*$")
REMARK = re.compile(r"^<!-- (given|needs|follow): (.*) -->$")


@dataclass
class Block:
    """A fenced block and what is around it."""

    page: Path
    line: int  # of its first line of code
    language: str
    title: str
    text: str
    given: str = ""
    needs: list[str] = field(default_factory=list)
    follow: str = ""
    beside: dict[str, str] = field(default_factory=dict)  # title -> text of the blocks after it

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(TOP)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """Read a page's blocks in order; a titled text block belongs to the one before it."""
    found: list[Block] = []
    lines = page.read_text("utf-8").splitlines()
    remarks: dict[str, str] = {}
    at = 0
    while at < len(lines):
        remark, fence = REMARK.match(lines[at]), FENCE.match(lines[at])
        if remark:
            remarks[remark[1]] = remark[2]
        if fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith(fence[1]))
            text = "\n".join(lines[at + 1 : end]) + "\n"
            block = Block(page, at + 2, fence[2], fence[3] or "", text, remarks.pop("given", ""))
            block.needs = remarks.pop("needs", "").split()
            block.follow = remarks.pop("follow", "")
            if block.title and found:
                found[-1].beside[block.title] = text
            else:
                found.append(block)
            at = end
        at += 1
    assert not remarks, f"{page.name}: a remark {remarks} comes before no block"
    return found
