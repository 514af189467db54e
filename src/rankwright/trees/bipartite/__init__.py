"""Trees and forests for two classes."""
