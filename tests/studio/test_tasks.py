"""Tasks called where they are: no process, no page."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import rankwright as rw
from rankwright import aggregation
from rankwright.persistence.files import dump
from rankwright.report.page import HEAD
from rankwright.studio.blocks import Chart
from rankwright.studio.state import State
from rankwright.studio.tasks import formula, improve, rank, table, votes, work
from rankwright.studio.tasks.roles import Role, Roles
from rankwright.studio.tasks.table import File, TableRequest

GERMAN = """Modell;Preis;Gewicht;Note;Platz
Adler;1.299,00 €;1,5 kg;4,5;1
Bussard;999,00 €;1,2 kg;4,0;2
Condor;899,50 €;1,9 kg;3,5;3
Dohle;1.050,00 €;2,1 kg;3,0;4
Elster;700,00 €;2,0 kg;2,5;5
"""


def silent(news):
    """Hear nothing."""


@pytest.fixture
def kept(tmp_path):
    """Return what writes a text under a name of the studio's own."""

    def keep(text, name="products.csv"):
        path = tmp_path / f"1{Path(name).suffix}"
        path.write_text(text, encoding="utf-8")
        return File(str(path), name)

    return keep


@pytest.fixture
def german(kept):
    request = TableRequest(kept(GERMAN, "Produkte.csv"))
    view = table.look(request, silent)
    return replace(request, roles=Roles({one.name: one.role for one in view.columns})), view


def test_a_german_spreadsheet_is_understood(german):
    _, view = german
    roles = {column.name: column.role for column in view.columns}
    assert not view.problem
    assert roles["Modell"] is Role.ITEM
    assert roles["Platz"] is Role.RANK
    assert roles["Preis"] is Role.FACTOR
    assert "5 items" in view.summary
    assert "Adler" in view.summary


def test_remarks_stand_beside_the_rows_they_are_about(kept):
    rows = "".join(f"P{n},{n},{n % 7}\n" for n in range(1, 80))
    view = table.look(TableRequest(kept(f"name,rank,zoom\n{rows}P80,80,\n")), silent)
    (remark,) = (row[-1] for row in view.preview.rows if row[0] == "81")
    assert "'zoom' is missing" in remark
    assert view.preview.columns[-1] == "remark"


def test_remarks_speak_of_roles_not_of_options(kept):
    rows = "".join(f"P{n},{n},{n % 5},{50 - n},{'ab'[n % 2]}\n" for n in range(1, 30))
    view = table.look(TableRequest(kept(f"name,rank,zoom,copy,kind\n{rows}")), silent)
    said = " ".join(view.remarks)
    assert "the role factor includes it anyway" in said
    assert "the role subcategory compares within each" in said
    assert "=" not in said


def test_gaps_are_a_problem_until_a_remedy_is_chosen(kept):
    file = kept("name,rank,zoom,stars\nA,1,5,3\nB,2,,4\nC,3,2,1\nD,4,1,2\n")
    view = table.look(TableRequest(file), silent)
    assert "choose a remedy" in view.problem
    remedies = ["rows", "factors", "medians", "indicators", "few"]
    assert [row[0] for row in view.remedies.rows] == remedies
    roles = Roles({one.name: one.role for one in view.columns})
    mended = table.look(TableRequest(file, roles, "rows"), silent)
    assert not mended.problem
    assert [one.name for one in mended.products] == ["A", "C", "D"]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"Modell": Role.IGNORED}, "no column is the item"),
        ({"Platz": Role.IGNORED}, "no column for rank or score"),
        ({"Note": Role.SCORE}, "'Note' and 'Platz' for rank or score"),
        ({"Note": Role.ITEM}, "'Modell' and 'Note' are both item"),
        ({"Note": Role.IGNORED, "Preis": Role.IGNORED, "Gewicht": Role.IGNORED}, "is a factor"),
    ],
)
def test_roles_that_make_no_table_are_a_problem_in_words(german, changed, problem):
    request, _ = german
    roles = Roles({**request.roles.by_column, **changed})
    view = table.look(replace(request, roles=roles), silent)
    assert problem in view.problem
    assert {one.name: one.role for one in view.columns} == dict(roles.by_column)


@pytest.mark.parametrize("content", ["", "\0\0\0\1\2", "just one line"])
def test_a_wrong_file_is_refused_under_its_own_name(kept, content):
    file = kept(content, "holiday.csv")
    try:
        said = table.look(TableRequest(file), silent).problem
    except ValueError as error:
        said = str(error)
    assert said
    assert "1.csv" not in said


def test_conditions_keep_some_rows(german):
    request, _ = german
    view = table.look(replace(request, where=("Note >= 3",)), silent)
    assert "4 items" in view.summary
    assert "4 rows of 5 meet" in " ".join(view.remarks)


def test_columns_called_as_the_preview_calls_its_own_are_shown(kept):
    view = table.look(TableRequest(kept("row,rank,remark,zoom\nA,1,x,3\nB,2,y,2\n")), silent)
    assert view.preview.columns == ("row", "row", "rank", "remark", "zoom")
    assert view.preview.rows[0] == ("2", "A", "1", "x", "3")


def test_directions_become_signs():
    roles = Roles({"a": Role.MORE, "b": Role.LESS, "c": Role.FACTOR})
    assert roles.signs() == {"a": "+", "b": "-"}
    assert Roles({"c": Role.FACTOR}).signs() == "auto"
    assert roles.signs("free") == {"a": "+", "b": "-", "c": "free"}
    assert Roles({"c": Role.EITHER}).signs("positive") == {"c": "free"}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A formula found for a German table, where its model lies, and the news on the way."""
    folder = tmp_path_factory.mktemp("found")
    path = folder / "1.csv"
    path.write_text(GERMAN, encoding="utf-8")
    request = TableRequest(File(str(path), "Produkte.csv"))
    view = table.look(request, silent)
    request = replace(request, roles=Roles({one.name: one.role for one in view.columns}))
    news = []
    asked = formula.FormulaRequest(request, seconds=5, top=3, checks=False)
    answer = formula.find_formula(asked, news.append)
    model = folder / "formula.rw"
    model.write_bytes(answer.files["formula.rw"])
    return request, answer, str(model), news


def test_a_formula_comes_with_sections_and_files(found):
    _, answer, _, news = found
    titles = [section.title for section in answer.sections]
    assert titles[:2] == ["How well", "The formula"]
    assert set(answer.files) == {
        *("report.html", "result.json", "formula.rw", "formula.csv", "ranking.csv"),
    }
    assert answer.files["report.html"].startswith(HEAD.encode())
    assert news
    assert not answer.interrupted


def test_every_chart_of_a_formula_has_rows(found):
    charts = [b for one in found[1].sections for b in one.blocks if isinstance(b, Chart)]
    assert charts
    assert all(chart.grid.rows for chart in charts)


def published(kept, **asked):
    """Return what is found of two groups of products whose scores are a formula but for one."""
    products = [(f"p{i}", "ab"[i % 2], i % 5, (7 * i) % 11) for i in range(22)]
    rows = [
        f"{name},{kind},{a},{b},{3 * a + b + 9 * (name == 'p4')}" for name, kind, a, b in products
    ]
    request = TableRequest(kept("\n".join(["name,kind,zoom,price,score", *rows])))
    view = table.look(request, silent)
    roles = {one.name: one.role for one in view.columns} | {"kind": Role.GROUP}
    request = replace(request, roles=Roles(roles))
    asked = formula.FormulaRequest(request, **{"seconds": 5, "top": 5, "checks": False} | asked)
    return formula.find_formula(asked, silent)


def section(answer, title):
    return next(one for one in answer.sections if one.title == title)


def test_scores_that_contradict_the_rest_are_listed(kept):
    answer = published(kept, objective="scores")
    words, grid = section(answer, "How well").blocks
    assert "1 product contradicts the rest" in words.sentences[0]
    assert [row[0] for row in grid.rows] == ["p4"]
    assert "How sure" not in [one.title for one in answer.sections]


def test_groups_have_a_section_with_their_own_formulas(kept):
    answer = published(kept, each_group=True)
    grids = section(answer, "Group by group").blocks[1:]
    assert sorted(row[0] for row in grids[0].rows) == ["a", "b"]


def test_a_formula_for_new_products_is_told_of(kept):
    assert section(published(kept, selection="stable"), "For new products").blocks


def test_given_weights_are_judged(kept, tmp_path):
    path = tmp_path / "weights.csv"
    path.write_text("factor,weight\nzoom,3\nprice,1\n")
    answer = published(kept, test_weights=File(str(path), "weights.csv"))
    words, grid = section(answer, "The given weights").blocks
    assert words.sentences
    assert sorted(str(row[0]) for row in grid.rows) == ["price", "zoom"]


def test_rankers_are_listed_with_their_parameters():
    found = rank.list_rankers(None, silent)
    assert "alpha=" in found.rankers["pairwise-ranker"]
    assert "kendall_tau" in found.metrics


def test_a_product_that_stays_as_it_is_keeps_its_place(found):
    _, answer, model, _ = found
    moved = formula.WhatIfRequest(model, answer.factors, answer.values, 0)
    place = formula.what_if(moved, silent)
    better = [list(values) for values in answer.values]
    better[4] = better[0]
    tied = formula.WhatIfRequest(model, answer.factors, tuple(map(tuple, better)), 4)
    assert place.position == 1
    assert formula.what_if(tied, silent).score == pytest.approx(place.score)


def changes(*rows, factors=("Preis", "Note")):
    return improve.ChangeTable(factors, tuple(improve.ChangeRow(*row) for row in rows))


def plans(found, table_of_changes, **options):
    request, _, model, _ = found
    asked = improve.PlanRequest(model, request, 4, table_of_changes, **options)
    return improve.find_plans(asked, silent)


def test_plans_are_found_for_changes_as_typed(found):
    typed = changes(("Besser", "10,5", ("", "0,5")), ("Noch besser", "20", ("", "1")))
    answer = plans(found, typed)
    assert answer.product == "Elster"
    assert answer.size == 5
    assert answer.plans[0].changes == ()
    assert answer.within(11).changes == ("Besser",)
    assert answer.within(1e9).cost == 30.5
    assert answer.chart(answer.within(11)).grid.rows[-1][0] == "chosen"


def test_a_goal_has_its_cheapest_plan_or_says_what_can_be_reached(found):
    typed = changes(("Besser", "10", ("", "0,5")), ("Noch besser", "20", ("", "1")))
    reached = plans(found, typed, goal=improve.Goal.GAIN, wanted=1e-6)
    assert reached.reached.changes == ("Besser",)
    assert "costs 10" in reached.goal
    beyond = plans(found, typed, goal=improve.Goal.POSITION, wanted=1)
    assert beyond.reached is None
    assert "the best is position" in beyond.goal


def test_robust_plans_stand_beside_the_others(found):
    answer = plans(found, changes(("Besser", "10", ("", "0,5"))), robust=True)
    assert "with these signs" in answer.notes[0]
    assert answer.robust[0].guaranteed_gain == 0
    kinds = [row[0] for row in answer.chart(answer.plans[0]).grid.rows]
    assert "guaranteed" in kinds


def test_changes_that_exclude_or_need_each_other_are_planned_so(found):
    rows = [("A", "1", ("", "1"), "B"), ("B", "1", ("", "1")), ("C", "1", ("", "2"), "", "B")]
    best = plans(found, changes(*rows)).plans[-1]
    assert best.changes == ("B", "C")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "there are no changes"),
        ([("A", "", ("", "1"))], "'A' has no cost"),
        ([("A", "x", ("", "1"))], "cost"),
        ([("A", "1", ("", "1"), "Z")], "'A' excludes 'Z', which is no change"),
        ([("A", "1", ("", "1")), ("A", "2", ("", "1"))], "more than once"),
    ],
)
def test_changes_that_make_no_sense_are_refused_in_words(found, rows, message):
    with pytest.raises(ValueError, match=message):
        plans(found, changes(*rows))


def test_the_cameras_changes_are_those_of_the_example():
    example = rw.datasets.load_cameras()
    read = improve.example_changes(None, silent)
    assert [row.name for row in read.rows] == example.changes.index.tolist()
    assert next(row for row in read.rows if row.name == "Add 1 megapixel").excludes


def test_a_file_of_changes_becomes_a_table_to_edit(kept):
    file = kept("change;Note;cost\nA;0,5;3\nB;;4\n", "changes.csv")
    read = improve.read_change_file((file, None), silent)
    assert read.factors == ("Note",)
    assert [(row.name, row.cost, row.effects) for row in read.rows] == [
        ("A", "3", ("0.5",)),
        ("B", "4", ("",)),
    ]


def test_numbers_of_a_file_of_changes_keep_all_their_digits(kept):
    file = kept("change,grade,cost\nA,0.12345678,1234567.25\n", "changes.csv")
    (row,) = improve.read_change_file((file, None), silent).rows
    assert (row.cost, row.effects) == ("1234567.25", ("0.12345678",))


def test_a_large_cost_is_said_with_all_its_digits(found):
    dear = changes(("Besser", "1234567", ("", "0,5")))
    reached = plans(found, dear, goal=improve.Goal.GAIN, wanted=1e-6)
    assert "costs 1,234,567." in reached.goal


def test_a_ranker_is_fitted_explained_and_used_on_another_file(found, tmp_path, kept):
    request = found[0]
    fitted = rank.fit_ranker(rank.FitRequest(request, "expected-rank-regressor"), silent)
    path = tmp_path / "model.rw"
    path.write_bytes(fitted.files["model.rw"])
    why = rank.explain_pair(rank.ExplainRequest(str(path), request, 0, 4), silent)
    assert "Adler is above Elster" in why.sections[0].blocks[0].grid.title
    other = kept("Modell;Preis;Gewicht;Note\n=cmd();500;1,0;5,0\nX;2000;3,0;1,0\n", "neu.csv")
    scored = rank.score_file(rank.ScoreRequest(str(path), request, other), silent)
    assert "'=cmd()" in scored.files["ranking.csv"].decode()
    summed = kept(
        "Modell;Preis;Gewicht;Note\nX;500;1,0;5,0\nY;20;3,5;1,5\nTotal;520;4,5;6,5\n", "x.csv"
    )
    scored = rank.score_file(rank.ScoreRequest(str(path), request, summed), silent)
    assert "Total" not in scored.files["ranking.csv"].decode()
    assert "Rows left out as totals" in " ".join(scored.sections[-1].blocks[0].sentences)


def test_a_file_in_another_unit_than_the_formula_is_doubted(found, kept):
    request, _, model, _ = found
    summed = kept("Modell;Preis;Gewicht;Note\nX;50000;1,0;5,0\nY;20000;3,5;1,5\n", "cents.csv")
    scored = rank.score_file(rank.ScoreRequest(model, request, summed), silent)
    assert "'Preis' runs from 20000 to 50000 here" in scored.sections[0].blocks[0].sentences[0]


def test_two_rankers_are_compared(found):
    asked = rank.CompareRequest(found[0], ("expected-rank-regressor", "least-squares-ranker"), 2)
    answer = rank.compare_rankers(asked, silent)
    (chart,) = (one for one in answer.sections[0].blocks if isinstance(one, Chart))
    assert len(chart.grid.rows) == 2


def test_no_ranker_can_not_be_compared(found):
    with pytest.raises(ValueError, match="no ranker is chosen"):
        rank.compare_rankers(rank.CompareRequest(found[0], ()), silent)


def test_a_consensus_comes_with_its_certificate(kept):
    file = kept("film,ann,bob,cy\nUp,1,2,1\nHer,2,1,2\nM,3,3,\n", "votes.csv")
    answer = votes.find_consensus(votes.VotesRequest(file), silent)
    words, chart, notes = answer.sections[0].blocks
    assert "proved to be the least possible" in words.sentences[0]
    assert chart.grid.rows[0][:2] == ("Up", 1.0)
    assert "1 of 9 positions is missing" in notes.sentences[0]


def test_reading_and_drawing_come_off_the_time_of_a_consensus(kept, monkeypatch):
    limits, aggregate = [], aggregation.aggregate

    def recorded(*given, time_limit, **options):
        limits.append(time_limit)
        return aggregate(*given, time_limit=time_limit, **options)

    monkeypatch.setattr(aggregation, "aggregate", recorded)
    file = kept("film,ann,bob\nUp,1,2\nHer,2,1\n", "votes.csv")
    votes.find_consensus(votes.VotesRequest(file, seconds=10.0), silent)
    assert limits[0] <= 8.5


def test_a_leaderboard_comes_with_rank_sets_and_a_report(kept):
    battles = "a,b,left\nb,c,left\na,c,left\nc,a,left\nb,a,left\n" * 4
    file = kept(f"left,right,outcome\n{battles}", "<battles>.csv")
    answer = votes.find_strengths(votes.BoardRequest(file), silent)
    assert answer.sections[0].blocks[1].grid.columns[5] == "ranks"
    assert b"&lt;battles&gt;.csv" in answer.files["leaderboard.html"]


def test_columns_of_comparisons_are_chosen(kept):
    battles = "a,b,a,k\nb,c,b,k\nc,a,a,l\nb,a,b,l\nc,b,c,l\na,c,c,k\n" * 4
    file = kept(f"x,y,z,w\n{battles}", "battles.csv")
    assert votes.columns_of(file, silent) == ("x", "y", "z", "w")
    asked = votes.BoardRequest(file, left="x", right="y", outcome="z", cluster="w", level=0.9)
    answer = votes.find_strengths(asked, silent)
    assert "90%" in answer.sections[0].blocks[1].grid.title
    with pytest.raises(ValueError, match="both say who won"):
        votes.find_strengths(replace(asked, left_points="x"), silent)
    with pytest.raises(ValueError, match="points of one side"):
        votes.find_strengths(replace(asked, outcome=None, left_points="x"), silent)


def opened(content, folder):
    path = folder / "2.rwork"
    path.write_bytes(content)
    request = work.OpenRequest(File(str(path), "mine.rwork"), str(folder))
    return work.open_work(request, silent)


def test_saved_work_is_opened_again_with_its_files(found, tmp_path):
    request, answer, _, _ = found
    content = work.save_work(State(table=request, formula=answer, product=4), silent)
    state = opened(content, tmp_path)
    assert state.formula == replace(answer, table=state.table)
    assert state.table.file.name == "Produkte.csv"
    assert Path(state.table.file.path).parent == tmp_path
    assert rw.load(state.formula_model).predict(table.read_rated(state.table).X).shape == (5,)


def test_a_model_file_is_no_saved_work(found, tmp_path):
    with pytest.raises(ValueError, match=r"a model file \(RatingFormula\), not a saved work"):
        opened(Path(found[2]).read_bytes(), tmp_path)


@pytest.mark.parametrize("spoil", [lambda c: c[:-9], lambda c: c[:500] + b"!" + c[501:]])
def test_damaged_work_is_refused(tmp_path, spoil):
    content = work.save_work(State(), silent)
    with pytest.raises(ValueError, match=r"mine\.rwork"):
        opened(spoil(content), tmp_path)


def test_a_report_that_could_run_something_is_refused(found, tmp_path):
    request, answer, _, _ = found
    forged = replace(answer, files={**answer.files, "report.html": b"<script>alert(1)</script>"})
    content = work.save_work(State(table=request, formula=forged), silent)
    with pytest.raises(ValueError, match="did not write"):
        opened(content, tmp_path)


def test_work_of_another_shape_is_refused(tmp_path):
    from rankwright.persistence.work import Work

    with pytest.raises(ValueError, match="another version"):
        opened(dump(Work('{"table": 1}', {})), tmp_path)


def saved_work(state, folder):
    """Return what the file of a saved work holds."""
    path = folder / "1.rwork"
    path.write_bytes(work.save_work(state, silent))
    return rw.load(path)


def altered(state, folder, **changes):
    """Return a saved work after somebody else has changed its state, its files left alone."""
    saved = saved_work(state, folder)
    return dump(replace(saved, state=json.dumps({**json.loads(saved.state), **changes})))


def test_paths_in_a_saved_work_are_not_followed(tmp_path):
    secret = tmp_path / "secret.rw"
    paths = {"formula_model": str(secret), "fitted_model": str(secret)}
    state = opened(altered(State(), tmp_path, **paths), tmp_path)
    assert (state.formula_model, state.fitted_model) == ("", "")


PARTS = ["board", "compared", "consensus", "fitted", "formula"]


def resting_on(part, table, found):
    """Return a part of a state that says it was found in a table."""
    return replace(found[1], table=table) if part == "formula" else rank.RankFound((), {}, table)


@pytest.mark.parametrize("part", PARTS)
def test_the_table_of_every_part_of_a_saved_work_is_the_one_it_holds(found, tmp_path, part):
    elsewhere = replace(found[0], file=File(str(tmp_path / "secret.csv"), "innocent.csv"))
    before = State(table=found[0], **{part: resting_on(part, elsewhere, found)})
    held = json.loads(saved_work(before, tmp_path).state)[part]
    held["table"]["file"]["path"] = elsewhere.file.path
    state = opened(altered(before, tmp_path, **{part: held}), tmp_path)
    assert getattr(state, part).table.file == state.table.file


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_a_saved_work_without_the_table_they_were_found_in_are_refused(
    found, tmp_path, part
):
    state = State(**{part: resting_on(part, found[0], found)})
    with pytest.raises(ValueError, match=f"lacks the table in which its {part} was found"):
        opened(work.save_work(state, silent), tmp_path)


@pytest.mark.parametrize("ending", [".c/../../../x", "." + "x" * 5000, ".c\0sv", ".../etc"])
def test_the_table_of_a_saved_work_gets_a_name_of_our_own(found, tmp_path, ending):
    before = State(table=found[0])
    held = json.loads(saved_work(before, tmp_path).state)["table"]
    file = {"path": f"table{ending}", "name": "t"}
    state = opened(altered(before, tmp_path, table={**held, "file": file}), tmp_path)
    path = Path(state.table.file.path)
    assert path.parent == tmp_path
    assert path.name.startswith("opened-table")
    assert len(path.name) < 30


@pytest.mark.parametrize("name", ["report.HTML", "report.htm", "picture.svg", "run.exe", "x"])
def test_a_file_of_a_kind_that_no_work_holds_is_refused(found, tmp_path, name):
    request, answer, _, _ = found
    forged = replace(answer, files={**answer.files, name: b"<script>alert(1)</script>"})
    with pytest.raises(ValueError, match="did not write"):
        opened(work.save_work(State(table=request, formula=forged), silent), tmp_path)


@pytest.mark.parametrize("changes", [{"budget": 10**400}, {"budget": "1"}, {"product": 1.5}])
def test_numbers_that_no_work_has_are_refused(tmp_path, changes):
    with pytest.raises(ValueError, match=r"mine\.rwork was saved by another version"):
        opened(altered(State(), tmp_path, **changes), tmp_path)


def test_a_saved_work_without_its_table_is_refused(found, tmp_path):
    saved = saved_work(State(table=found[0]), tmp_path)
    with pytest.raises(ValueError, match="lacks the table"):
        opened(dump(replace(saved, files={})), tmp_path)
