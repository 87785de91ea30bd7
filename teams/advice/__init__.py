"""The parts of the team check, one module a subject. ``teams.check`` is the door."""
