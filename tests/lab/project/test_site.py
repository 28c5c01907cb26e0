"""The site builds strictly, nothing in it is loaded from elsewhere, and it can be read on a phone."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import re
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import native
from headrace import __version__

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("mkdocs") is None,
        reason="mkdocs is missing: pip install '.[docs]', or make docs",
    ),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages, as `make docs` builds them."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    done = native.call(*words, cwd=native.TOP)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_site_builds_and_stands_alone(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert {"index.html", "which.html", "contract.html"} <= {page.name for page in pages}
    assert (site / "reference" / "reader.html").exists()
    assert (site / "search" / "search_index.json").exists()
    for page in pages:
        text = page.read_text("utf-8")
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"?(https?://[^\" >]+)", text)
        assert not [url for url in loaded if not url.startswith("https://squidfunk")], (
            f"{page.name}: {loaded}"
        )
        assert f"headrace {__version__}" in text, f"{page.name} does not say its version"


def test_no_page_is_wider_than_a_phone(site: Path, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    for file in sorted(site.rglob("*.html")):
        page.goto(file.as_uri(), wait_until="domcontentloaded")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, f"{file.relative_to(site)} is {width} wide"


def test_tables_and_code_fit_a_desktop(site: Path, browser: Any) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    for file in sorted(site.rglob("*.html")):
        page.goto(file.as_uri(), wait_until="domcontentloaded")
        cut = page.evaluate(
            """() => {
                const longest = each => Math.max(...each.innerText.split("\\n").map(line => line.length));
                return [...document.querySelectorAll("article .md-typeset__scrollwrap, article pre > code")]
                    .filter(each => each.scrollWidth > each.clientWidth + 1)
                    .filter(each => each.localName != "code" || longest(each) <= 120)
                    .map(each => each.innerText.slice(0, 60));
            }"""
        )
        assert not cut, f"{file.relative_to(site)}: {cut}"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


def test_the_search_finds_a_name_within_a_call(site: Path, browser: Any) -> None:
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))
    ) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        page.click("input[name=query]")  # which loads the index
        page.keyboard.type("at_exit_failure")
        found = page.locator(".md-search-result__link")
        found.first.wait_for(state="attached")
        pages = {link.get_attribute("href").rpartition("/")[2] for link in found.all()}
        server.shutdown()
    assert {"writer.html", "limits.html"} <= {name.partition("#")[0].partition("?")[0] for name in pages}
