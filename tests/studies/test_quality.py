from itertools import product

import numpy as np
import pandas as pd
import pytest

from rankwright.studies import Page, Settings, Verdict, published, reproduce
from rankwright.studies.papers.quality.claims import judge_rounds
from rankwright.studies.papers.quality.measurements import (
    TOP,
    _folded_ratings,
    measure_flexible,
    measure_ratings,
)
from rankwright.studies.papers.quality.rounds import NAMES, final_rounds, rank_sums
from rankwright.studies.papers.quality.study import QUICK_SHAPE, SHAPE, STUDY

pytestmark = pytest.mark.xdist_group("quality")  # one run of the study serves all tests
EXPERIMENTS = {experiment.name: experiment for experiment in STUDY.plan(Settings())}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quality")
    (written,) = reproduce([STUDY], folder, settings=Settings(quick=True))
    return written


def read(page, name):
    return pd.read_csv(page.folder / "quality" / f"{name}.csv")


def test_the_plan_has_as_many_validated_problems_as_section_8_1_counts():
    grid = pd.DataFrame(EXPERIMENTS["ratings"].grid)
    validated = grid[grid["train"].str.len() == 2]
    assert not grid.duplicated().any()
    assert validated["method"].value_counts().to_dict() == {
        "ls1": 18,
        "ls2": 18,
        "ls3": 18,
        "l1re": 12,
        "l2re": 36,
        "mio_re": 24,
    }
    assert set(grid["train"]) - set(validated["train"]) == {"123", "124", "134", "234"}


def test_all_settings_of_a_replication_share_their_ratings_and_no_two_replications_do():
    cells = list(EXPERIMENTS["ratings"].trials())
    drawn = {(cell.replication, cell.rng().integers(2**62)) for cell in cells}
    assert len(drawn) == EXPERIMENTS["ratings"].replications > 1


def test_folds_are_as_large_as_the_paper_s_and_have_products_of_every_subcategory():
    data, fold = _folded_ratings(np.random.default_rng(0), **SHAPE)
    counts = pd.crosstab(data.groups[:209], fold[:209])
    assert counts.sum().tolist() == [53, 52, 52, 52]
    assert counts.shape == (8, 4)
    assert counts.to_numpy().min() > 0
    assert set(fold[209:]) == {"-"}


def test_the_top_of_four_explains_the_published_m1_of_training_products():
    table = published("reverse-engineering-tables17-20").query("split == 'train'")
    pairs = 8 * TOP * (TOP - 1) // 2
    for _, values in table.groupby("test_fold")["m1"]:
        assert any(
            np.allclose(np.round(values * total) / total, values, atol=0.0005)
            for total in (pairs, pairs + TOP - 1)
        )


def test_measuring_a_formula_again_gives_the_same():
    setting = {"train": "12", "method": "mio_re", "borrow": 0.5, "pull": 0.0, "emphasis": 9.0}
    first, second = (
        measure_ratings(np.random.default_rng(3), **setting, **QUICK_SHAPE) for _ in range(2)
    )
    assert first == second
    assert [(row["held_out"], row["split"]) for row in first] == list(
        product(["3", "4"], ["train", "test"])
    )


def test_the_exact_formula_is_proved_and_no_other_method_has_a_larger_statistic():
    rows = pd.DataFrame(measure_flexible(np.random.default_rng(0), top=25)).set_index("method")
    exact = rows.loc["mio_re"].iloc[0]
    assert exact["status"] == "optimal"
    assert exact["statistic"] == pytest.approx(exact["bound"], abs=1e-12)
    assert rows.drop(index="mio_re")["statistic"].max() < exact["statistic"]


def two_settings(seed=0):
    """Return measurements of one method with two settings that differ by chance."""
    rng = np.random.default_rng(seed)
    pairs = [(a + b, other) for a, b in ("12", "13", "14", "23", "24", "34") for other in "1234"]
    triples = [("123", "4"), ("124", "3"), ("134", "2"), ("234", "1")]
    trained = [(train, held) for train, held in pairs if held not in train] + triples
    rows = [
        {"replication": 0, "train": train, "method": "ls1", "borrow": borrow, "pull": 0.0}
        | {"emphasis": 0.0, "held_out": held, "split": split}
        | dict(zip(["m1", "m2", "m3"], rng.random(3), strict=True))
        for borrow in (0.0, 0.1)
        for train, held in trained
        for split in ("train", "test")
    ]
    return pd.DataFrame(rows)


def chosen(frame):
    return final_rounds(frame).query("split == 'test'").set_index("held_out")["borrow"].to_dict()


def test_the_setting_with_the_best_mean_validation_is_chosen():
    frame = two_settings()
    for fold in "1234":
        rest = set("1234") - {fold}
        sums = [
            sum(
                row.m1 + row.m2 + row.m3
                for row in frame.itertuples()
                if row.borrow == borrow
                and row.split == "test"
                and len(row.train) == 2
                and set(row.train) | {row.held_out} == rest
            )
            for borrow in (0.0, 0.1)
        ]
        assert chosen(frame)[fold] == (0.0, 0.1)[int(np.argmax(sums))]


@pytest.mark.parametrize("fold", "1234")
def test_what_was_measured_on_the_test_fold_does_not_change_the_choice(fold):
    frame = two_settings()
    touched = frame["train"].str.contains(fold) | (frame["held_out"] == fold)
    changed = frame.copy()
    changed.loc[touched, ["m1", "m2", "m3"]] = np.random.default_rng(9).random((touched.sum(), 3))
    assert chosen(changed)[fold] == chosen(frame)[fold]


def test_the_published_ranks_add_up_to_table_6():
    totals = rank_sums(published("reverse-engineering-tables17-20"), [])["total"].unstack("split")
    assert totals["train"].to_dict() == {
        "ls3": 4, "ls1": 19, "ls2": 21, "l2re": 29, "l1re": 32, "mio_re": 55,
    }  # fmt: skip
    assert totals["test"].to_dict() == {
        "ls3": 7, "ls1": 25, "ls2": 24, "l2re": 26, "l1re": 29, "mio_re": 31,
    }  # fmt: skip


def rounds_of(mio):
    """Return four rounds in which every method has an M1 of 0.8 but MIO-RE."""
    table = pd.DataFrame(
        [
            {"replication": 0, "held_out": fold, "method": method, "split": split}
            | {"m1": mio if method == "mio_re" else 0.8, "m2": 0.9, "m3": 0.9}
            for fold, method, split in product("1234", NAMES, ("train", "test"))
        ]
    )
    ranks = table.groupby(["held_out", "split"])[["m1", "m2", "m3"]].rank(method="min") - 1
    return table.join(ranks.astype(int).add_suffix("_rank"))


@pytest.mark.parametrize(
    ("m1", "verdict"), [(0.9, Verdict.HELD), (0.8, Verdict.FAILED), (0.7, Verdict.FAILED)]
)
def test_the_verdicts_on_m1_depend_on_what_was_measured(tmp_path, m1, verdict):
    judging = Page(tmp_path, "quality")
    judge_rounds(rounds_of(m1), judging)
    judged = [claim.verdict for claim in judging.claims if "best M1" in claim.text]
    assert judged == [verdict, verdict]


@pytest.mark.parametrize("name", ["tables1-3", "tables17-20", "table5", "table6"])
def test_every_published_cell_has_its_counterpart(page, name):
    table = read(page, name)
    assert table[["ours", "published", "difference"]].notna().all(axis=None)


def test_only_the_budget_for_which_the_paper_errs_differs_from_table_15(page):
    table = read(page, "table15")
    assert table.loc[~table["same"], "budget"].tolist() == [6]
    assert table.loc[table["paper errs"], "budget"].tolist() == [6]


def test_all_plans_of_table_16_and_no_others_are_found(page):
    table = read(page, "table16")
    assert table["same"].tolist() == [True] * 9


def test_the_printed_scores_differ_from_ours_by_the_rounding_of_weights(page):
    assert read(page, "table11")["inside"].tolist() == [True, True]


def test_the_page_judges_every_claim_and_shows_every_figure(page):
    text = page.path.read_text()
    assert len(page.claims) == 19
    figures = sorted(path.stem for path in (page.folder / "quality").glob("*.png"))
    assert figures == ["factors", "figure2", "figure3", "figure4", "figure5", "formula"]
    assert all(f"quality/{name}.png" in text for name in figures)
