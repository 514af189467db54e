"""Four judges' grades of query-document pairs: the Cystic Fibrosis collection."""

import re
from os import PathLike
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd

from rankwright.datasets.ranking_data import RankingData

__all__ = ["load_cystic_fibrosis"]

JUDGES = 4
GRADES = re.compile("[0-2]{4}")
QUERY_NUMBER = re.compile("[0-9]{5}")


def load_cystic_fibrosis(path: str | PathLike[str], *, judge: int = 4) -> RankingData:
    """Read the relevance grades of the Cystic Fibrosis collection from its `cfquery.xml`.

    In the file that circulates, query 93 has run into query 92: one item, whose grades are really
    a number of results and whose document is a query's number, marks the place. The reader
    splits the query there, which gives the 100 queries and 4,819 pairs of the literature.

    Parameters
    ----------
    path : str or path
        The original `cfquery.xml`.
    judge : {1, 2, 3, 4}
        The judge whose grade is the target; the other three judges' grades are the features.

    Returns
    -------
    RankingData
        Grades are 0, 1 and 2 (highly relevant); `groups` is the number of the query, and `X` is
        indexed by query and document.

    Examples
    --------
    >>> import rankwright as rw
    >>> pairs = rw.datasets.load_cystic_fibrosis("cfquery.xml")  # doctest: +SKIP
    >>> pairs.X.shape  # doctest: +SKIP
    (4819, 3)
    """
    if judge not in range(1, JUDGES + 1):
        raise ValueError(f"judge={judge!r}; choose from 1 to {JUDGES}")
    judges = [f"judge_{number}" for number in range(1, JUDGES + 1)]
    rows = [
        (query, document, *map(float, grades)) for query, document, grades in _pairs(Path(path))
    ]
    table = pd.DataFrame(rows, columns=["query", "document", *judges])
    table = table.set_index(["query", "document"])
    target = f"judge_{judge}"
    return RankingData(
        X=table.drop(columns=target),
        y=table[target].to_numpy(copy=True),
        groups=table.index.get_level_values("query").to_numpy(),
    )


def _pairs(path: Path) -> list[tuple[int, int, str]]:
    """List (query, document, grades of the four judges)."""
    pairs = []
    for query in _root(path).iter("QUERY"):
        number = int(_text(query.find("QueryNumber"), path))
        for item in query.iter("Item"):
            grades, document = item.get("score", ""), _text(item, path)
            if GRADES.fullmatch(grades):
                pairs.append((number, int(document), grades))
            elif QUERY_NUMBER.fullmatch(document):
                number = int(document)  # the header of the next query, swallowed by this one
            else:
                raise ValueError(
                    f"{path}: query {number}, document {document!r} has score={grades!r}; "
                    "expected four grades 0 to 2, as in the original cfquery.xml"
                )
    if not pairs:
        raise ValueError(f"{path} holds no graded documents; give the original cfquery.xml")
    return pairs


def _root(path: Path) -> ElementTree.Element:
    try:
        # expat limits the expansion of entities itself and resolves no external ones.
        return ElementTree.parse(path).getroot()  # noqa: S314
    except ElementTree.ParseError as error:
        raise ValueError(f"{path} is not XML ({error}); give the original cfquery.xml") from error


def _text(element: ElementTree.Element | None, path: Path) -> str:
    if element is None or not element.text:
        raise ValueError(f"{path}: a query or a document has no number; is it cfquery.xml?")
    return element.text.strip()
