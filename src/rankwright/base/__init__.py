"""The contract that every ranker keeps."""
