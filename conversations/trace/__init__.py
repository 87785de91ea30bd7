"""The trace of a run: its tree, its timeline, and what went in and out."""
