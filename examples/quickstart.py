"""Fit a ranker on the bundled camera ratings and print the ranking it learned."""

import rankwright as rw

ratings = rw.datasets.load_camera_ratings()
ranker = rw.ExpectedRankRegressor().fit(ratings.X, ratings.y, ratings.groups)
tau = ranker.score(ratings.X, ratings.y, ratings.groups)

table = ratings.table[["type", "rank"]].set_index(ratings.X.index)
table["learned position"] = ranker.rank(ratings.X, ratings.groups)
table["score"] = ranker.predict(ratings.X)

print(f"{len(table)} fictitious cameras of {table['type'].nunique()} types, ranked by type")
for kind, cameras in table.groupby("type"):
    best = cameras.sort_values("score", ascending=False).head(5)
    print(f"\n{kind}: the learned top five beside their published ranks")
    print(best.drop(columns="type").to_string(float_format="{:.3g}".format))
print(f"\nKendall's tau-b with the published order, mean over the types: {tau:.3f}")
