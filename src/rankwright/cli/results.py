"""What a command found, written to files whose suffixes say in which form."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankwright.cli.files import PICTURES, check_free, report_files
from rankwright.cli.output import Output

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from rankwright.report.bundle import Bundle

__all__ = ["FORMS", "ReportFiles", "Result", "check_out", "write_results"]

FORMS = (".csv", ".xlsx", ".json", *PICTURES)
PAGES = (".html", ".htm")


@dataclass(frozen=True)
class Result:
    """A result in every form.

    ``values`` are what --json prints. Of the ``tables``, which are the sheets of a spreadsheet, the
    first is the one that a CSV file holds. ``picture`` draws, when one is asked for.
    """

    values: Mapping[str, Any]
    tables: "Mapping[str, pd.DataFrame]"
    picture: "Callable[[], Axes]"


def check_out(
    paths: Sequence[Path] | None,
    *,
    inputs: Iterable[Path | None],
    force: bool,
    forms: Sequence[str] = FORMS,
) -> list[Path]:
    """Check before the work begins that every file has a form, and that none is in the way.

    ``forms`` are those that a command knows, with others than these perhaps.
    """
    listed = list(paths or ())
    check_free(*listed, inputs=inputs, force=force)
    for path in listed:
        if path.suffix.lower() not in FORMS:
            raise ValueError(
                f"--out {path}: the suffix says what to write; choose from {', '.join(forms)}"
            )
        if listed.count(path) > 1:
            raise ValueError(f"--out {path} is given twice; give each file once")
        if path.suffix.lower() == ".xlsx":
            from rankwright.report import xlsx_bytes

            xlsx_bytes({})  # raises where the library is missing
    return listed


def write_results(
    output: Output, paths: Iterable[Path], result: Result, *, formulas: bool = False
) -> None:
    """Write a result to each file in its form, all of them in one step, and say so."""
    _write(output, _contents(paths, result, formulas))


def _contents(paths: Iterable[Path], result: Result, formulas: bool) -> dict[Path, bytes]:
    return {path: _content(path, result, formulas) for path in paths}


def _content(path: Path, result: Result, formulas: bool) -> bytes:
    kind = path.suffix.lower()
    if kind in PICTURES:
        from rankwright.report import figure_bytes

        return figure_bytes(result.picture(), path)
    return WRITERS[kind](result, formulas)


def _write(output: Output, contents: Mapping[Path, bytes]) -> None:
    from rankwright.persistence.atomic import write_together

    # In this order: a result names its model, so one beside a model that is older is refused.
    order = {".json": 0, ".rw": 2}
    write_together(
        dict(sorted(contents.items(), key=lambda one: order.get(one[0].suffix.lower(), 1)))
    )
    for path in contents:
        output.written(path)


@dataclass(frozen=True)
class ReportFiles:
    """The files of a command that has a report and a model: these, and results in other forms."""

    pages: list[Path]
    models: list[Path]
    others: list[Path]

    @classmethod
    def of(
        cls, out: Sequence[Path], inputs: Sequence[Path | None], *, force: bool
    ) -> "ReportFiles":
        """Sort files by suffix, and check that none is in the way."""
        pages = [path for path in out if path.suffix.lower() in PAGES]
        models = [path for path in out if path.suffix.lower() == ".rw"]
        beside = [path for page in pages for path in report_files(page)]
        if twice := [path for path in out if path in beside and path not in pages]:
            raise ValueError(f"--out {twice[0]} is written beside the report anyway; leave it out")
        check_free(*beside, *models, inputs=inputs, force=force)
        others = [path for path in out if path not in (*pages, *models)]
        known = (*PAGES, ".rw", *FORMS)
        return cls(pages, models, check_out(others, inputs=inputs, force=force, forms=known))

    @property
    def model(self) -> Path | None:
        """Return the model that is written, if one is."""
        beside = [report_files(page)[2] for page in self.pages]
        return next(iter([*beside, *self.models]), None)

    def write(
        self, output: Output, bundle: "Callable[[], Bundle]", model: Any, result: Result
    ) -> None:
        """Write everything in one step: reports carry the checksum of the model beside them.

        Ctrl-C waits for it: what was found is written.
        """
        from rankwright.persistence.atomic import interrupts_deferred
        from rankwright.persistence.files import dump

        with interrupts_deferred():
            with output.progress("Writing what was found"):
                contents: dict[Path, bytes] = {}
                for page in self.pages:
                    made = bundle()
                    parts = (made.page, made.result, made.model)
                    contents.update(zip(report_files(page), parts, strict=True))
                contents |= {path: dump(model) for path in self.models}
                contents |= _contents(self.others, result, formulas=False)
                contents |= _stamped(contents, self.others, result)
            _write(output, contents)


def _stamped(
    contents: Mapping[Path, bytes], paths: Iterable[Path], result: Result
) -> dict[Path, bytes]:
    """Return the results beside which a model is written: they name it."""
    from rankwright.persistence.files import model_checksum
    from rankwright.report.bundle import MODEL_STAMP, json_bytes

    beside = {path: path.with_suffix(".rw") for path in paths if path.suffix.lower() == ".json"}
    return {
        path: json_bytes({**result.values, MODEL_STAMP: model_checksum(contents[model])})
        for path, model in beside.items()
        if model in contents
    }


def _csv(result: Result, formulas: bool) -> bytes:
    from rankwright.report import csv_text

    first = next(iter(result.tables.values()))
    return csv_text(first, formulas=formulas).encode()


def _xlsx(result: Result, formulas: bool) -> bytes:
    from rankwright.report import xlsx_bytes

    return xlsx_bytes(result.tables)


def _json(result: Result, formulas: bool) -> bytes:
    from rankwright.report.bundle import json_bytes

    return json_bytes(result.values)


WRITERS: dict[str, Callable[[Result, bool], bytes]] = {
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".json": _json,
}
