"""The decorator, its refusals and how functions are found."""

from __future__ import annotations

import functools

import pytest

from teams.toolbox.registry import (
    RegistrationRefused,
    agent_tool,
    all_registered,
    registered,
)


def test_the_bare_decorator_registers_under_the_function_s_name() -> None:
    @agent_tool
    def count_letters(word: str) -> int:
        """Count letters."""
        return len(word)

    found = registered("count_letters")
    assert found is not None
    assert (found.description, found.read_only, found.replay_safe) == (
        "Count letters.",
        False,
        False,
    )
    assert (found.approval, found.timeout) == ("never", 60)
    assert count_letters("four") == 4


def test_the_decorator_takes_a_name_and_the_defaults_of_tools() -> None:
    @agent_tool(
        name="shop.count",
        read_only=True,
        replay_safe=True,
        approval="always",
        timeout=5,
    )
    def count(word: str) -> None: ...

    found = registered("shop.count")
    assert found is not None
    assert (found.read_only, found.replay_safe) == (True, True)
    assert (found.approval, found.timeout) == ("always", 5)
    assert registered("count") is None


def test_the_decorator_takes_sentences_that_name_its_arguments() -> None:
    @agent_tool(action="Count {word}", action_done="counted {word}")
    def count(word: str) -> None: ...

    found = registered("count")
    assert found is not None
    assert (found.action, found.action_done) == ("Count {word}", "counted {word}")


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("Count {words}", "names 'words', which is no argument"),
        ("x" * 201, "is longer than 200 characters"),
    ],
)
def test_a_sentence_that_cannot_be_said_is_refused(template: str, problem: str) -> None:
    def count(word: str) -> None: ...

    for refused in (
        lambda: agent_tool(action=template)(count),
        lambda: agent_tool(action_done=template)(count),
    ):
        with pytest.raises(RegistrationRefused, match=problem):
            refused()
    assert registered("count") is None


def test_a_name_can_be_taken_once() -> None:
    @agent_tool(name="twice")
    def first() -> None: ...

    with pytest.raises(RegistrationRefused) as refused:

        @agent_tool(name="twice")
        def second() -> None: ...

    assert "the name 'twice' is taken by tests.teams.toolbox.test_registry" in str(
        refused.value
    )
    kept = registered("twice")
    assert kept is not None
    assert kept.function is first


@pytest.mark.parametrize("name", ["two words", "1st", "über", "a" * 201])
def test_a_name_is_an_ascii_identifier(name: str) -> None:
    with pytest.raises(RegistrationRefused, match="is no name for a function"):

        @agent_tool(name=name)
        def function() -> None: ...


def test_unknown_approval_and_timeouts_below_a_second_are_refused() -> None:
    def function() -> None: ...

    with pytest.raises(RegistrationRefused, match="approval is 'never' or 'always'"):
        agent_tool(approval="sometimes")(function)
    with pytest.raises(RegistrationRefused, match="timeout is in seconds, at least 1"):
        agent_tool(timeout=0)(function)


def test_an_unfit_signature_names_the_function() -> None:
    with pytest.raises(RegistrationRefused, match=r"bare: the parameter value needs"):

        @agent_tool
        def bare(value): ...


def test_the_functions_of_installed_apps_are_found() -> None:
    names = [found.name for found in all_registered()]
    assert names == sorted(names)
    assert {"lookup_account", "list_payments", "send_email"} <= set(names)


@pytest.mark.parametrize("thing", [5, functools.partial(int, "7"), object()])
def test_only_functions_are_registered(thing) -> None:
    with pytest.raises(RegistrationRefused, match="is no function"):
        agent_tool(thing)


def test_a_timeout_is_a_number_of_seconds() -> None:
    def wait() -> None: ...

    with pytest.raises(RegistrationRefused, match="timeout is in seconds"):
        agent_tool(timeout="5")(wait)  # type: ignore[call-overload]
