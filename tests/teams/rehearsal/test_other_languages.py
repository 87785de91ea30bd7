"""An Arabic team and a French one: the rules hold in any script."""

from __future__ import annotations

from typing import Any

import pytest

from tests.teams.rehearsal.playing import Play, Team, Worker, schema


def _id(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


SHIPMENTS, STOCK = "وكيل_الشحن/متابعة_الشحنات", "وكيل_المخزون/جرد_المخزون"
MESSAGES = "وكيل_الإشعارات/إرسال_الرسائل"
ARABIC = Team(
    (
        Worker(
            SHIPMENTS,
            "يعرف الشحنات وحالتها وموعد وصولها.",
            "تابع الشحنة المذكورة في الطلب.",
            ("track",),
        ),
        Worker(
            STOCK,
            "يعرف كميات المنتجات في المستودع.",
            "اعرض كمية المنتج المذكور.",
            ("stock",),
        ),
        Worker(
            MESSAGES,
            "يرسل الرسائل بالبريد الإلكتروني.",
            "أرسل النص الوارد في الطلب.",
            ("notify",),
        ),
    ),
    {
        "track": (
            "يتابع شحنة واحدة.",
            schema(("shipment_id",), shipment_id=_id("رقم الشحنة، مثل S-10.")),
        ),
        "stock": (
            "يعرض كمية منتج في المستودع.",
            schema(("product_code",), product_code=_id("رمز المنتج، مثل M-7.")),
        ),
        "notify": (
            "يرسل رسالة بالبريد الإلكتروني.",
            schema(("subject", "body"), subject=_id(""), body=_id("")),
        ),
    },
    {
        "track": lambda shipment_id: {"الحالة": "في الطريق"},
        "stock": lambda product_code: {"الكمية": 40},
        "notify": lambda **_message: "تم الإرسال.",
    },
)

LOANS, MAIL = "BIBLIOTHÈQUE/PRÊTS", "COURRIER/ENVOI"
FRENCH = Team(
    (
        Worker(
            "MÉTÉO/PRÉVISIONS",
            "Connaît les prévisions du temps par ville.",
            "Donner la prévision pour la ville demandée.",
            ("prevision",),
        ),
        Worker(
            LOANS,
            "Gère les prêts de livres et les prolonge.",
            "Prolonger le prêt demandé.",
            ("prolonger",),
        ),
        Worker(MAIL, "Envoie des courriels.", "Envoyer le texte.", ("envoyer",)),
    ),
    {
        "prevision": (
            "Donne la prévision du temps.",
            schema(
                ("ville", "date"),
                ville=_id("Nom de la ville."),
                date={"type": "string", "format": "date"},
            ),
        ),
        "prolonger": (
            "Prolonge un prêt.",
            schema(
                ("pret_id",),
                pret_id=_id("Numéro du prêt, par exemple L-12."),
                jours={"type": "integer", "description": "Nombre de jours."},
            ),
        ),
        "envoyer": (
            "Envoie un courriel.",
            schema(("objet", "texte"), objet=_id(""), texte=_id("")),
        ),
    },
    {
        "prevision": lambda ville, date: {"ville": ville, "temps": "pluie"},
        "prolonger": lambda pret_id, jours=7: f"{pret_id} prolongé de {jours} jours.",
        "envoyer": lambda **_message: "Envoyé.",
    },
)


@pytest.mark.parametrize(
    ("request_text", "path", "calls"),
    [
        ("ما حالة الشحنة S-10؟", [SHIPMENTS], [("track", {"shipment_id": "S-10"})]),
        (
            "ما حالة الشحنة S-10 وكمية المنتج M-7؟",
            [SHIPMENTS, STOCK],
            [("track", {"shipment_id": "S-10"}), ("stock", {"product_code": "M-7"})],
        ),
        ("مرحبا", [], []),
    ],
)
def test_an_arabic_team_is_led(
    request_text: str, path: list[str], calls: list[tuple[str, dict[str, Any]]]
) -> None:
    play = Play(ARABIC)
    play.say(request_text)

    assert (play.path, play.calls) == (path, calls)


def test_an_arabic_result_is_sent_on() -> None:
    play = Play(ARABIC)
    play.say("اعرض كمية المنتج M-7 ثم أرسلها لي بالبريد")

    assert play.path == [STOCK, MESSAGES]
    assert play.calls[1] == (
        "notify",
        {"subject": "كمية المنتج M-7", "body": "الكمية: 40"},
    )


def test_a_missing_id_is_asked_for_in_arabic() -> None:
    play = Play(ARABIC)
    play.say("أين شحنتي؟", "S-22")

    assert len(play.questions) == 1
    assert play.calls == [("track", {"shipment_id": "S-22"})]


def test_a_french_question_is_answered() -> None:
    play = Play(FRENCH)
    answer = play.say("Quel temps fera-t-il demain à Lyon ?")

    assert play.calls == [("prevision", {"ville": "Lyon", "date": "2026-03-05"})]
    assert answer == "**Temps:** pluie\n\n- Ville: Lyon"


def test_a_french_result_is_sent_on() -> None:
    play = Play(FRENCH)
    play.say(
        "Prolonge le prêt L-40 de quatorze jours "
        "et envoie-moi la confirmation par courriel"
    )

    assert play.path == [LOANS, MAIL]
    assert play.calls[0] == ("prolonger", {"pret_id": "L-40", "jours": 14})
    assert play.calls[1][1]["texte"] == "L-40 prolongé de 14 jours."
