"""The papers' experiments, run through the public names and resumed where they were stopped."""

from rankwright.studies.catalogue import find_study, study_names
from rankwright.studies.experiment import Experiment, Trial
from rankwright.studies.page import Page, Verdict
from rankwright.studies.published_numbers import beside, mean_and_error, published
from rankwright.studies.reproduction import reproduce
from rankwright.studies.results import Results
from rankwright.studies.runner import run
from rankwright.studies.store import DamagedStoreError, Store
from rankwright.studies.study import Settings, Study

__all__ = [
    "DamagedStoreError",
    "Experiment",
    "Page",
    "Results",
    "Settings",
    "Store",
    "Study",
    "Trial",
    "Verdict",
    "beside",
    "find_study",
    "mean_and_error",
    "published",
    "reproduce",
    "run",
    "study_names",
]
