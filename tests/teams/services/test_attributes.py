"""Attributes: partial changes, nesting, other names, and a clear no to the unknown."""

from __future__ import annotations

import pytest

from supervisor_site.common.errors import Conflict, FieldError, Invalid, NotFound
from teams.models import Agent, Task, Team, Tool
from teams.services import definitions
from teams.services.describe import as_attributes
from tests.teams import build

pytestmark = pytest.mark.django_db


def errors_of(kind: str, **attributes) -> list[FieldError]:
    with pytest.raises(Invalid) as caught:
        definitions.create(kind, attributes, user=None)
    return list(caught.value.errors)


def test_a_new_agent_has_the_defaults_of_the_field() -> None:
    build.profile()
    agent = definitions.create(
        "agent", {"name": "A", "profile_name": "main", "role": "Help."}, user=None
    )
    assert as_attributes(agent) == {
        "name": "A",
        "display_name": "",
        "description": "",
        "enabled": True,
        "profile_name": "MAIN",
        "role": "Help.",
        "supervisor": False,
        "enable_human_tool": True,
        "tools": [],
        "delegates": [],
        "run_as": None,
        "input_token_budget": None,
        "output_token_budget": None,
        "budget_strategy": "attempt_complete",
        "max_iterations": None,
        "timeout": 300,
        "output_schema": None,
    }


@pytest.mark.parametrize("wrap", [dict, lambda given: __import__("json").dumps(given)])
def test_attributes_may_be_nested_as_in_oracle_calls(wrap) -> None:
    build.profile()
    agent = definitions.create(
        "agent",
        {
            "agent_name": "A",
            "status": "DISABLED",
            "description": "Knows accounts.",
            "attributes": wrap({"profile_name": "MAIN", "role": "Help."}),
        },
        user=None,
    )
    assert (agent.name, agent.enabled, agent.description) == (
        "A",
        False,
        "Knows accounts.",
    )


def test_an_attribute_given_twice_is_refused() -> None:
    build.profile()
    assert errors_of("agent", name="A", role="One.", attributes={"role": "Two."}) == [
        FieldError("role", "It is given twice: give it once.")
    ]


def test_an_unknown_attribute_is_refused_by_name() -> None:
    build.profile()
    (error,) = errors_of(
        "agent", name="A", profile_name="MAIN", role="Help.", colour="red"
    )
    assert error.field == "colour"
    assert error.message.startswith("“colour” is not known here: take it out.")


def test_everything_wrong_is_told_at_once() -> None:
    errors = errors_of("agent", supervisor="yes", timeout="long", tools="x", colour=1)
    assert {error.field for error in errors} == {
        "name",
        "profile_name",
        "role",
        "supervisor",
        "timeout",
        "tools",
        "colour",
    }


def test_a_change_leaves_what_it_does_not_name() -> None:
    build.tool()
    build.agent("A", tools=["lookup_account"], max_iterations=5)
    definitions.update("agent", "a", {"role": "Other."}, user=None)
    found = as_attributes(Agent.objects.get(name="A"))
    assert (found["role"], found["tools"], found["max_iterations"]) == (
        "Other.",
        ["lookup_account"],
        5,
    )


def test_a_list_is_replaced_whole_and_null_empties_what_may_be_empty() -> None:
    build.tool()
    build.agent("A", tools=["lookup_account"], max_iterations=5)
    definitions.update("agent", "A", {"tools": [], "max_iterations": None}, user=None)
    found = as_attributes(Agent.objects.get(name="A"))
    assert (found["tools"], found["max_iterations"]) == ([], None)


def test_renaming_keeps_the_identity_and_the_teams() -> None:
    team = build.desk()
    before = Agent.objects.get(name="ACCOUNTS").uid
    definitions.update("agent", "ACCOUNTS", {"name": "账户"}, user=None)
    assert Agent.objects.get(name="账户").uid == before
    assert [str(member) for member in team.members.all()] == ["账户/LOOK_UP"]


@pytest.mark.parametrize("rounds", [0, 26, 10**12, 2.5])
def test_rounds_stay_between_one_and_twenty_five(rounds) -> None:
    build.profile()
    (error,) = errors_of(
        "agent", name="A", profile_name="MAIN", role="Help.", max_iterations=rounds
    )
    assert error.field == "max_iterations"


def test_what_is_refused_changes_nothing() -> None:
    build.desk()
    before = as_attributes(Team.objects.get(name="DESK"))
    with pytest.raises(Invalid):
        definitions.update(
            "team", "DESK", {"name": "NEW", "agents": [{"name": "X"}]}, user=None
        )
    assert as_attributes(Team.objects.get(name="DESK")) == before


@pytest.mark.parametrize("name", ["accounts", "ＡＣＣＯＵＮＴＳ", "Accounts"])
def test_a_name_is_taken_whatever_its_case_or_form(name: str) -> None:
    build.agent("ACCOUNTS")
    with pytest.raises(Conflict) as caught:
        build.agent(name)
    assert caught.value.code == "exists"
    assert Agent.objects.count() == 1


def test_the_name_of_a_dropped_object_is_free() -> None:
    build.agent("ACCOUNTS")
    definitions.drop("agent", "ACCOUNTS", user=None)
    build.agent("ACCOUNTS")
    assert Agent.objects.count() == 2
    assert Agent.objects.live().count() == 1


@pytest.mark.parametrize(
    "name", ["退款", "订单_2", "Rückerstattung", "वापसी", "a-b_C9"]
)
def test_names_of_any_script_are_fine(name: str) -> None:
    assert build.agent(name).name == name


@pytest.mark.parametrize(
    "name", ["", "  ", "a b", "a/b", "x" * 126, "a\u200bb", None, 5]
)
def test_a_name_is_letters_digits_underscore_and_hyphen(name) -> None:
    build.profile()
    errors = errors_of("agent", name=name, profile_name="MAIN", role="Help.")
    assert {error.field for error in errors} == {"name"}


@pytest.mark.parametrize("text", ["", "   "])
def test_role_and_instruction_are_needed(text: str) -> None:
    build.profile()
    assert [
        error.field
        for error in errors_of("agent", name="A", profile_name="MAIN", role=text)
    ] == ["role"]
    assert [error.field for error in errors_of("task", name="T", instruction=text)] == [
        "instruction"
    ]


def test_an_unknown_object_is_not_found_unless_forced() -> None:
    with pytest.raises(NotFound):
        definitions.update("task", "NONE", {"instruction": "x"}, user=None)
    with pytest.raises(NotFound):
        definitions.drop("task", "NONE", user=None)
    assert definitions.drop("task", "NONE", user=None, force=True) is None


def test_a_new_tool_is_as_careful_as_its_function() -> None:
    mail = definitions.create(
        "tool", {"name": "mail", "function": "send_email"}, user=None
    )
    look = build.tool()
    assert isinstance(mail, Tool)
    assert (mail.approval, mail.read_only, mail.replay_safe) == ("always", False, False)
    assert (look.approval, look.read_only, look.replay_safe) == ("never", True, True)


def test_the_builder_has_the_last_word_on_a_tool() -> None:
    mail = build.tool("mail", function="send_email", approval="never", timeout=5)
    assert (mail.approval, mail.timeout) == ("never", 5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("function", ""),
        ("function", "os.system"),
        ("tool_type", "SQL"),
        ("approval", "sometimes"),
        ("approval", {"when": {}}),
        ("parameters", {"type": "object"}),
        ("tool_params", None.__class__),
        ("timeout", 0),
    ],
)
def test_a_bad_tool_is_refused_on_its_field(name: str, value) -> None:
    value = [] if value is type(None) else value
    given = {"name": "t", "function": "lookup_account", name: value}
    assert {error.field for error in errors_of("tool", **given)} == {name}


def test_access_is_changed_in_part() -> None:
    from django.contrib.auth.models import Group

    Group.objects.create(name="Support")
    build.desk()
    definitions.update("team", "DESK", {"access": {"groups": ["Support"]}}, user=None)
    definitions.update("team", "DESK", {"access": {"everyone": False}}, user=None)
    found = as_attributes(Team.objects.get(name="DESK"))
    assert found["access"] == {"everyone": False, "groups": ["Support"]}


@pytest.mark.parametrize(
    ("access", "field"),
    [
        ({"groups": ["Nobody"]}, "access.groups.0"),
        ({"everyone": 1}, "access.everyone"),
        ({"users": []}, "access.users"),
        ([], "access"),
    ],
)
def test_bad_access_is_refused_at_its_place(access, field: str) -> None:
    build.desk()
    with pytest.raises(Invalid) as caught:
        definitions.update("team", "DESK", {"access": access}, user=None)
    assert [error.field for error in caught.value.errors] == [field]


def test_starters_are_short_prompts() -> None:
    build.desk()
    definitions.update("team", "DESK", {"starters": [" Hello "]}, user=None)
    assert Team.objects.get(name="DESK").starters == ["Hello"]
    for bad in (["x" * 501], [""], ["a"] * 11, "Hello", [5]):
        with pytest.raises(Invalid):
            definitions.update("team", "DESK", {"starters": bad}, user=None)


def test_what_describes_an_object_makes_the_same_one_again() -> None:
    build.desk()
    for kind, model in (
        ("agent", Agent),
        ("task", Task),
        ("team", Team),
        ("tool", Tool),
    ):
        for row in model.objects.live():
            given = as_attributes(row)
            copy = definitions.create(
                kind, given | {"name": f"{row.name}_2"}, user=None
            )
            assert as_attributes(copy) == given | {"name": f"{row.name}_2"}
