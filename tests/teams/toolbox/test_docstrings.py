"""Docstrings become a description and a text per parameter."""

from __future__ import annotations

from teams.toolbox.docstrings import read_docstring


def test_the_google_style_is_read() -> None:
    text = """Look up a customer.

    Use it first.

    Args:
        customer_id (str): The id,
            such as C-1001.
        limit: How many: at most 50.

    Returns:
        account: what was found
    """
    assert read_docstring(text) == (
        "Look up a customer.\n\nUse it first.",
        {
            "customer_id": "The id, such as C-1001.",
            "limit": "How many: at most 50.",
        },
    )


def test_the_rest_style_is_read() -> None:
    text = """Look up a customer.

    :param customer_id: The id,
        such as C-1001.
    :param int limit: How many.
    :returns: the account
    """
    assert read_docstring(text) == (
        "Look up a customer.",
        {"customer_id": "The id, such as C-1001.", "limit": "How many."},
    )


def test_a_colon_in_the_description_begins_no_parameter() -> None:
    assert read_docstring("Sends: an e-mail.\n\nNote this: never twice.") == (
        "Sends: an e-mail.\n\nNote this: never twice.",
        {},
    )


def test_without_a_docstring_there_is_nothing() -> None:
    assert read_docstring(None) == ("", {})
