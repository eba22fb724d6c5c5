// SPDX-License-Identifier: MIT
// Handouts become HTML, and nothing that a handout says can act on the page.
#include "sim/commands/lab/page/markdown.h"

#include <string>

#include <catch2/catch.hpp>

#include "sim/commands/lab/page/templates.h"

using namespace gpusim::lab;
using Catch::Matchers::Contains;

namespace {

std::string html(const std::string& markdown) {
  return html_of(markdown, [](std::string_view name) {
    return name == "pictures/a.png" ? std::string("data:image/png;base64,AA==") : std::string();
  });
}

}  // namespace

TEST_CASE("Markdown becomes headings, paragraphs, lists, code and tables") {
  CHECK(html("# A\n\n## B c\n") == "<h1>A</h1>\n<h2>B c</h2>\n");
  CHECK(html("one *two* **three** `four`\n") == "<p>one <em>two</em> <strong>three</strong> <code>four</code></p>\n");
  CHECK_THAT(html("3. a\n\n   ```\n   x < y\n   ```\n"),
             Contains("<ol start=\"3\">") && Contains("<pre tabindex=\"0\"><code>x &lt; y\n</code></pre>"));
  CHECK_THAT(html("| a | b |\n| --- | ---: |\n| 1 | 2 |\n"),
             Contains("<th scope=\"col\">a</th>") && Contains("<td class=\"number\">2</td>"));
}

TEST_CASE("HTML in a handout is shown, not obeyed") {
  for (const char* const hostile :
       {"<script>alert(1)</script>\n", "a <img src=x onerror=alert(1)> b\n", "<!-- x --><iframe src=y></iframe>\n",
        "`<b>`\n", "```\n</code></pre><script>\n```\n", "    <style>\n", "| <b> |\n| --- |\n| <i> |\n",
        "[a](https://x.y \"<b>\")\n", "![<b>](pictures/a.png)\n", "# <b>\n", "<b@c.de>\n"}) {
    const std::string made = html(hostile);
    INFO(made);
    for (const char* const element : {"<script", "<img src=x", "<iframe", "<b>", "<i>", "<style", "<!--"}) {
      CHECK_THAT(made, !Contains(element));
    }
  }
}

TEST_CASE("links lead to the web, and to nowhere else") {
  CHECK_THAT(html("[a](https://x.y/?b&c=\"d)\n"),
             Contains("<a href=\"https://x.y/?b&amp;c=&quot;d\"") && Contains("rel=\"noreferrer noopener\""));
  for (const char* const address :
       {"javascript:alert(1)", "JavaScript:alert(1)", "javascript&colon;alert(1)", "&#106;avascript:alert(1)",
        "data:text/html,x", "file:///etc/passwd", "../../roofline.md", "//x.y", "https&#58;//x.y"}) {
    CHECK(html("[a](" + std::string(address) + ")\n") == "<p>a</p>\n");
  }
  CHECK(html("<javascript:alert(1)>\n") == "<p>javascript:alert(1)</p>\n");
}

TEST_CASE("a picture stands in the page, or its description does") {
  CHECK(html("![one *two*](pictures/a.png)\n") == "<p><img src=\"data:image/png;base64,AA==\" alt=\"one two\"></p>\n");
  CHECK(html("![one](pictures/b.png)\n") == "<p>one</p>\n");
  CHECK(html("![\" onload=\"x](pictures/a.png)\n") ==
        "<p><img src=\"data:image/png;base64,AA==\" alt=\"&quot; onload=&quot;x\"></p>\n");
}

TEST_CASE("a zero byte, brackets without an end and deep nesting are only text") {
  CHECK(html(std::string("a\0b\n", 4)) ==
        "<p>a\xef\xbf\xbd"
        "b</p>\n");
  CHECK_THAT(html(std::string(20'000, '[')), Contains("[[["));
  CHECK_THAT(html(std::string(2'000, '>') + " a\n"), Contains("a"));
  CHECK_THAT(html(std::string(20'000, '*') + "a" + std::string(20'000, '*')), Contains("a"));
}

TEST_CASE("what a text says is not a mark of the page") {
  CHECK(filled_page("<@A@-@B@>", {{"@A@", "@B@"}, {"@B@", "@A@"}}) == "<@B@-@A@>");
}

TEST_CASE("a block of code may be the table of a picture, whose settings the page's script reads") {
  CHECK(html("```picture race length=64 \"ghz\"\n1 2\n```\n") ==
        "<pre tabindex=\"0\" data-picture=\"race length=64 &quot;ghz&quot;\"><code>1 2\n</code></pre>\n");
  CHECK(html("```pictures\n1\n```\n") == "<pre tabindex=\"0\"><code>1\n</code></pre>\n");
  CHECK(html("```picture\n1\n```\n") == "<pre tabindex=\"0\"><code>1\n</code></pre>\n");
  CHECK(html("```picture &#34;onload\n1\n```\n") == "<pre tabindex=\"0\"><code>1\n</code></pre>\n");
}
