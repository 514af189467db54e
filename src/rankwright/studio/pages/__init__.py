"""The pages of the studio, one for each job of an analyst."""
