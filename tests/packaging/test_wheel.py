"""What is installed works without the source tree, wherever it lies."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACE = "ein Ordner mit Leerzeichen, ü und 箱"


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    building = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "wheel", ROOT, *building, "-w", folder)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_file_of_the_package(wheel):
    source = ROOT / "src"
    files = [path for path in (source / "rankwright").rglob("*") if path.is_file()]
    expected = {path.relative_to(source).as_posix() for path in files}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {name for name in expected if "__pycache__" not in name}


def test_the_wheel_works_in_a_path_with_spaces_and_unicode(wheel, tmp_path):
    place = tmp_path / PLACE
    installing = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "install", *installing, "--target", place, wheel)
    code = (
        "import rankwright as rw\n"
        "cameras = rw.datasets.load_camera_ratings()\n"
        "ranker = rw.PRankPerceptron().fit(cameras.X, cameras.y > cameras.y.mean())\n"
        "rw.save(ranker, 'modèle.rw')\n"
        "assert (rw.load('modèle.rw').predict(cameras.X) == ranker.predict(cameras.X)).all()\n"
        "print(rw.__file__)"
    )
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONIOENCODING": "utf-8"}
    environment.pop("NUMBA_CACHE_DIR", None)
    found = run(sys.executable, "-c", code, cwd=tmp_path, env=environment)
    assert Path(found.strip()).is_relative_to(place)
    compiled = place / "rankwright" / "kernels" / "__pycache__"
    assert list(compiled.glob("*.nbc"))  # the machine code is kept beside the sources


@pytest.mark.slow
def test_the_demo_runs_in_a_clean_environment(wheel, tmp_path):
    place = tmp_path / PLACE
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run(place / "bin" / "rankwright", "demo", cwd=tmp_path, env=environment)
    assert (tmp_path / "rankwright-demo" / "report.html").exists()
