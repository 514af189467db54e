"""Pictures of rankings: matplotlib functions that draw on given axes, or on new ones."""

from rankwright.plots.comparison import plot_comparison
from rankwright.plots.consensus import plot_consensus
from rankwright.plots.convergence import plot_convergence
from rankwright.plots.curves import plot_curves
from rankwright.plots.explanation import plot_explanation
from rankwright.plots.frontier import plot_frontier
from rankwright.plots.groups import plot_by_group
from rankwright.plots.heat_map import plot_improvement
from rankwright.plots.leaderboard import plot_leaderboard
from rankwright.plots.panels import panels
from rankwright.plots.points import plot_pairs, plot_points
from rankwright.plots.ranking import plot_ranking
from rankwright.plots.ranking_forests import plot_oob_roc, plot_ranking_tree
from rankwright.plots.roc import plot_roc
from rankwright.plots.shapes import plot_shapes
from rankwright.plots.slope import plot_slope
from rankwright.plots.stacked import plot_stacked
from rankwright.plots.trees import plot_partition, plot_tree
from rankwright.plots.weights import plot_weights

__all__ = [
    "panels",
    "plot_by_group",
    "plot_comparison",
    "plot_consensus",
    "plot_convergence",
    "plot_curves",
    "plot_explanation",
    "plot_frontier",
    "plot_improvement",
    "plot_leaderboard",
    "plot_oob_roc",
    "plot_pairs",
    "plot_partition",
    "plot_points",
    "plot_ranking",
    "plot_ranking_tree",
    "plot_roc",
    "plot_shapes",
    "plot_slope",
    "plot_stacked",
    "plot_tree",
    "plot_weights",
]
