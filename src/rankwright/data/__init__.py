"""What a ranking problem is: the forms of training data, and the only place that parses."""
