"""Checks the finished site: links and anchors lead somewhere, and nothing is loaded from afar."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlparse

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class _Page(HTMLParser):
    """What a page links to, loads, and can be linked at."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        address = given.get(LOADED.get(tag, ""))
        if address and not address.startswith("data:"):
            self.loads.append(address)


def faults(html: Path) -> list[str]:
    """Return what is wrong with the site, in sentences."""
    parsed: dict[Path, _Page] = {}
    for file in sorted(html.rglob("*.html")):
        parsed[file] = _Page()
        parsed[file].feed(file.read_text(encoding="utf-8"))
    result: list[str] = []
    for file, page in parsed.items():
        name = file.relative_to(html)
        far = [address for address in page.loads if urlparse(address).netloc]
        result += [f"{name} loads {address} from the network" for address in far]
        for address in {*page.links, *page.loads}:
            if urlparse(address).scheme or urlparse(address).netloc:
                continue
            target, anchor = _target(html, file, address)
            if not target.is_file():
                result.append(f"{name} links to {address}, which does not exist")
            elif anchor and target in parsed and anchor not in parsed[target].anchors:
                result.append(f"{name} links to {address}, where there is no such anchor")
    for style in html.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or "@import url" in text:
            result.append(f"{style.relative_to(html)} loads something from the network")
    return result


def _target(html: Path, file: Path, address: str) -> tuple[Path, str]:
    """Return the file that an address on a page means, and the anchor in it."""
    base = f"http://site/{file.relative_to(html).as_posix()}"
    parts = urlparse(urljoin(base, address))
    path = html / unquote(parts.path).lstrip("/")
    if path.is_dir():
        path /= "index.html"
    return path, unquote(parts.fragment)
