"""A team whose names, texts and requests are Chinese, its tools nameless in ASCII."""

from __future__ import annotations

import pytest

from tests.teams.rehearsal.playing import Play
from tests.teams.rehearsal.staff_desk import HOLIDAYS, LOANS, NOTICES, TEAM


@pytest.fixture
def play() -> Play:
    return Play(TEAM)


def test_a_question_goes_to_the_worker_who_knows(play: Play) -> None:
    answer = play.say("员工E-17还有多少假期?")

    assert play.path == [HOLIDAYS]
    assert play.calls == [("tool", {"employee_id": "E-17"})]
    assert "- 剩余假期: 12" in answer


def test_the_notice_comes_last_with_the_result(play: Play) -> None:
    play.say("查询员工E-17的剩余假期,然后发通知给我")

    assert play.path == [HOLIDAYS, NOTICES]
    assert play.calls[1] == (
        "tool_4",
        {
            "主题": "员工E-17的剩余假期",
            "正文": "- 员工编号: E-17\n- 姓名: 李雷\n- 剩余假期: 12",
            "to": "me",
        },
    )


def test_numbers_in_characters_are_read(play: Play) -> None:
    play.say("把借阅L-205续借十天")

    assert play.path == [LOANS]
    assert play.calls == [("tool_3", {"loan_id": "L-205", "days": 10})]


def test_two_wishes_are_cut_apart(play: Play) -> None:
    play.say("列出读者R-5最近三条借阅记录,并查询员工E-17的假期")

    assert play.path == [LOANS, HOLIDAYS]
    assert play.requests == ["列出读者R-5最近三条借阅记录", "查询员工E-17的假期"]
    assert play.calls == [
        ("tool_2", {"reader_id": "R-5", "limit": 3}),
        ("tool", {"employee_id": "E-17"}),
    ]


def test_a_missing_id_is_asked_for(play: Play) -> None:
    play.say("查一下剩余假期", "E-17")

    assert play.path == [HOLIDAYS]
    assert len(play.questions) == 1
    assert play.calls == [("tool", {"employee_id": "E-17"})]


def test_a_greeting_calls_nobody(play: Play) -> None:
    answer = play.say("你好")

    assert play.path == []
    assert "了解员工的假期" in answer
