"""The studio: a local web page that asks what the command line asks, and computes nothing."""
