"""The API reference, from the comments that open the library's headers: nothing is written twice.

A public header says its contract in the comment at its top, then declares, then includes its body; what it
has to declare itself and no user reads follows a line of dashes. This makes one Markdown page per header: the
contract, and each declaration under the comment above it, without namespace detail, private members and the
bodies of inline functions.

    python tools/api_reference.py -o reference      # the pages as files; `make docs` makes them in memory
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
HEADERS = TOP / "include" / "headrace"

# What users include and call, in the order in which one learns it. The others are parts of these.
PUBLIC = (
    "reader", "writer", "copy", "error", "types", "parse", "format", "utf", "iostreams",
    "columns", "column", "split", "time", "arrow", "gzip", "zstd",
    "replace_iostream", "replace_stdio", "replace_sstream", "bench",
)  # fmt: skip

_LINE_OF_DASHES = re.compile(r"^// -{20,}")
_NAME = (
    re.compile(r"\b(?:class|struct|enum class|enum|union) (\w+)"),
    re.compile(r"\busing (?:[\w:]+::)?(\w+)"),
    re.compile(r"^(?:inline |constexpr |extern )+[\w:]+&? (\w+)(?: =|;)"),
    re.compile(r"(operator\S+|\b\w+)\("),
)
# What a user cannot name, and what a page has in its place.
_IN_DETAIL = (
    (re.compile(r",\s*std::enable_if_t<detail::[^;{}]*?> = 0>"), ">"),
    (re.compile(r",\s*std::enable_if_t<detail::\w+<\w+>>>"), ">"),
    (re.compile(r"^template <class \w+ = detail::\w+>\n", re.MULTILINE), ""),
    (re.compile(r", class = detail::if_\w+<\w+>>"), ">"),
    (re.compile(r"\bdetail::error_base\b"), "std::system_error"),
    (re.compile(r"(class \w+) : public detail::[^{;]+ \{"), r"\1 {"),
    (re.compile(r"\busing detail::open_mode;"), "enum class open_mode;"),
    (re.compile(r"\[\[maybe_unused\]\] inline (\w+&) (\w+) = detail::[\w.]+;"), r"extern \1 \2;"),
)
# The end of a parameter list, what may follow it, and the brace that opens a body.
_BODY = re.compile(r"(\)(?:\s*(?:const|noexcept|&&?)(?![\w(]))*)(?:\s*:(?!:)[^;{}]*)?\s*\{")


class UnreadableHeader(ValueError):
    """A header that does not have the shape described above; says which and where."""


def page(name: str, text: str) -> str:
    """Make the Markdown page of a header from its text. Raises UnreadableHeader."""
    lines = text.splitlines()
    opening = _leading_comment(lines)
    if not opening:
        raise UnreadableHeader(f"{name}.hpp does not open with a comment that says its contract")
    parts = [f"# {name}.hpp", f"`#include <headrace/{name}.hpp>`", *_contract(name, opening)]
    entries = [entry for entry in _entries(name, lines[len(opening) :]) if entry]
    if entries:
        parts.append("## Declarations")
    for heading, prose, code in entries:
        parts += [f"### {heading}", *prose, f"```cpp\n{code}\n```"]
    return "\n\n".join(parts) + "\n"


def pages() -> dict[str, str]:
    """Make every page: file name -> Markdown, with an index."""
    made = {
        f"{name}.md": page(name, (HEADERS / f"{name}.hpp").read_text(encoding="utf-8")) for name in PUBLIC
    }
    rows = [f"| [`{name}.hpp`]({name}.md) | {_first_sentence(made[f'{name}.md'])} |" for name in PUBLIC]
    made["index.md"] = "\n".join(
        [
            "# Reference",
            "",
            "Made from the comments of the headers themselves. `#include <headrace/headrace.hpp>` brings all",
            "of them but `iostreams.hpp`, `columns.hpp`, `column.hpp`, `split.hpp`, `time.hpp`, `arrow.hpp`,",
            "`gzip.hpp`, `zstd.hpp`, `replace_...` and `bench.hpp`, which needs none of the others.",
            "",
            "| header | what it is |",
            "|---|---|",
            *rows,
            "",
        ]
    )
    return made


def _first_sentence(markdown: str) -> str:
    """Give the subject of a page: the first sentence below its title and the line to include."""
    return re.split(r"\.(?=\s)", markdown.split("\n\n", 2)[2].replace("\n", " "), maxsplit=1)[0]


def _leading_comment(lines: list[str]) -> list[str]:
    for at, line in enumerate(lines):
        if not line.startswith("//"):
            return lines[:at]
    return lines


def _contract(name: str, comment: list[str]) -> list[str]:
    """Make paragraphs of "// headrace/reader.hpp: what it is. The rest", from "What" on."""
    first, *more = _paragraphs(comment)
    first = first.removeprefix(f"headrace/{name}.hpp: ")
    return [first[0].upper() + first[1:], *more]


def _paragraphs(comment: list[str]) -> list[str]:
    """Make Markdown of a comment: running text joined, lists kept, indented lines as code."""
    made: list[str] = []
    kind = ""
    for line in comment:
        text = line.strip().removeprefix("//").removeprefix(" ")
        text = text[1:] if text.startswith(" - ") else text
        indent = len(text) - len(text.lstrip())
        now = _kind_of(text, indent, kind)
        if now == "gap":
            kind = "gap" if kind != "code" else "code gap"
            continue
        if now == "code":
            if kind not in ("code", "code gap"):
                made.append("")
            elif kind == "code gap":
                made[-1] += "\n"
            made[-1] += f"{text}\n"
        elif now in ("more", kind):
            made[-1] += f"\n{text}"
        else:
            made.append(text)
        kind = "item" if now == "more" else now
    return [_fenced(piece) if piece.startswith("  ") else _escaped(piece) for piece in made]


def _kind_of(text: str, indent: int, before: str) -> str:
    if not text.strip():
        return "gap"
    if text.lstrip().startswith("- ") and indent < 3:
        return "item"
    if before == "item" and indent in (2, 3):
        return "more"  # a list item goes on
    return "code" if indent >= 2 else "text"


def _fenced(code: str) -> str:
    lines = code.rstrip("\n").split("\n")
    shift = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    body = "\n".join(line[shift:] for line in lines)
    language = "cpp" if ";" in body or "#include" in body else "text"
    return f"```{language}\n{body}\n```"


def _escaped(prose: str) -> str:
    """Keep Markdown from reading io<T>, a * b or __int128 as markup, outside `code`."""
    pieces = prose.split("`")
    for at in range(0, len(pieces), 2):
        pieces[at] = re.sub(r"(?<!\w)[*_]", r"\\\g<0>", pieces[at].replace("<", "&lt;"))
    return "`".join(pieces)


def _entries(name: str, lines: list[str]) -> list[tuple[str, list[str], str]]:
    """Give each public declaration: heading, the paragraphs of its comment, the code."""
    made: list[tuple[str, list[str], str]] = []
    taken: set[str] = set()
    for comment, code in _declarations(name, lines):
        shown = _trimmed(code)
        if not shown or re.fullmatch(r"(?:(?:class|struct) \w+;\s*)+", shown):
            continue
        heading = _heading(shown)
        if heading in taken:  # another overload, set apart by its comment
            heading += " (more)"
        taken.add(heading)
        made.append((heading, _paragraphs(comment), shown))
    return made


def _declarations(name: str, lines: list[str]) -> list[tuple[list[str], list[str]]]:
    """Split what namespace headrace holds, above a line of dashes, into (comment, code)."""
    made: list[tuple[list[str], list[str]]] = []
    comment: list[str] = []
    code: list[str] = []
    depth = hidden = 0
    inside = False
    for number, line in enumerate(lines):
        if _LINE_OF_DASHES.match(line):
            break
        if hidden or (depth == 0 and re.match(r"namespace (headrace::)?detail", line)):
            hidden += _balance(line)
            continue
        if depth == 0 and line == "namespace headrace {":
            inside = True
            continue
        if depth == 0 and re.fullmatch(r"inline namespace HEADRACE_\w+ {", line):  # which users never name
            continue
        if depth == 0 and (line.startswith("}") or not line.strip() or (line.startswith("//") and code)):
            if code:
                made.append((comment, code))
            comment, code = [], []
            inside = inside and not line.startswith("}  // namespace headrace")
        if not inside or (depth == 0 and (line.startswith("}") or not line.strip())):
            continue
        if depth == 0 and line.startswith("//"):
            comment.append(line)
            continue
        code.append(line)
        depth += _balance(line)
        if depth < 0:
            raise UnreadableHeader(f"{name}.hpp: unbalanced braces near line {number}: {line}")
    return made + ([(comment, code)] if code else [])


def _balance(line: str) -> int:
    plain = re.sub(r"'[{}]'|\"[^\"]*\"|//.*", "", line)
    return plain.count("{") - plain.count("}")


def _trimmed(code: list[str]) -> str:
    """Drop private members and preprocessor lines, then the bodies of functions."""
    kept: list[str] = []
    hidden = False
    for line in code:
        if re.match(r"\s+private:", line):
            hidden = True
        elif re.match(r"\s+public:", line) or line.startswith("}"):
            hidden = False
        if hidden or line.startswith("#"):
            continue
        kept.append(line.replace("HEADRACE_INLINE ", "").replace("HEADRACE_COLD ", ""))
    text = _without_bodies("\n".join(_without_last_gap(kept)))
    for pattern, shown in _IN_DETAIL:
        text = pattern.sub(shown, text)
    return "\n".join(_without_last_gap(_without_detail(text.split("\n"))))


def _without_detail(lines: list[str]) -> list[str]:
    """Drop members that take or return what a user cannot name, each with the comment above it."""
    kept: list[str] = []
    for line in lines:
        if "detail::" in line and line.startswith("  "):
            while kept and kept[-1].lstrip().startswith("//"):
                kept.pop()
        else:
            kept.append(line)
    return kept


def _without_last_gap(lines: list[str]) -> list[str]:
    """Drop empty lines that follow another, and those before the brace that closes a class."""
    kept: list[str] = []
    for line in lines:
        while (line.startswith("}") or not line.strip()) and kept and not kept[-1].strip():
            kept.pop()
        kept.append(line)
    return kept


def _without_bodies(text: str) -> str:
    made = ""
    while found := _BODY.search(re.sub("//.*", lambda prose: " " * len(prose[0]), text)):
        depth, at = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        made += text[: found.start()] + re.sub(r"\s+", " ", found[1]) + ";"
        text = text[at:]
    return made + text


def _heading(code: str) -> str:
    """Name what a piece of code declares: "`words`, `lines`"."""
    names: list[str] = []
    for statement in re.split(r";\n(?=\S)", code):
        line = re.sub(r"template <.*>\n|\[\[[^\]]*\]\] ", "", statement).split("\n")[0]
        for pattern in _NAME:
            if found := pattern.search(line):
                if found[1] not in names:
                    names.append(found[1])
                break
    return ", ".join(f"`{one}`" for one in names) or "`" + code.split("\n")[0] + "`"


def main() -> None:
    """Write the pages into a folder."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="folder for the pages, made if absent"
    )
    folder = parser.parse_args().output
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages().items():
            (folder / name).write_text(text, encoding="utf-8")
    except (OSError, UnreadableHeader) as error:
        sys.exit(f"api_reference: {error}")


if __name__ == "__main__":
    main()
