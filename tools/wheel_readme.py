"""A hook of hatchling: the README as a wheel carries it, away from the files that it links to."""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

SOURCE = "*Files that are named here are in the source distribution.*\n"


def without_links(text: str) -> str:
    """Return Markdown with the paths of other files in place of links to them; code stays as it is."""
    # A picture, with its caption.
    text = re.sub(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n\*[^*]*\*\n", SOURCE, text)
    return re.sub(r"```.*?```|`[^`]*`|\[([^\]]*)\]\((?!https?:)([^)#]*)[^)]*\)", as_text, text, flags=re.S)


def as_text(found: re.Match[str]) -> str:
    """Return what a link says, and where it leads if that is another file; or code."""
    text, path = found.groups()
    if text is None:
        return found[0]
    if not path:
        return str(text)
    return f"`{path}`" if text == path else f"{text} (`{path}`)"


class WheelReadme(MetadataHookInterface):
    """Fills in the project's readme."""

    def update(self, metadata: dict[str, object]) -> None:
        """Set the text; it is read again for each build."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_links(text)}
