"""A team of another domain, written for the tests alone: rooms, food, repairs."""

from __future__ import annotations

from typing import Any

from tests.teams.rehearsal.playing import Denied, Team, Worker, schema

ROOMS = "ROOMS_AGENT/ROOM_BOOKING_TASK"
CATERING = "CATERING_AGENT/CATERING_TASK"
REPAIRS = "REPAIRS_AGENT/TICKET_TASK"
DESK = "FRONT_DESK_AGENT/MESSAGE_TASK"

WORKERS = (
    Worker(
        ROOMS,
        "Knows the meeting rooms of all floors. Finds free rooms and books them.",
        "Book a meeting room as the request says.\nNeeded: the date, the start time "
        "and the number of attendees. Never order food.",
        ("find_free_rooms", "book_room"),
    ),
    Worker(
        CATERING,
        "Orders food and drinks for meetings: breakfast, lunch, coffee.",
        "Order what the request says. Needed: the menu, the date, how many people.",
        ("order_catering",),
    ),
    Worker(
        REPAIRS,
        "Reports what is broken to the technicians and follows up on repair tickets.",
        "Open a ticket, or look up the status of one.\nTicket ids look like T-204.",
        ("open_ticket", "ticket_status"),
    ),
    Worker(
        DESK,
        "Posts messages to channels of the office chat.",
        "Post one message with the facts in the request. Leave bookings to others.",
        ("post_message",),
    ),
)

_DATE = {"type": "string", "format": "date", "description": "Day of the meeting."}
_PEOPLE = {"type": "integer", "minimum": 1, "description": "Number of people."}
_ROOM = {"type": "string", "description": "Name of the room."}

TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "find_free_rooms": (
        "Finds meeting rooms that are free on a day and large enough.",
        schema(("date", "attendees"), date=_DATE, attendees=_PEOPLE),
    ),
    "book_room": (
        "Books a meeting room.",
        schema(
            ("room", "date", "start_time", "attendees"),
            room=_ROOM,
            date=_DATE,
            start_time={"type": "string", "format": "time"},
            attendees=_PEOPLE,
            hours={"type": "integer", "default": 1, "description": "How many hours."},
        ),
    ),
    "order_catering": (
        "Orders a meal or drinks for a meeting.",
        schema(
            ("menu", "date", "people"),
            menu={"enum": ["vegetarian", "classic", "coffee_only"]},
            date=_DATE,
            people=_PEOPLE,
        ),
    ),
    "open_ticket": (
        "Reports something broken.",
        schema(
            ("location", "description"),
            location={"type": "string", "description": "Room or floor."},
            description={"type": "string", "description": "What is wrong."},
            urgent={"type": "boolean", "default": False},
        ),
    ),
    "ticket_status": (
        "Looks up a repair ticket: state and technician.",
        schema(("ticket_id",), ticket_id={"type": "string", "pattern": "^T-[0-9]+$"}),
    ),
    "post_message": (
        "Posts a message to a channel.",
        schema(
            ("channel", "text"),
            channel={
                "type": "string",
                "description": "One of: office, kitchen, staff.",
            },
            text={"type": "string", "description": "What to post."},
        ),
    ),
}


def find_free_rooms(date: str, attendees: int) -> list[dict[str, Any]]:
    rooms = [{"room": "Birch", "seats": 8}, {"room": "Cedar", "seats": 16}]
    return [room for room in rooms if int(str(room["seats"])) >= attendees]


def book_room(
    room: str, date: str, start_time: str, attendees: int, hours: int = 1
) -> dict[str, Any]:
    return {"booking_id": "B-77", "room": room, "date": date, "start_time": start_time}


def order_catering(menu: str, date: str, people: int) -> str:
    return f"Ordered: {menu} for {people} on {date}."


def open_ticket(
    location: str, description: str, urgent: bool = False
) -> dict[str, Any]:
    return {"ticket_id": "T-300", "urgent": urgent}


def ticket_status(ticket_id: str) -> dict[str, Any]:
    if ticket_id != "T-204":
        raise LookupError(f"no ticket {ticket_id}")
    return {"ticket_id": ticket_id, "state": "in repair", "technician": "Nils"}


def post_message(channel: str, text: str) -> str:
    if channel == "staff":
        raise Denied("wrong channel")
    return f"Posted to {channel}."


TEAM = Team(
    WORKERS,
    TOOLS,
    {
        "find_free_rooms": find_free_rooms,
        "book_room": book_room,
        "order_catering": order_catering,
        "open_ticket": open_ticket,
        "ticket_status": ticket_status,
        "post_message": post_message,
    },
)
