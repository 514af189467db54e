"""Draw the README's picture: the formula behind the bundled ratings, and one camera's way up."""

from pathlib import Path

import matplotlib.pyplot as plt

import rankwright as rw

CAMERA = "Cirrus M440"

ratings, example = rw.datasets.load_camera_ratings(), rw.datasets.load_cameras()
formula = rw.RatingFormula(top=10, random_state=0).fit(ratings.X, ratings.y, ratings.groups)
spread = ratings.X.max() - ratings.X.min()
true = ratings.weights * spread / (ratings.weights.abs() * spread).sum()
names = [str(name) for name in ratings.X.columns]
signed = formula.shares_ / 100 * [1 if weight >= 0 else -1 for weight in formula.weights_]

planner = rw.Planner(formula, example.changes, example.conflicts)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
rw.plots.plot_weights(dict(zip(names, signed, strict=True)), true=true.to_dict(), ax=left)
left.set_title(f"The formula behind 200 published ranks: {formula.status_}", pad=24)
rw.plots.plot_frontier(planner.frontier(ratings.X.loc[CAMERA]), ax=right)
right.set_title(f"The cheapest way up for {CAMERA}", pad=24)
figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
