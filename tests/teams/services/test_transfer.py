"""Export and import: the whole team, no secrets, all or nothing."""

from __future__ import annotations

import json
from copy import deepcopy
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from supervisor_site.common.errors import Conflict, Forbidden, Invalid
from teams.models import Agent, Profile, Task, Team, TeamMember, Tool
from teams.services import definitions
from teams.services.describe import as_attributes
from teams.services.transfer import export_team, import_bundle
from teams.services.versions import version_for
from tests.teams import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def bundle(db: None) -> dict[str, Any]:
    build.keyed_profile(key="sk-very-secret")
    build.desk()
    definitions.update("agent", "ACCOUNTS", {"profile_name": "KEYED"}, user=None)
    definitions.update("team", "DESK", {"starters": ["Hello"]}, user=None)
    return export_team(Team.objects.get())


def wipe() -> None:
    TeamMember.objects.all().delete()
    for model in (Team, Agent, Task, Tool, Profile):
        model.objects.all().delete()


def actions(changes) -> list[tuple[str, str, str]]:
    return [(change.action, change.kind, change.name) for change in changes]


def test_a_bundle_holds_the_team_with_all_it_uses_and_no_secret(bundle) -> None:
    assert {key: len(bundle[key]) for key in ("agents", "tasks", "tools")} == {
        "agents": 2,
        "tasks": 1,
        "tools": 1,
    }
    assert [each["name"] for each in bundle["profiles"]] == ["KEYED", "MAIN"]
    assert (bundle["schema"], bundle["kind"]) == (1, "supervisor-site/team")
    assert "sk-very-secret" not in json.dumps(bundle)
    assert "api_key" not in json.dumps(bundle)


def test_an_import_elsewhere_makes_the_same_team(bundle) -> None:
    before = as_attributes(Team.objects.get())
    wipe()
    changes = import_bundle(bundle, user=None)
    assert actions(changes) == [
        ("create", "profile", "KEYED"),
        ("create", "profile", "MAIN"),
        ("create", "tool", "lookup_account"),
        ("create", "agent", "ACCOUNTS"),
        ("create", "agent", "LEADER"),
        ("create", "task", "LOOK_UP"),
        ("create", "team", "DESK"),
        ("note", "profile", "KEYED"),
    ]
    assert changes[-1].message == (
        "Give the profile “KEYED” its API key: a bundle holds none."
    )
    team = Team.objects.get()
    assert as_attributes(team) == before
    assert export_team(team)["agents"] == bundle["agents"]
    assert version_for(team).number == 1


def test_a_second_import_keeps_everything_as_it_is(bundle) -> None:
    stamps = {row.name: row.updated_at for row in Agent.objects.all()}
    changes = import_bundle(bundle, user=None)
    assert {change.action for change in changes} == {"keep"}
    assert {row.name: row.updated_at for row in Agent.objects.all()} == stamps
    assert Profile.objects.get(name="KEYED").api_key() == "sk-very-secret"


def test_what_exists_and_differs_is_in_the_way(bundle) -> None:
    definitions.update("agent", "LEADER", {"role": "Mine."}, user=None)
    definitions.update("task", "LOOK_UP", {"instruction": "Mine."}, user=None)
    definitions.drop("team", "DESK", user=None)
    with pytest.raises(Conflict) as caught:
        import_bundle(bundle, user=None)
    assert caught.value.code == "exists"
    assert caught.value.extra["objects"] == [
        {"kind": "agent", "name": "LEADER", "attributes": ["role"]},
        {"kind": "task", "name": "LOOK_UP", "attributes": ["instruction"]},
    ]
    assert Agent.objects.get(name="LEADER").role == "Mine."
    assert not Team.objects.live().exists()


def test_replace_changes_it_and_says_what(bundle) -> None:
    definitions.update("agent", "LEADER", {"role": "Mine."}, user=None)
    changes = import_bundle(bundle, user=None, replace=True)
    (update,) = [change for change in changes if change.action == "update"]
    assert (update.name, update.attributes) == ("LEADER", ("role",))
    assert Agent.objects.get(name="LEADER").role == "You are LEADER."


def test_a_dry_run_answers_the_same_and_keeps_nothing(bundle) -> None:
    wipe()
    changes = import_bundle(bundle, user=None, dry_run=True)
    assert len(changes) == 8
    assert not Profile.objects.exists()
    assert not Team.objects.exists()


def test_a_replaced_address_takes_the_key_away_and_says_so(bundle) -> None:
    bundle["profiles"][0]["base_url"] = "https://other.example.com/v1"
    changes = import_bundle(bundle, user=None, replace=True)
    assert ("note", "profile", "KEYED") in actions(changes)
    assert not Profile.objects.get(name="KEYED").has_key


def test_parts_left_out_are_taken_from_the_site(bundle) -> None:
    definitions.drop("team", "DESK", user=None)
    changes = import_bundle({"team": bundle["team"]}, user=None)
    assert actions(changes) == [("create", "team", "DESK")]


def test_an_oracle_style_bundle_is_read() -> None:
    build.profile("GOOGLE")
    changes = import_bundle(
        {
            "tools": [
                {"tool_name": "T", "attributes": {"function": "list_payments"}},
            ],
            "agents": [
                {
                    "agent_name": "LEADER",
                    "attributes": {
                        "profile_name": "GOOGLE",
                        "supervisor": True,
                        "role": "You orchestrate requests.",
                    },
                },
                {
                    "agent_name": "WORKER",
                    "status": "ENABLED",
                    "attributes": '{"profile_name": "GOOGLE", "role": "You work."}',
                },
            ],
            "tasks": [
                {
                    "task_name": "WORK",
                    "attributes": {"instruction": "Do it: {query}", "tools": ["T"]},
                }
            ],
            "teams": [
                {
                    "team_name": "DESK",
                    "attributes": {
                        "agents": [{"name": "WORKER", "task": "WORK"}],
                        "process": "sequential",
                        "supervisor_agent": "LEADER",
                    },
                }
            ],
        },
        user=None,
    )
    assert [change.action for change in changes] == ["create"] * 5
    assert Team.objects.get().pattern == "supervisor"


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (lambda b: b.update(kind="other/thing"), "kind"),
        (lambda b: b.update(schema=2), "schema"),
        (lambda b: b.update(extra={}), "extra"),
        (lambda b: b.update(agents={}, teams={}), None),
        (lambda b: b["agents"].append("LEADER"), "agents.2"),
        (lambda b: b["agents"].append(dict(b["agents"][0])), "agents.2.name"),
        (lambda b: b["agents"][1].update(role=""), "agents.1.role"),
        (lambda b: b["agents"][0].update(profile_name="X"), "agents.0.profile_name"),
        (lambda b: b["tasks"][0].update(tools=["nope"]), "tasks.0.tools.0"),
        (lambda b: b["team"]["agents"][0].update(task="X"), "team.agents.0.task"),
        (lambda b: b["team"].update(supervisor_agent="ACCOUNTS"), None),
        (lambda b: b["team"].pop("name"), "team.name"),
    ],
)
def test_a_spoilt_bundle_is_refused_at_its_place_and_makes_nothing(
    bundle, spoil, field
) -> None:
    wipe()
    spoilt = deepcopy(bundle)
    spoil(spoilt)
    with pytest.raises(Invalid) as caught:
        import_bundle(spoilt, user=None)
    if field:
        assert [error.field for error in caught.value.errors] == [field]
    assert not Profile.objects.exists()
    assert not Agent.objects.exists()


@pytest.mark.parametrize("nothing", [{}, [], None, "x", {"agents": []}])
def test_nothing_is_no_bundle(nothing) -> None:
    with pytest.raises(Invalid):
        import_bundle(nothing, user=None)


def test_an_import_that_takes_the_flag_from_a_leader_is_refused(bundle) -> None:
    with pytest.raises(Conflict) as caught:
        import_bundle(
            {"agents": [{"name": "LEADER", "supervisor": False}]},
            user=None,
            replace=True,
        )
    assert caught.value.code == "in_use"
    assert Agent.objects.get(name="LEADER").supervisor


def test_two_changes_that_fit_only_together_are_one_import(bundle) -> None:
    import_bundle(
        {
            "agents": [
                {"name": "LEADER", "supervisor": False},
                {
                    "name": "NEXT",
                    "supervisor": True,
                    "profile_name": "MAIN",
                    "role": "You lead.",
                },
            ],
            "team": {"name": "DESK", "supervisor_agent": "NEXT"},
        },
        user=None,
        replace=True,
    )
    assert Team.objects.get().supervisor_agent == Agent.objects.get(name="NEXT")


def test_importing_needs_the_rights_of_each_step(bundle, stranger) -> None:
    with pytest.raises(Forbidden):
        import_bundle(bundle, user=stranger)
    user = build.grant(stranger, "add_agent")
    wipe()
    with pytest.raises(Forbidden):
        import_bundle(bundle, user=user)
    assert not Profile.objects.exists()


def test_the_commands_carry_a_team_over(bundle, tmp_path) -> None:
    out = StringIO()
    call_command("export_team", "desk", stdout=out)
    assert json.loads(out.getvalue()) == bundle
    path = tmp_path / "desk.json"
    call_command("export_team", "DESK", output=str(path), stderr=StringIO())
    wipe()
    out = StringIO()
    call_command("import_team", str(path), "--dry-run", stdout=out)
    assert out.getvalue().splitlines()[0] == "create profile KEYED"
    assert out.getvalue().splitlines()[-1] == "Nothing was changed."
    assert not Team.objects.exists()
    call_command("import_team", str(path), stdout=StringIO())
    assert Team.objects.get().name == "DESK"


def test_the_commands_say_what_is_wrong(bundle, tmp_path) -> None:
    with pytest.raises(CommandError, match="There is no team “NONE”"):
        call_command("export_team", "NONE")
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_team", str(tmp_path / "none.json"))
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(CommandError, match="is no JSON"):
        call_command("import_team", str(broken))
    bundle["team"]["agents"] = []
    broken.write_text(json.dumps(bundle))
    with pytest.raises(CommandError, match=r"^team.agents: Add at least one agent"):
        call_command("import_team", str(broken))
