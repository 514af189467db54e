"""Learn rankings from examples, explain them, and find the cheapest way up."""
