# SPDX-License-Identifier: MIT
"""The site of the documents: its table of contents, and what its check of links finds."""
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import site_pages  # noqa: E402


def tree_of(files):
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        path = pathlib.Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


FILES = {
    "README.md": "# tool\n\n[a GPU](configs/a.yaml)\n",
    "CONTRIBUTING.md": "# rules\n",
    "configs/a.yaml": "name: a\n",
    "docs/README.md": "# pages\n\n## Run\n\n| one | [one.md](one.md) |\n\n## More\n\n"
                      "| [one](one.md) | [labs](labs/README.md), [rules](../CONTRIBUTING.md) |\n",
    "docs/one.md": "# one\n",
    "docs/one/part.md": "# part\n",
    "docs/labs/README.md": "# labs\n",
    "docs/labs/writing.md": "# writing\n",
    "docs/labs/first/handout.md": "# {{NAME}}\n",
}


class Contents(unittest.TestCase):
    def test_sections_are_those_of_the_landing_page_and_a_page_stands_in_the_first_that_names_it(self):
        with tree_of(FILES) as folder:
            self.assertEqual(site_pages.contents_of(pathlib.Path(folder)), [
                {"gpusim": "README.md"}, {"All pages by task": "docs/README.md"},
                {"Run": ["docs/one.md", "docs/one/part.md"]},
                {"More": ["docs/labs/README.md", "CONTRIBUTING.md", "docs/labs/writing.md"]}])

    def test_pages_that_the_landing_page_does_not_lead_to_are_named(self):
        with tree_of(FILES | {"docs/lost.md": "# lost\n", "docs/far/away.md": "# away\n"}) as folder:
            with self.assertRaisesRegex(LookupError, "(?s)docs/far/away.md: .*docs/lost.md: docs/README.md does not"):
                site_pages.contents_of(pathlib.Path(folder))

    def test_files_that_pages_link_to_are_copied_with_them(self):
        with tree_of(FILES) as folder:
            copied = [str(file) for file in site_pages.copied_files(pathlib.Path(folder))]
            self.assertIn("configs/a.yaml", copied)
            self.assertNotIn("docs/labs/first/handout.md", copied)

    def test_every_page_of_this_tree_has_a_place(self):
        self.assertGreater(len(site_pages.contents_of(ROOT)), 5)


class Links(unittest.TestCase):
    def test_links_to_files_and_places_that_are_not_there_are_found(self):
        pages = {
            "index.html": '<a href="sub/#there">x</a><a href="sub/#nowhere">x</a><a href="#top">x</a><p id="top">'
                          '<img src="missing.png"><a href="https://example.com/no">x</a>',
            "sub/index.html": '<h1 id="there">x</h1><a href="..">x</a><a href="/gone/">x</a>',
        }
        with tree_of(pages) as folder:
            self.assertEqual(list(site_pages.dead_links(pathlib.Path(folder).resolve())), [
                "index.html: the link sub/#nowhere leads nowhere",
                "index.html: the link missing.png leads nowhere",
                "sub/index.html: the link /gone/ leads nowhere"])


if __name__ == "__main__":
    unittest.main()
