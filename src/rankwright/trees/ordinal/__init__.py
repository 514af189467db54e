"""Trees and forests for labels on an ordered scale."""
