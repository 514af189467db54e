"""Draw the tutorials' pictures by running their blocks: ``python docs/tutorials/pictures.py``."""

import os
import re
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl

HERE = Path(__file__).parent
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^`([\w.-]+\.\w+)`[^\n]*:\n\n```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)

mpl.use("agg")
pages = [HERE / f"{name}.md" for name in sys.argv[1:]] or sorted(HERE.glob("*.md"))
for page in pages:
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, content in FILE.findall(text):
            Path(name).write_text(content, encoding="utf-8")
        names: dict[str, object] = {"__name__": page.stem}
        for block in PYTHON.findall(text):
            exec(compile(block, page.name, "exec"), names)  # noqa: S102, the pages of this folder
        for picture in Path(folder).glob("*.png"):
            (HERE / picture.name).write_bytes(picture.read_bytes())
        os.chdir(HERE)
