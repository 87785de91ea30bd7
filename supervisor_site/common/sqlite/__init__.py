"""Django's SQLite backend with few connections for many threads; named by settings."""
