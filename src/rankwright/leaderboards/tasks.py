"""Which columns of a table are tasks, and which one names the items."""

import re
from collections.abc import Sequence

import pandas as pd

from rankwright.data.columns import check_alike
from rankwright.data.factors import readings
from rankwright.data.rated_rows import without_sums
from rankwright.data.sheet import Sheet, cell, cells, numbers, require_columns
from rankwright.data.summary_columns import is_summary
from rankwright.leaderboards.columns import holds_texts, named

__all__ = ["directions", "find_tasks"]

DOWN = "↓"  # smaller is better
NAMES = r"models?|items?|names?|systems?|methods?|teams?|players?|products?|algorithms?|runs?"
SMALLER = re.compile(
    r"(.*[\W_])?(latency|ms|sec|seconds?|time|runtime|error|err|loss|perplexity|ppl|toxicity|rmse|mae"
    r"|mse|wer|cer|costs?|price|hallucinations?"
    r"|latenz|sekunden|\w*zeit|\w*fehler(rate|quote)?|\w*preis|\w*kosten)([\W_].*)?"
    r"|.*\s[(\[]s[)\]].*",
    re.IGNORECASE,
)


def find_tasks(sheet: Sheet, tasks: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    """Return scores by item and task, and what was guessed."""
    require_columns(sheet, list(tasks or ()))
    reasons: list[str] = []
    columns = [str(name) for name in sheet.frame.columns]
    texts = [name for name in columns if holds_texts(sheet, name)]
    others: list[str] = []
    if wrong := [name for name in tasks or () if name in texts]:
        text, row = cell(sheet, wrong[0], int(numbers(sheet, wrong[0]).wrong[0]))
        raise ValueError(f"task {wrong[0]!r} holds {text!r} in row {row}; give numbers")
    if texts:
        title = _title(sheet, texts)
        reasons.append(f"Items are named by {title!r}.")
        others = [name for name in texts if name != title]
        if others:
            reasons.append(f"Left out: {_listed(others)}, which hold {_first_text(sheet, others)}.")
    if tasks is None:
        tasks, said = _tasks(sheet, [name for name in columns if name not in texts], others)
        reasons += [*said, *([f"Tasks are {_listed(tasks)}."] if texts else [])]
    if not tasks:
        raise ValueError(
            f"{sheet.source} has no columns of scores, and none that say who met whom; name those "
            "of battles (left=..., right=..., outcome=..., --left, --right, --outcome); its "
            f"columns are {_listed(columns)}"
        )
    index = sheet.frame.index
    if texts:
        n_said = len(sheet.notes)
        sheet = without_sums(sheet, title, tasks)
        index = pd.Index(cells(sheet.frame[title]))
        reasons += sheet.notes[n_said:]
    read = {name: numbers(sheet, name) for name in tasks}
    for name, found in read.items():
        check_alike(sheet, name, found)
    scores = pd.DataFrame({name: found.values for name, found in read.items()}, index=index)
    return scores, [*reasons, *readings(sheet, read)]


def directions(
    tasks: list[str], smaller_is_better: bool | Sequence[str]
) -> tuple[bool | Sequence[str], list[str]]:
    """Return where smaller is better, and what was guessed or is doubtful about it.

    An arrow in the name of a task says so, unless the caller did.
    """
    if smaller_is_better is True:
        return True, []
    said, smaller = [], list(smaller_is_better or ())
    if not smaller and (marked := [name for name in tasks if DOWN in name]):
        smaller = marked
        said.append(f"Smaller counts as better in {_listed(marked)}, by the arrow.")
    if doubtful := [name for name in tasks if SMALLER.fullmatch(name) and name not in smaller]:
        said.append(
            f"Larger counts as better in {_listed(doubtful)}; if smaller is better, say so "
            "(smaller_is_better=..., --smaller)."
        )
    return smaller, said


def _tasks(sheet: Sheet, columns: list[str], others: list[str]) -> tuple[Sequence[str], list[str]]:
    """Choose the tasks among columns of numbers beside others of texts, and say what was chosen."""
    beside = [name for name in columns if is_summary(name)]
    tasks, said = columns, []
    if beside and len(columns) - len(beside) > 1:
        tasks = [name for name in columns if name not in beside]
        said.append(
            f"Left out: {_listed(beside)}, by their names summaries or descriptions, not "
            "tasks; to use them, name the tasks (tasks=..., --task)."
        )
    if len(tasks) == 1 and others:
        raise ValueError(
            f"{sheet.source} has one column of scores, {tasks[0]!r}, and it takes at least two to "
            f"tell how certain ranks are; {_listed(others)} hold {_first_text(sheet, others)}: "
            "write the numbers alone to use them"
        )
    return tasks, said


def _first_text(sheet: Sheet, columns: list[str]) -> str:
    text, row = cell(sheet, columns[0], int(numbers(sheet, columns[0]).wrong[0]))
    return f"texts, such as {text!r} in row {row}"


def _title(sheet: Sheet, texts: list[str]) -> str:
    """Return the column of names: by its own name, or the first that tells all rows apart."""
    if (title := named(NAMES, texts)) is not None or len(texts) == 1:
        return title or texts[0]
    distinct = [name for name in texts if len(set(cells(sheet.frame[name]))) == len(sheet.frame)]
    if not distinct:
        raise ValueError(
            f"{sheet.source} has texts in {_listed(texts)}, and none names each row; battles have "
            "a left and a right column (left=..., right=...), scores have a column of names"
        )
    return distinct[0]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(map(repr, names[:6])) + more
