"""The rules of definitions, written once: pure functions over drafts.

``teams.validation`` is the door: services, admin, REST, import and the start of a run
all call what it names.
"""
