"""Pieces of pages."""

from rankwright.report.page import paragraph


def test_words_from_right_to_left_leave_the_numbers_beside_them_in_place():
    text = "ציטוטים (9%), البحث العلمي (12%)"
    assert paragraph(text) == "<p><bdi>ציטוטים</bdi> (9%), <bdi>البحث العلمي</bdi> (12%)</p>"


def test_text_is_text():
    assert paragraph("<b> & Ä 東京") == "<p>&lt;b&gt; &amp; Ä 東京</p>"
