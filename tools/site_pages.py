#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tools/site does besides MkDocs: lays the documents out, writes the table of contents, checks the links.

The pages keep their places in the tree, so links between them stay as they are. The table of contents has the sections
of docs/README.md, and in each the pages that its rows link to. A page that it does not name stands where the page
stands that speaks for its folder: docs/labs/tiling/README.md with docs/labs/README.md.
"""
import argparse
import html.parser
import json
import pathlib
import re
import shutil
import sys
import urllib.parse

import check_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
LANDING = pathlib.PurePosixPath("docs/README.md")
SECTION = re.compile(r"^## +(.*)$")
PAGES = "*.md"
TEMPLATE = "handout.md"  # of a lab: `gpusim lab` puts each student's numbers in
CONFIG = {
    "site_name": "gpusim",
    "theme": {"name": "material", "font": False, "features": ["navigation.top"]},
    "plugins": ["search"],
    "extra_css": ["site.css"],
}
# Reports are 100 columns wide.
STYLE = """.md-grid { max-width: 84rem; }
.md-typeset pre > code { font-size: 0.64rem; }
"""


def slugify(heading, _separator):
    """The anchor of a heading, as it is in the repository; MkDocs calls this."""
    return check_text.anchor_of(heading)


def pages_of(root):
    """The front page, the rules, and all documents."""
    docs = (path for path in (root / "docs").rglob(PAGES) if path.name != TEMPLATE)
    return [path.relative_to(root) for path in [root / "README.md", root / "CONTRIBUTING.md", *sorted(docs)]]


def linked_files(root, page):
    """The files of the repository that a page links to, relative to its root."""
    for target, _ in check_text.LINK.findall(check_text.FENCED.sub("", (root / page).read_text(encoding="utf-8"))):
        if target and "://" not in target and not target.startswith("mailto:"):
            file = (root / page.parent / target).resolve()
            if file.is_file():
                yield file.relative_to(root.resolve())


def copied_files(root):
    """The pages, and whatever they link to, which may be pages again."""
    found = set()
    left = pages_of(root)
    while left:
        file = left.pop()
        if file not in found:
            found.add(file)
            left += linked_files(root, file) if file.suffix == ".md" else []
    return sorted(found)


def sections_of(root):
    """The sections of the landing page: a heading, and the pages that its rows name first."""
    sections = []
    for line in (root / LANDING).read_text(encoding="utf-8").splitlines():
        if heading := SECTION.match(line):
            sections.append((heading[1], []))
        elif sections:
            for target, _ in check_text.LINK.findall(line):
                page = (root / LANDING.parent / target).resolve().relative_to(root.resolve())
                if page.suffix == ".md" and not any(page in pages for _, pages in sections):
                    sections[-1][1].append(page)
    return sections


def speaker_of(page):
    """The page that speaks for the folder of another: labs/README.md for labs/tiling/README.md, x.md for x/y.md."""
    folder = page.parent if page.name != "README.md" else page.parent.parent
    return folder / "README.md", folder.with_suffix(".md")


def contents_of(root):
    """The table of contents as MkDocs has it. Raises LookupError with the pages that nothing leads to."""
    lost = []
    sections = sections_of(root)
    front = [pathlib.Path("README.md"), pathlib.Path(LANDING)]
    for page in pages_of(root):
        if page in front or any(page in pages for _, pages in sections):
            continue
        for _, pages in sections:
            if any(speaker in pages for speaker in speaker_of(page)):
                pages.append(page)
                break
        else:
            lost.append(f"{page}: {LANDING} does not lead to it")
    if lost:
        raise LookupError("\n".join(lost))
    return [{"gpusim": "README.md"}, {"All pages by task": str(LANDING)},
            *({heading: [str(page) for page in pages]} for heading, pages in sections)]


def lay_out(root, build):
    """Copies the pages to build/site-pages, and writes what MkDocs is to do."""
    folder = build / "site-pages"
    shutil.rmtree(folder, ignore_errors=True)
    for file in copied_files(root):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, folder / file)
    (folder / CONFIG["extra_css"][0]).write_text(STYLE, encoding="utf-8")
    config = CONFIG | {"docs_dir": str(folder), "site_dir": str(build / "site"), "nav": contents_of(root)}
    # JSON is YAML; only the function's name has a form that JSON lacks.
    text = json.dumps(config, indent=1).removesuffix("\n}")
    toc = '{"toc": {"slugify": !!python/name:site_pages.slugify , "permalink": true}}'
    text += f',\n "markdown_extensions": [{toc}]\n}}\n'
    (build / "site-pages.yml").write_text(text, encoding="utf-8")


class Page(html.parser.HTMLParser):
    """The links of a page, and the places in it."""

    def __init__(self, file):
        super().__init__()
        self.links = []
        self.places = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)


def dead_links(site):
    """Links of a built site that lead to no file of it, or to no place in the page."""
    pages = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            base = site if parts.path.startswith("/") else file.parent
            target = (base / urllib.parse.unquote(parts.path).lstrip("/")).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            place = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or (place and target in pages and place not in pages[target].places):
                yield f"{file.relative_to(site)}: the link {link} leads nowhere"


def check(build):
    site = (build / "site").resolve()
    problems = list(dead_links(site))
    pages = len(list(site.rglob("*.html")))
    print("\n".join(problems) or f"{build.name}/site: {pages} pages, every link leads somewhere")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["lay-out", "check"])
    if parser.parse_args().what == "check":
        return check(ROOT / "build")
    try:
        lay_out(ROOT, ROOT / "build")
    except LookupError as error:
        print(error.args[0], file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
