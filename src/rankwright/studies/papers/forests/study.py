"""The plan of the study of ranking forests."""

from rankwright.studies.experiment import Experiment, Parameters
from rankwright.studies.papers.forests.measurements import (
    SAMPLES,
    measure_leaf_sizes,
    measure_methods,
    measure_optimum,
)
from rankwright.studies.papers.forests.page import write
from rankwright.studies.study import Settings, Study

__all__ = ["STUDY"]

N_TRAIN = (250, 500, 1000, 2000, 3000)


def plan(settings: Settings) -> list[Experiment]:
    """Measure every method on the same samples; in quick form on a tenth of the rows and trees."""
    shrink = 10 if settings.quick else 1
    plain: list[Parameters] = [{"data": data, "shrink": shrink} for data in SAMPLES]
    grid = [{**parameters, "n_train": n} for parameters in plain for n in N_TRAIN]
    replications = max(2, settings.repeat(30))  # one curve has no envelope
    return [
        Experiment("methods", measure_methods, grid, replications),
        Experiment("leaf_sizes", measure_leaf_sizes, plain, replications),
        Experiment("optimum", measure_optimum, [{"data": data} for data in SAMPLES]),
    ]


STUDY = Study(
    name="forests",
    title="Ranking forests",
    paper=(
        "Stéphan Clémençon, Marine Depecker, Nicolas Vayatis. Ranking forests. Journal of Machine "
        "Learning Research 14, 2013."
    ),
    plan=plan,
    write=write,
)
