import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import rankwright as rw
from rankwright.report import plain
from rankwright.report.rating import rating_report, rating_result, result_tables
from rankwright.reverse import RatingFormula, investigate

VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """Collects tags and ids, and checks that tags close in the order in which they open."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.loaded = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        self.loaded += [given["src"]] if "src" in given else []

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(1)
    factors = rng.integers(2, 11, (20, 3)) / 2
    table = pd.DataFrame(factors, columns=["photo", "video", "weight"])
    table["name"] = [f"P{i}" for i in range(19)] + ["<script>alert('x')</script> & $5"]
    table["kind"] = np.repeat(["a & b", "c"], 10)
    score = factors @ [3, 2, -1] + 2 * rng.standard_normal(20)
    table["rank"] = score.argsort()[::-1].argsort() + 1
    data = rw.read_table(table, item="name", target="rank", group="kind")
    return investigate(
        data, RatingFormula(top=np.int64(3), time_limit=60, random_state=0), checks=False
    )


@pytest.fixture(scope="module")
def html(found):
    return rating_report(found)


def test_the_page_is_well_formed_with_unique_ids(html):
    page = Page(html)
    assert len(page.ids) == len(set(page.ids))


def test_nothing_is_loaded_from_elsewhere(html):
    page = Page(html)
    assert page.loaded == []
    assert all(link.startswith("#") for link in page.links)
    assert not re.search(r"url\((?!#)|@import|<script", html)


def test_every_link_has_its_target(html):
    page = Page(html)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_names_are_text_and_nothing_else(html):
    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_light_dark_and_print_are_provided_for(html):
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html
    assert "details::details-content { content-visibility: visible" in html  # nothing stays folded
    drawings = re.findall(r"<svg.*?</svg>", html, flags=re.DOTALL)
    assert len(drawings) >= 3
    assert all("var(--ink)" in drawing for drawing in drawings)
    assert not any("#222831" in drawing for drawing in drawings)


def test_the_report_says_what_was_found(found, html):
    for title in ["How well", "The formula", "How sure", "What if", "How to cite"]:
        assert f"<h2>{title}</h2>" in html
    assert found.formula.to_excel_formula() in html
    moved = (found.ranking["moved"] != 0).sum()
    assert f"{moved} of 20 products are outside their published place" in html


def test_the_result_is_plain(found):
    result = plain(rating_result(found))
    assert result["certificate"]["status"] == "optimal"
    assert {row["product"] for row in result["ranking"]} >= {"P0", "P18"}
    assert result["held_out"] is None


def test_the_first_suspects_are_explained_against_a_rival(found, html):
    shown = re.findall(
        r"<summary>By the formula (.*?) is (above|below|level with) (.*?): why<", html
    )
    assert len(shown) == min(5, len(found.suspects))
    first = found.suspects.iloc[0]
    assert unescape(shown[0][0]) == first["product"]
    assert unescape(shown[0][2]) == first["against"][0]
    scores = found.formula.explain(first["product"], first["against"][0])
    assert shown[0][1] == scores.relation


def test_intervals_are_texts_in_tables_and_numbers_in_json(found):
    ranges = found.weight_ranges
    intervals = [[(74.42, 77.77)], [(0.0, 1.25), (3.0, 3.0)], [(8.0, 9.0)]]
    changed = replace(found, weight_ranges=ranges.assign(intervals=intervals))
    texts = result_tables(changed)["formula"].loc[ranges.index, "intervals"]
    assert texts.tolist() == ["74.4 to 77.8", "0.0 to 1.3; 3.0", "8.0 to 9.0"]
    kept = rating_result(changed)["formula"].loc[ranges.index, "intervals"]
    assert kept.tolist() == intervals


def test_a_long_name_may_be_broken_in_tables_also_on_a_screen(html):
    on_screen, _, on_paper = html.partition("@media print")
    assert on_paper
    assert "td { overflow-wrap: break-word; max-width: 20rem; }" in on_screen
