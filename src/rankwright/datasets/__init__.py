"""Generators of the data sets in the papers, and bundled tables."""

from rankwright.datasets.bipartite import BipartiteData, make_rf10, make_rf10_sparse, make_rf20
from rankwright.datasets.blocks import BlocksData, make_blocks
from rankwright.datasets.camera_ratings import (
    CameraRatings,
    load_camera_ratings,
    make_camera_ratings,
)
from rankwright.datasets.cameras import CameraExample, load_cameras
from rankwright.datasets.cystic_fibrosis import load_cystic_fibrosis
from rankwright.datasets.flex_ratings import FlexRatings, make_flex_ratings
from rankwright.datasets.hotels import make_hotels
from rankwright.datasets.movielens import MovielensData, load_movielens
from rankwright.datasets.ordinal_squares import OrdinalData, make_ordinal_squares
from rankwright.datasets.product_ratings import RatingsData, make_product_ratings
from rankwright.datasets.ranking_data import GeneratedData, RankingData
from rankwright.datasets.ranking_samples import sample_rankings

__all__ = [
    "BipartiteData",
    "BlocksData",
    "CameraExample",
    "CameraRatings",
    "FlexRatings",
    "GeneratedData",
    "MovielensData",
    "OrdinalData",
    "RankingData",
    "RatingsData",
    "load_camera_ratings",
    "load_cameras",
    "load_cystic_fibrosis",
    "load_movielens",
    "make_blocks",
    "make_camera_ratings",
    "make_flex_ratings",
    "make_hotels",
    "make_ordinal_squares",
    "make_product_ratings",
    "make_rf10",
    "make_rf10_sparse",
    "make_rf20",
    "sample_rankings",
]
