"""The command `headrace peers`."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from headrace.base.progress import Line
from headrace.base.screen import beside
from headrace.base.step import Step
from headrace.base.text import plural
from headrace.commands.options import Json
from headrace.machine.peers import Peer, Peers, look

EXAMPLE = "headrace peers --json"


def peers(as_json: Json = False) -> None:
    """List the other libraries that contenders use: where, which version, and how to get the rest."""
    with Line() as line:
        known = look(lambda what: line.show(Step("toolchains", what, 0, 0)))
    if as_json:
        print(known.model_dump_json(indent=1))
    else:
        _show(known, Console())


def _show(known: Peers, console: Console) -> None:
    width = max(len(peer.name) for peer in known.peers)
    for peer in known.peers:
        start = Text.assemble(
            (f"{'yes' if peer.toolchains else 'no':<5}", "green" if peer.toolchains else "yellow"),
            f"{peer.name:<{width}}  ",
        )
        beside(start, [_said(peer)], console)
    folders = ", ".join(known.folders) or "none; it is a list of folders with headers or clones, like PATH"
    console.print(Text(f"HEADRACE_PEERS: {folders}", style="dim"), soft_wrap=True)
    if known.command:
        console.print(Text(f"The packages of what is missing: {known.command}"), soft_wrap=True)


def _said(peer: Peer) -> str:
    used = f"for {plural(len(peer.contenders), 'contender')}" if peer.contenders else "for no contender"
    if not peer.toolchains:
        return f"{peer.get} ({used})"
    return f"{peer.version or 'version unknown'}, {used}, found by {', '.join(peer.toolchains)}"
