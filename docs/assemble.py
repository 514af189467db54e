"""Assemble the sources of the site: ``python docs/assemble.py FOLDER``.

The pages of ``docs/`` are read on a forge as they are, with links to files beside them. A site
holds nothing but its own folder, so those files are copied there, and the links turned.
"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "docs"
# Outside docs/, but shown on the site: where they lie, and where the site has them.
GUESTS = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "tests/plots/references": "pictures/plots",
}
LINK = re.compile(r"(\]\()([^)#\s]+)")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)


def links(text: str) -> list[str]:
    """Return the relative targets of a page's links and pictures, those in code left out."""
    targets = [target for _, target in LINK.findall(CODE.sub("", text))]
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def place_on_site(target: Path) -> Path | None:
    """Return where the site has a file of the repository, None if it has not."""
    if target.is_relative_to(SOURCES):
        return target.relative_to(SOURCES)
    for guest, place in GUESTS.items():
        if target.is_relative_to(ROOT / guest):
            return Path(place) / target.relative_to(ROOT / guest)
    return None


def turned(page: Path, text: str) -> str:
    """Return a page whose links to files of the repository lead to their places on the site."""
    here = place_on_site(page)
    assert here is not None

    def turn(match: re.Match[str]) -> str:
        target = match[2]
        if re.match(r"[a-z]+:", target):
            return match[0]
        place = place_on_site((page.parent / target).resolve())
        if place is None:
            raise ValueError(f"{page}: {target} is not on the site; add it to GUESTS")
        return match[1] + Path(*[".."] * len(here.parent.parts), place).as_posix()

    pieces = CODE.split(text)  # every other one is code
    pieces[::2] = [LINK.sub(turn, piece) for piece in pieces[::2]]
    return "".join(pieces)


def files() -> list[Path]:
    """Return every file that the site is made of."""
    places = [SOURCES, *(ROOT / guest for guest in GUESTS)]
    found = [
        path for place in places for path in ([place] if place.is_file() else place.rglob("*"))
    ]
    return [path for path in found if path.is_file() and path.suffix not in {".py", ".pyc"}]


def assemble(folder: Path) -> None:
    """Write all sources of the site to a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in files():
        place = place_on_site(path)
        assert place is not None
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(turned(path, path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(path, target)


if __name__ == "__main__":
    assemble(Path(sys.argv[1]))
