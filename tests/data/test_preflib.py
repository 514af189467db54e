import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwright.data import Rankings, read_preflib

MODERN = """# FILE NAME: 00001-00000001.toi
# TITLE: A vote: by hand
# DATA TYPE: toi
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 7
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: Ann: the first
# ALTERNATIVE NAME 2: Bob, Jr.
# ALTERNATIVE NAME 3: Zoë
4: 2,{1,3}
2: 3, 1
1: {2, 3}
"""
OLDER = "3\n1,Ann: the first\n2,Bob, Jr.\n3,Zoë\n7,7,3\n4,2,{1,3}\n2,3,1\n1,{2,3}\n"


@pytest.fixture
def save(tmp_path):
    def write(text, name="vote.toi", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_orders_are_named_with_ties_as_lists(save):
    ann, bob, zoe = "Ann: the first", "Bob, Jr.", "Zoë"
    assert read_preflib(save(MODERN)).named() == [[bob, [ann, zoe]], [zoe, ann], [[bob, zoe]]]


def test_spaces_may_stand_on_both_sides_of_a_comma(save):
    assert read_preflib(save(MODERN.replace("2: 3, 1", "2: 3 , 1"))).orders[1] == (2, 0)


def test_alternatives_may_be_numbered_from_zero(save):
    vote = read_preflib(save("2\n0,Ann\n1,Bob\n3,3,1\n3,1,0\n"))
    assert (vote.items, vote.orders) == (("Ann", "Bob"), ((1, 0),))


def test_an_alternative_may_have_a_long_number(save):
    number = 10**18
    vote = read_preflib(save(f"1\n{number},Ann\n3,3,1\n3,{number}\n"))
    assert vote.orders == ((0,),)


def test_the_largest_count_is_read(save):
    largest = 2**63 - 1
    vote = read_preflib(save(f"1\n1,Ann\n{largest},{largest},1\n{largest},1\n"))
    assert vote.counts.tolist() == [largest]


def test_headers_below_orders_are_read(save):
    name = "# ALTERNATIVE NAME 3: Zoë\n"
    moved = MODERN.replace(name, "") + name
    assert read_preflib(save(moved)).items == read_preflib(save(MODERN)).items


@pytest.mark.parametrize("text", [MODERN, OLDER])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_both_formats_give_names_orders_and_counts(save, text, encoding):
    vote = read_preflib(save(text, encoding=encoding))
    assert vote.items == ("Ann: the first", "Bob, Jr.", "Zoë")
    assert vote.orders == ((1, (0, 2)), (2, 0), ((1, 2),))
    assert vote.counts.tolist() == [4, 2, 1]


def test_alternatives_need_not_be_numbered_from_one(save):
    vote = read_preflib(save("2\n7,Ann\n9,Bob\n1,1,1\n1,9,7\n", "vote.soc"))
    assert vote.orders == ((1, 0),)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("vote.toi", MODERN.replace("VOTERS: 7", "VOTERS: 8"), "says 8 voters, the file has 7"),
        ("vote.toi", MODERN.replace("ORDERS: 3", "ORDERS: 2"), "says 2 orders, the file has 3"),
        ("vote.toi", MODERN.replace("IVES: 3", "IVES: 4"), "says 4 alternatives, the file has 3"),
        ("vote.toi", OLDER.replace("7,7,3", "7,7,9"), "says 9 orders, the file has 3"),
        ("vote.toi", OLDER.replace("7,7,3", "8,8,3"), "says 8 voters, the file has 7"),
        ("vote.toi", MODERN.replace("4: 2", "4: 5"), "line 10: there is no alternative 5"),
        ("vote.toi", MODERN.replace("3, 1", "3, 3"), "line 11: an alternative occurs twice"),
        ("vote.toi", MODERN.replace("3, 1", "{3, 1"), "line 11: expected numbers and braces"),
        ("vote.toi", MODERN.replace("2: 3, 1", "x: 3, 1"), "line 11: expected a whole number"),
        ("vote.toi", MODERN.replace("2: 3, 1", "2:"), "line 11: the order is empty"),
        ("vote.toi", MODERN.replace("3, 1", "3, 1,"), "line 11: expected numbers and braces"),
        ("vote.soi", MODERN, "line 10: a tie in a file of strict orders"),
        ("vote.toc", MODERN, "line 11: 2 of 3 ranked in complete orders"),
        ("vote.toi", MODERN.split("4:")[0], "holds no orders"),
        ("vote.toi", OLDER.replace("7,7,3", "7"), "line 5: expected three totals"),
        ("vote.toi", "3\n1,Ann\n", "the file ends sooner"),
        ("vote.toi", "1\n1,Ann\n", "the file ends sooner"),
        ("vote.toi", "2\n1,Ann\n2,Bob\n9,4,1\n5,1,2\n", "says 4 voters, the file has 5"),
        ("vote.toi", f"1\n1,Ann\n1,1,1\n{2**63},1\n", f"{2**63} is larger than {2**63 - 1}"),
        ("vote.toi", "a,b\n1,2\n", "line 1: expected a whole number, found 'a,b'"),
        ("vote.cat", MODERN, r"\.soc, \.soi, \.toc, \.toi"),
        ("vote.toi", "", "empty"),
        ("vote.toi", "\ufeff", "empty"),
        ("vote.toi", "\ufeff\n \n", "empty"),
        (
            "vote.toi",
            MODERN.replace("NAME 3: Zoë", "NAME 2: Zoë"),
            "line 9: alternative 2 is 'Zoë' here and 'Bob, Jr.' before; give each its own",
        ),
        ("vote.toi", OLDER.replace("3,Zoë", "1,Zoë"), "line 4: alternative 1 is 'Zoë' here"),
        ("vote.toi", MODERN.replace("4: 2", f"{10**20}: 2"), f"line 10: {10**20} is larger than"),
        ("vote.toi", MODERN.replace("4: 2", "9" * 5000 + ": 2"), "line 10: 9+ is larger than"),
        (
            "vote.toi",
            f"# ALTERNATIVE NAME 1: a\n{2**62}: 1\n{2**62}: 1\n",
            f"{2**63} voters, more than {2**63 - 1}; divide the counts",
        ),
        ("vote.toi", MODERN.replace("4: 2", f"4: {10**20}"), f"no alternative {10**20}"),
        ("vote.toi", MODERN.replace("4: 2", "4: " + "9" * 5000), "no alternative 999"),
        ("vote.toi", MODERN.replace("IVES: 3", f"IVES: {10**20}"), "line 4: 10+ is larger than"),
        ("vote.toi", MODERN.replace("3, 1", "3 1"), "line 11: expected numbers and braces"),
        ("vote.toi", MODERN.replace("3, 1", "3\u00a01"), "line 11: expected numbers and braces"),
        ("vote.toi", MODERN.replace("3, 1", "{}"), "line 11: the order ranks nothing"),
        ("vote.toi", MODERN.replace("3, 1", "3," + " " * 50_000 + "x"), "line 11: expected numb"),
        ("vote.toi", MODERN.replace("3, 1", "3" + " " * 50_000 + "x"), "line 11: expected numb"),
        ("vote.toi", MODERN.replace("3, 1", "{" * 50_000), "line 11: expected numbers and braces"),
        ("vote.toi", MODERN.replace("3, 1", "3\0"), "control character"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(save, name, text, message):
    with pytest.raises(ValueError, match=message):
        read_preflib(save(text, name))


@pytest.mark.parametrize("inside", ["\x85", "\u2028", "\u2029", "\x0b", "\x0c"])
@pytest.mark.parametrize("text", [MODERN, OLDER])
def test_only_line_feeds_and_carriage_returns_end_a_line(save, text, inside):
    vote = read_preflib(save(text.replace("Bob", f"B{inside}ob")))
    assert vote.items == ("Ann: the first", f"B{inside}ob, Jr.", "Zoë")
    assert vote.counts.tolist() == [4, 2, 1]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_every_line_ending_and_encoding_is_read(save, newline, encoding):
    vote = read_preflib(save(MODERN.replace("\n", newline), encoding=encoding))
    assert vote.items[2] == "Zoë"
    assert vote.orders == ((1, (0, 2)), (2, 0), ((1, 2),))


def test_braces_around_nothing_are_a_grade_that_nobody_got(save):
    vote = read_preflib(save(MODERN.replace("4: 2,{1,3}", "4: {},2,{ },{1,3}")))
    assert vote.orders[0] == (1, (0, 2))


def test_zeros_before_a_number_are_nothing(save):
    path = save(f"# ALTERNATIVE NAME {'0' * 5000}1: a\n{'0' * 5000}4: 01\n")
    vote = read_preflib(path)
    assert (vote.items, vote.orders, vote.counts.tolist()) == (("a",), ((0,),), [4])


def test_counts_up_to_the_largest_integer_are_exact(save):
    path = save(f"# ALTERNATIVE NAME 1: a\n{2**63 - 2}: 1\n1: 1\n")
    assert read_preflib(path).counts.tolist() == [2**63 - 2, 1]


@st.composite
def votes(draw):
    n_items = draw(st.integers(1, 6))
    ballots = []
    for _ in range(draw(st.integers(1, 5))):
        ranked = draw(st.permutations(range(n_items)))[: draw(st.integers(1, n_items))]
        cuts = draw(st.lists(st.booleans(), min_size=len(ranked), max_size=len(ranked)))
        places: list[list[int]] = []
        for row, starts in zip(ranked, cuts, strict=True):
            if starts or not places:
                places.append([])
            places[-1].append(row)
        ballots.append((draw(st.integers(1, 99)), places))
    return n_items, ballots


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(votes(), st.booleans(), st.sampled_from([",", ", "]))
def test_written_orders_come_back_equal(save, vote, modern, comma):
    n_items, ballots = vote
    n_voters = sum(count for count, _ in ballots)

    def place(tied):
        text = comma.join(str(row + 1) for row in tied)
        return text if len(tied) == 1 else f"{{{text}}}"

    after_count = ": " if modern else ","
    if modern:
        lines = [f"# NUMBER ALTERNATIVES: {n_items}", f"# NUMBER VOTERS: {n_voters}"]
        lines += [f"# NUMBER UNIQUE ORDERS: {len(ballots)}"]
        lines += [f"# ALTERNATIVE NAME {i + 1}: item {i}" for i in range(n_items)]
    else:
        lines = [str(n_items), *(f"{i + 1},item {i}" for i in range(n_items))]
        lines += [f"{n_voters},{n_voters},{len(ballots)}"]
    lines += [f"{count}{after_count}{comma.join(map(place, places))}" for count, places in ballots]

    read = read_preflib(save("\n".join(lines)))
    assert read.items == tuple(f"item {i}" for i in range(n_items))
    np.testing.assert_array_equal(read.counts, [count for count, _ in ballots])
    listed = [[list(p) if isinstance(p, tuple) else [p] for p in order] for order in read.orders]
    assert listed == [places for _, places in ballots]


def test_orders_become_rankings_as_they_are(save):
    vote = read_preflib(save(MODERN))
    _, y, groups = Rankings(np.eye(3), vote.orders).to_rows()
    assert y.tolist() == [1, 0, 0, 1, 0, 0, 0]
    assert groups.tolist() == [0, 0, 0, 1, 1, 2, 2]
