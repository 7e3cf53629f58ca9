"""The pages that readers begin with, and their fenced code."""
import dataclasses
import re

FENCE = re.compile(r"((?:^<!-- [^\n]* -->\n)?)^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclasses.dataclass
class Fence:
    language: str
    text: str
    mark: str  # of the comment in the line before: `file NAME`, `not run: REASON`; or empty


def of(tree):
    """Pages in an order to read them; results and the generated reference are none of them."""
    found = [tree / "README.md", tree / "CONTRIBUTING.md", *sorted((tree / "docs").glob("*.md")), *sorted((tree / "docs" / "experiments").glob("*.md"))]
    return [page for page in found if page.exists() and page.name != "reference.md"]


def put(page, name, text):
    """Puts a text between the page's lines `<!-- name -->` and `<!-- end of name -->`."""
    marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->\n)", re.DOTALL)
    page.write_text(marked.sub(lambda match: match[1] + text + match[2], page.read_text()))


def fences(text):
    return [Fence(language, body, mark.removeprefix("<!-- ").removesuffix(" -->\n")) for mark, language, body in FENCE.findall(text)]
