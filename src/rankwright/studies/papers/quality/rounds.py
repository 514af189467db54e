"""The rounds of section 8.1: parameters chosen by validation, then tested."""

import pandas as pd

__all__ = ["MEASURES", "NAMES", "RANKS", "ROUND", "SETTING", "final_rounds", "rank_sums"]

MEASURES = ["m1", "m2", "m3"]
RANKS = [f"{measure}_rank" for measure in MEASURES]
NAMES = {
    "ls1": "LS1",
    "ls2": "LS2",
    "ls3": "LS3",
    "l1re": "ℓ1-RE",
    "l2re": "ℓ2-RE",
    "mio_re": "MIO-RE",
}
SETTING = ["method", "borrow", "pull", "emphasis"]
ROUND = ["replication", "held_out", "split"]


def final_rounds(frame: pd.DataFrame) -> pd.DataFrame:
    """Choose each method's parameters by validation, steps 1 and 2, and return its test, step 3.

    Returns
    -------
    DataFrame
        For each replication, round (the fold ``held_out``), method and split the chosen setting,
        the measures, and their ranks: the number of methods that are strictly worse.
    """
    validated = frame[(frame["train"].str.len() == 2) & (frame["split"] == "test")]
    tested = frame[frame["train"].str.len() == 3]
    rounds = []
    for fold in sorted(tested["held_out"].unique()):
        unseen = ~validated["train"].str.contains(fold) & (validated["held_out"] != fold)
        seen = validated[unseen].assign(total=lambda rows: rows[MEASURES].sum(axis=1))
        mean = seen.groupby(["replication", *SETTING], sort=False)["total"].mean().reset_index()
        # The first of equally good settings: the one that borrows, pulls and emphasises least.
        best = mean.loc[mean.groupby(["replication", "method"], sort=False)["total"].idxmax()]
        chosen = best[["replication", *SETTING]]
        rounds.append(chosen.merge(tested[tested["held_out"] == fold], how="left"))
    final = pd.concat(rounds, ignore_index=True)
    ranks = final.groupby(ROUND)[MEASURES].rank(method="min") - 1
    ranked: pd.DataFrame = final.join(ranks.astype(int).add_suffix("_rank"))
    return ranked


def rank_sums(ranked: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the sums of ranks over the rounds, by method and split: Table 6."""
    sums = ranked.groupby([*by, "method", "split"], sort=False)[RANKS].sum()
    return sums.assign(total=sums.sum(axis=1))
