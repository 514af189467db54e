"""All that tasks import, for the process from which jobs are forked."""

import rankwright.aggregation
import rankwright.comparison.catalogue
import rankwright.datasets
import rankwright.improve
import rankwright.leaderboards
import rankwright.report.bundle
import rankwright.reverse  # noqa: F401
