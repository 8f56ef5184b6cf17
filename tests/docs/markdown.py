"""What the tests of the pages read of Markdown: headings, links and fenced blocks."""
import json
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def pages():
    """Every page that the repository has."""
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*.ipynb"), *ROOT.glob("bench/*.md"),
                   *ROOT.glob("examples/*/*.md")])


def text_of(page):
    """Of a notebook, what is Markdown."""
    if page.suffix != ".ipynb":
        return page.read_text()
    cells = json.loads(page.read_text())["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@dataclass
class Block:
    """A fenced block, and the HTML comments that stand directly above it."""
    line: int
    language: str
    text: str = ""
    comments: list = field(default_factory=list)


def parts(page):
    """Yields (line number, line) outside of blocks, and (line number, Block)."""
    block, comments = None, []
    for number, line in enumerate(text_of(page).splitlines(), 1):
        if block is not None:
            if line.strip() == "```":
                yield block.line, block
                block, comments = None, []
            else:
                block.text += line + "\n"
        elif line.lstrip() != line and line.lstrip().startswith("```"):
            raise ValueError(f"{page}:{number}: a block begins at the margin")
        elif line.startswith("```"):
            block = Block(number, line[3:].strip(), comments=comments)
        else:
            comment = re.fullmatch(r"<!-- (.*) -->", line)
            if comment:
                comments = [*comments, comment[1]]
            elif line:
                comments = []
            yield number, line
    if block is not None:
        raise ValueError(f"{page}:{block.line}: the block has no end")


def blocks(page):
    return [part for _, part in parts(page) if isinstance(part, Block)]


def lines(page):
    return [(number, part) for number, part in parts(page) if isinstance(part, str)]


def in_a_word(character):
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Pc")


def headings(page):
    """The anchors of a page's headings as GitHub makes them, with their levels, in order."""
    found, seen = [], {}
    for _, line in lines(page):
        match = re.match(r"(#+) (.*)", line)
        if not match:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match[2])
        anchor = "".join(c for c in text.strip().lower() if c in "- " or in_a_word(c)).replace(" ", "-")
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        found.append((f"{anchor}-{count}" if count else anchor, len(match[1])))
    return found


def links(page):
    """(line number, target) of the inline links and pictures; what stands in backquotes is no link."""
    text = "\n".join(part if isinstance(part, str) else "\n" * (part.text.count("\n") + 1) for _, part in parts(page))
    text = re.sub(r"`[^`\n]*`", lambda code: re.sub(r"[\[\]()]", "_", code[0]), text)
    for match in re.finditer(r"\]\(([^()\s]+)\)", text):
        yield text.count("\n", 0, match.start()) + 1, match[1]
