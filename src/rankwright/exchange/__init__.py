"""Models for other runtimes, and rankings of files larger than memory."""

from rankwright.exchange.onnx_model import to_onnx
from rankwright.exchange.parquet import RankedFile, rank_parquet

__all__ = ["RankedFile", "rank_parquet", "to_onnx"]
