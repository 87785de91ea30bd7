"""Teams in Japanese, Chinese and French: names, counters, fragments, thanks."""

from __future__ import annotations

from typing import Any

from tests.teams.rehearsal.playing import Play, Team, Worker, schema

_DATE = {"type": "string", "format": "date"}


def _told(**given: Any) -> dict[str, Any]:
    return {"done": True, **given}


def _team(
    label: str, about: str, told: str, tools: dict[str, tuple[str, dict[str, Any]]]
) -> Team:
    worker = Worker(label, about, told, tuple(tools))
    return Team((worker,), tools, dict.fromkeys(tools, _told))


INN = _team(
    "予約係/予約受付",
    "部屋を予約します。",
    "部屋を予約してください。名前、部屋番号、日付が必要です。",
    {
        "book": (
            "部屋を予約します。",
            schema(
                ("guest", "room_number", "check_in"),
                guest={"type": "string", "description": "宿泊者の名前"},
                room_number={"type": "integer", "description": "部屋番号"},
                check_in={**_DATE, "description": "チェックイン日"},
                nights={"type": "integer", "description": "泊数", "default": 1},
            ),
        )
    },
)
TABLES = _team(
    "前厅/订桌任务",
    "预订餐桌。",
    "按请求预订餐桌。需要日期和人数。",
    {
        "tool": (
            "预订餐桌。",
            schema(
                ("日期", "人数"),
                日期=_DATE,
                人数={"type": "integer"},
                菜品={"type": "string", "description": "菜品名称"},
            ),
        )
    },
)
MAILS = _team(
    "COURRIER/ENVOI",
    "Envoie des courriels.",
    "Envoyez le courriel demandé.",
    {
        "envoyer_courriel": (
            "Envoie un courriel.",
            schema(
                ("destinataire", "texte"),
                destinataire={"type": "string", "description": "Adresse électronique."},
                texte={"type": "string", "description": "Texte du message."},
            ),
        )
    },
)


def test_who_is_called_san_is_a_name_and_what_is_counted_a_number() -> None:
    play = Play(INN)
    play.say("305号室を田中さんの名前で12月10日に2泊予約してください")

    expected = {
        "guest": "田中",
        "room_number": 305,
        "check_in": "2026-12-10",
        "nights": 2,
    }
    assert play.calls == [("book", expected)]


def test_an_id_with_letters_is_no_number_of_another_thing() -> None:
    play = Play(INN)
    play.say("予約番号はY-12です。部屋を予約したい", "佐藤", "201", "明後日")

    assert play.calls[0][1]["room_number"] == 201


def test_thanks_in_their_long_form_are_thanks() -> None:
    play = Play(INN)
    play.say("ありがとうございます")

    assert play.path == []


def test_the_number_beside_its_counter_is_the_one() -> None:
    play = Play(TABLES)
    play.say("明天预订一张6个人的餐桌")

    assert play.calls == [("tool", {"日期": "2026-03-05", "人数": 6})]


def test_a_question_about_today_books_nothing_again() -> None:
    play = Play(TABLES)
    play.say("明天预订6个人的餐桌")
    play.say("今天天气怎么样？")

    assert len(play.calls) == 1


def test_another_day_alone_is_a_follow_up() -> None:
    play = Play(TABLES)
    play.say("明天预订6个人的餐桌")
    play.say("那后天呢？")

    assert play.calls[1] == ("tool", {"日期": "2026-03-06", "人数": 6})


def test_a_recipient_in_french_is_an_address() -> None:
    play = Play(MAILS)
    play.say("Envoyez à paul@client.example : « Le train est parti »")

    expected = {"destinataire": "paul@client.example", "texte": "Le train est parti"}
    assert play.calls == [("envoyer_courriel", expected)]
