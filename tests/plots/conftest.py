"""Pictures are compared with stored ones; delete a stored one to have it written anew."""

from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot
from matplotlib.testing.compare import compare_images

REFERENCES = Path(__file__).parent / "references"
TOLERANCE = 6  # root mean square over pixels of 0 to 255: letters may be smoothed differently


@pytest.fixture(autouse=True)
def _plain_style():
    with mpl.rc_context({"backend": "agg"}):
        mpl.rcdefaults()
        yield
    pyplot.close("all")


@pytest.fixture
def looks_like(tmp_path):
    """Return a function that compares axes with the stored picture of a name."""

    def compare(ax, name):
        reference, drawn = REFERENCES / f"{name}.png", tmp_path / f"{name}.png"
        ax.figure.savefig(drawn, dpi=60, metadata={"Software": None})
        if not reference.exists():
            REFERENCES.mkdir(exist_ok=True)
            reference.write_bytes(drawn.read_bytes())
            pytest.fail(f"{reference} was missing and has been written: look at it, run again")
        return compare_images(str(reference), str(drawn), tol=TOLERANCE)

    return compare
