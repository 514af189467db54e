"""Trees and forests that rank."""
