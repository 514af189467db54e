from decimal import Decimal

import pytest

from rankwright.improve import Change, Planner, read_changes, read_conflicts
from rankwright.improve.files import read_conditions

CHANGES = "change,stars,weight,cost\nPolish,0.5,,3\nLighter case,,-1,4.10\n"
TOML = """
conflicts = [["Polish", "Lighter case"]]
requires = [["Lighter case", "Tools"]]

[bounds]
stars = [1, 5]

[[changes]]
name = "Polish"
cost = 3
effects = {stars = 0.5}

[[changes]]
name = "Lighter case"
cost = 4.10
effects = {weight = -1}

[[changes]]
name = "Tools"
cost = 0.1
effects = {}
"""
EXPECTED = (
    Change("Polish", 3, {"stars": Decimal("0.5")}),
    Change("Lighter case", Decimal("4.10"), {"weight": -1}),
)


def _costing(cost):
    return f"[[changes]]\nname = 'a'\ncost = {cost}\neffects = {{}}\n"


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_changes_are_read_as_a_european_spreadsheet_writes_them(write):
    text = "change;cost;stars\r\nPolish;4,50 €;0,5\r\nRedesign;1.200,00 €;\r\n"
    polish, redesign = read_changes(write("changes.csv", text))
    assert (polish.cost, polish.effects) == (4.5, {"stars": 0.5})
    assert (redesign.cost, redesign.effects) == (1200, {})


def test_changes_are_read_from_csv(write):
    polish, case = read_changes(write("changes.csv", CHANGES))
    assert polish == EXPECTED[0]
    # Floats are taken as the decimals that they are written as.
    assert (case.name, case.cost, case.effects) == ("Lighter case", 4.1, {"weight": -1})


def test_changes_are_read_from_toml(write):
    assert read_changes(write("changes.toml", TOML))[:2] == EXPECTED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one_row.csv", "set,changes\n1,a; b\n2,b;c;d\n"),
        ("long.csv", "set,change\n1,a\n2,b\n1,b\n2,c\n2,d\n"),
        ("conflicts.toml", 'conflicts = [["a", "b"], ["b", "c", "d"]]'),
    ],
)
def test_conflicts_are_read(write, name, text):
    assert read_conflicts(write(name, text)) == (("a", "b"), ("b", "c", "d"))


def test_one_toml_file_makes_a_planner(write):
    planner = Planner.from_files({"stars": 2, "weight": -1}, write("changes.toml", TOML))
    item = {"stars": 4.75, "weight": 9}
    plans = {plan.changes: plan.gain for plan in planner.plans(item)}
    assert plans == {
        (): 0, ("Polish",): 0.5, ("Tools",): 0, ("Lighter case", "Tools"): 1,
        ("Polish", "Tools"): 0.5,
    }  # fmt: skip


def test_csv_files_make_a_planner_with_options(write):
    conflicts = write("conflicts.csv", "set,changes\n1,Polish;Lighter case\n")
    changes = write("changes.csv", CHANGES)
    weights = {"stars": 2, "weight": -1}
    planner = Planner.from_files(weights, changes, conflicts, bounds={"stars": (1, 5)})
    assert planner.maximize_score({"stars": 4.75, "weight": 9}, 9).changes == ("Lighter case",)


@pytest.mark.parametrize(
    ("read", "name", "text", "message"),
    [
        (read_changes, "a.csv", "change,stars\nPolish,1\n", "it needs 'cost'"),
        (
            read_changes,
            "a.csv",
            "change,stars,cost\nPolish,many,1\n",
            "a.csv, row 2: 'Polish' has the effect on 'stars' 'many', which is no number",
        ),
        (read_changes, "a.toml", "[[changes]]\nname = 'a'\ncost = 1\n", "name, cost and effects"),
        (read_changes, "a.toml", "change = 1", r"has \['change'\]; a file of changes has"),
        (read_changes, "a.toml", "changes = 3", r"a.toml has changes = 3; give \[\[changes\]\]"),
        (read_changes, "a.toml", "changes = [3]", "a.toml has a change 3; give it name, cost"),
        (read_changes, "a.toml", "changes = ", "a.toml can't be read as TOML"),
        (read_changes, "a.toml", _costing("1e-9999999"), "'a' is 1E-9999999; give at most 400 dec"),
        (read_changes, "a.toml", _costing("1e9999999"), "'a' is 1.*; give a number within"),
        (read_changes, "a.toml", _costing("1e99999999999999999999"), "is too large"),
        (read_changes, "a.toml", _costing("1" + "0" * 400), "1.*e.400; give a number within"),
        (read_changes, "a.toml", _costing("1" + "0" * 9000), "a.toml can't be read as TOML"),
        (read_changes, "a.toml", _costing("inf"), "the cost of 'a' is Infinity; give a finite"),
        (read_changes, "a.toml", _costing("true"), "the cost of 'a' is True; give a number"),
        (read_changes, "a.toml", _costing("'3'"), "the cost of 'a' is '3'; give a number"),
        (read_conflicts, "a.toml", "conflicts = 3", "conflicts = 3; give lists of names"),
        (read_conflicts, "a.toml", "conflicts = ['a', 'b']", "give lists of names"),
        (read_conditions, "a.toml", "bounds = [1, 5]", "give a table of factors"),
        (read_conditions, "a.toml", "requires = [['a', 1]]", "give pairs of names"),
        (read_changes, "a.json", "{}", "neither a .csv nor a .toml file"),
        (read_conflicts, "a.csv", "changes\na;b\n", "a.csv is not a table"),
    ],
)
def test_a_bad_file_is_named(write, read, name, text, message):
    with pytest.raises(ValueError, match=message):
        read(write(name, text))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,tbd,1\nb,2,2\n", "t.csv, row 2: 'a' has the cost 'tbd', which is no .*; give 0 if it"),
        ("a,1,1\nb,,2\n", "row 3: 'b' has no cost; give 0 if it costs nothing"),
        ("a,1,1\nb,n/a,2\n", "row 3: 'b' has the cost 'n/a', which is no number"),
        ('a,"1,5",1\nb,2.5,2\n', "row 3: 'b' has the cost '2.5', which is no number like those"),
        (
            "a,1,1\nb,2,~x?\n",
            "row 3: 'b' has the effect on 'stars' '~x[?]'.*; leave the cell empty",
        ),
        ("a,1,1\nb,2,n/a\n", "row 3: 'b' has the effect on 'stars' 'n/a'"),
        ("a,€1,1\nb,$2,2\n", "'€1' in row 2 and '[$]2' in row 3 are different currencies"),
        ("a,1,10%\nb,2,10\n", "'10%' in row 2 has a percent sign and '10' in row 3 has none"),
    ],
)
def test_a_cost_or_an_effect_that_is_not_read_is_refused(write, rows, message):
    with pytest.raises(ValueError, match=message):
        read_changes(write("t.csv", f"change,cost,stars\n{rows}"))


def test_the_total_of_changes_is_no_change_and_percents_are_told(write):
    text = "change,cost,stars\na,100,1%\nb,200,2%\nTotal,300,3%\n"
    with pytest.warns(UserWarning, match=r"^(votes|t)\.csv: ") as warned:
        changes = read_changes(write("t.csv", text))
    assert [change.name for change in changes] == ["a", "b"]
    said = " ".join(str(one.message) for one in warned)
    assert "t.csv: Rows left out as totals below the table: row 4 ('Total')." in said
    assert "t.csv: Percentages read as fractions (5% is 0.05): stars." in said
