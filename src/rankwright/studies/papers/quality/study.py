"""The plan of the study of quality ratings."""

from collections.abc import Sequence
from itertools import combinations, product

from rankwright.studies.experiment import Experiment, Parameters
from rankwright.studies.papers.quality.measurements import (
    EMPHASIS,
    FOLDS,
    measure_budget,
    measure_flexible,
    measure_plans,
    measure_ratings,
    measure_target,
)
from rankwright.studies.papers.quality.page import write
from rankwright.studies.study import Settings, Study

__all__ = ["STUDY"]

FLEXIBLE_TOPS = (60, 45, 25)
SHAPE = {"products": 209, "related": 212, "factors": 19, "subcategories": 8}
QUICK_SHAPE = {"products": 24, "related": 24, "factors": 3, "subcategories": 2}


def _setting(method: str, borrow: float, pull: float = 0.0, emphasis: float = 0.0) -> Parameters:
    return {"method": method, "borrow": borrow, "pull": pull, "emphasis": emphasis}


# Table 4: C of the related category, C_high of the pull, θ of the emphasis.
TABLE_4 = [
    *(_setting("ls1", c) for c in (0.0, 0.1, 0.2)),
    *(_setting("ls2", c) for c in (0.0, 0.1, 0.2)),
    *(_setting("ls3", c) for c in (0.0, 0.025, 0.05)),
    *(_setting("l1re", c) for c in (0.0, 0.1)),
    *(_setting("l2re", c, pull=high) for c, high in product((0.0, 0.1), (0.0, 0.5, 1.0))),
    *(_setting("mio_re", c, emphasis=theta) for c, theta in product((0.0, 0.5), (0.0, EMPHASIS))),
]


def plan(settings: Settings) -> Sequence[Experiment]:
    """Return the experiments of sections 7, 8 and 9."""
    shape = QUICK_SHAPE if settings.quick else SHAPE
    # Two folds are trained to validate on each of the others, three to test on the last.
    folds = ["".join(chosen) for size in (2, 3) for chosen in combinations(FOLDS, size)]
    return [
        Experiment(
            "flexible",
            measure_flexible,
            [{"top": top} for top in FLEXIBLE_TOPS],
            settings.repeat(full=20, quick=2),
            seeded_by=[],
        ),
        Experiment(
            "ratings",
            measure_ratings,
            [{"train": train, **setting, **shape} for setting in TABLE_4 for train in folds],
            settings.repeat(full=2, quick=1),
            seeded_by=[],
        ),
        Experiment("budgets", measure_budget, [{"budget": budget} for budget in range(2, 36)]),
        Experiment("targets", measure_target, [{"target": target} for target in range(1, 14)]),
        Experiment("plans", measure_plans, [{"which": "all"}, {"which": "frontier"}]),
    ]


STUDY = Study(
    name="quality",
    title="Reverse-engineering quality ratings",
    paper=(
        "A. Chang, C. Rudin, M. Cavaretta, R. Thomas, G. Chou: How to reverse-engineer quality "
        "rankings. Machine Learning 88, 2012."
    ),
    plan=plan,
    write=write,
)
