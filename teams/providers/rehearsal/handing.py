"""The part of one who shares a conversation: to do it, to hand over, or to ask."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from teams.providers.rehearsal import phrases
from teams.providers.rehearsal.clauses import clauses_of, split_request
from teams.providers.rehearsal.errand import (
    Errand,
    as_topic,
    by_instruction,
    errand_of,
    is_small_talk,
)
from teams.providers.rehearsal.matching import Choice, Unit, best, choose
from teams.providers.rehearsal.moves import Call, Move, Say
from teams.providers.rehearsal.parsing import ASK, HANDOVER, Prompt, Step, Turn
from teams.providers.rehearsal.party import MYSELF, TALK, Party, party_of
from teams.providers.rehearsal.reading import read
from teams.providers.rehearsal.reporting import report
from teams.providers.rehearsal.text import stems
from teams.providers.rehearsal.units import tool_units
from teams.providers.rehearsal.working import work

# A reason is a few words.
_REASON = 80

_DELIVERED = "Handed over"


def take_part(prompt: Prompt, today: date) -> Move:
    """One's own tools first, as far as they fit; then who fits better, at most once
    each in a turn, so that nothing goes round; then words."""
    handed = [s for s in prompt.turn.steps if s.name.startswith(HANDOVER)]
    prompt = _without_handovers(prompt)
    party, tools = party_of(prompt), tool_units(prompt.functions)
    units = [*tools, party.myself, *party.targets]
    errand = by_instruction(prompt, tools, errand_of(prompt, units, today))
    scene = _Scene(prompt, party, tools, errand, handed)
    own = scene.own()
    to = scene.wanted(own=bool(own))
    said = ""
    if own:
        move = work(prompt, tools, replace(errand, choices=own))
        said = report(prompt, tools, errand.reading)
        if isinstance(move, Call) or not (to and said):
            return move
    if to:
        return scene.hand(to, said)
    return scene.otherwise()


def _without_handovers(prompt: Prompt) -> Prompt:
    """What was done here: handing over is no work and has no result to tell."""

    def kept(turn: Turn) -> Turn:
        steps = [s for s in turn.steps if not s.name.startswith(HANDOVER)]
        return replace(turn, steps=tuple(steps))

    history = tuple(kept(turn) for turn in prompt.history)
    return replace(prompt, history=history, turn=kept(prompt.turn))


class _Scene:
    """A moment of a shared conversation, with what may be done in it."""

    def __init__(
        self,
        prompt: Prompt,
        party: Party,
        tools: list[Unit],
        errand: Errand,
        handed: list[Step],
    ) -> None:
        self.prompt, self.party, self.tools = prompt, party, tools
        self.errand, self.handed = errand, handed
        gone = {step.name for step in handed}
        self.open = {t.name: t for t in party.targets if t.name not in gone}

    @property
    def received(self) -> bool:
        """Whether somebody else had the person's message first: whoever spoke last
        gets the next one."""
        history = self.prompt.history
        if self.prompt.turn.others or not history:
            return True
        return history[-1].others_last or not history[-1].answer

    @property
    def _was_handed_over(self) -> bool:
        """Whether somebody else spoke last, and yet it is one's own turn."""
        history = self.prompt.history
        return bool(history) and history[-1].others_last

    @property
    def only_sorts(self) -> bool:
        """Whether it is oneself who finds out whom to hand over to."""
        has_targets = bool(self.party.targets)
        return has_targets and not self.tools and not self.party.sorting

    def own(self) -> list[Choice]:
        """What is to be done with one's own tools."""
        named = {unit.name for unit in self.tools}
        own = [choice for choice in self.errand.choices if choice.unit.name in named]
        if not own and any(c.unit.name == MYSELF for c in self.errand.choices):
            # One's role claims it: then one of the tools may be for it.
            own = choose(clauses_of(self.errand.reading), self.tools)[0]
        if self.received or not any(map(self._sorts, self.open)):
            return own
        return [choice for choice in own if self._is_meant(choice)]

    def _is_meant(self, choice: Choice) -> bool:
        """Not what merely acts on the thing that a question is about."""
        reading = self.errand.own(choice)
        naming = {word for m in reading.mentions for word in stems(m.before)}
        known = set(choice.unit.weights) - naming
        return choice.unit.looks or any(
            not clause.looking or known & clause.stems for clause in clauses_of(reading)
        )

    def wanted(self, *, own: bool) -> Unit | None:
        """Who fits a part of the request better than oneself.

        Not who has passed it on, unless nothing of it is one's own. Who only sorts
        requests has sorted this one: it gets no more than what is left of it.
        """
        for choice in self.errand.choices:
            name = choice.unit.name
            if name not in self.open:
                continue
            sorts = self._sorts(name)
            if own and name in self.party.spoken and not sorts:
                continue
            if own or not (sorts and self.received):
                return choice.unit
        return self._wanted_since()

    def _wanted_since(self) -> Unit | None:
        """Who fits a new wish in what the person answered to a question."""
        units = [*self.tools, self.party.myself, *self.party.targets]
        for step in self.prompt.turn.steps:
            if step.name == ASK and step.result:
                answer = read(step.result, self.errand.today)
                for choice in choose(clauses_of(answer), units)[0]:
                    if choice.unit.name in self.open:
                        return choice.unit
        return None

    def hand(self, to: Unit, said: str = "") -> Call:
        topic = as_topic(self.errand.text)
        reason = topic if len(topic) <= _REASON else f"{topic[: _REASON - 1].rstrip()}…"
        return Call(to.name, {"reason": reason} if reason else {}, said)

    def _meant_for_me(self) -> list[Choice]:
        """One's own tool that changes nothing, where somebody has handed the request
        over, or back: they thought it fits."""
        last = (self.handed[-1].result or "") if self.handed else ""
        looking = [unit for unit in self.tools if not (unit.does or unit.sends)]
        given = last.startswith(_DELIVERED) or self._was_handed_over
        if not given or not looking or not set(stems(self.errand.reading.text)) - TALK:
            return []
        unit = best(clauses_of(self.errand.reading), looking)
        whole = [(0, len(self.errand.reading.text))]
        return [Choice(unit, whole)] if unit else []

    def otherwise(self) -> Move:
        """Nothing here is called for by its words."""
        head = split_request(self.prompt.turn.user)[0]
        experts = [(unit.title, unit.about) for unit in self.party.experts]
        lines = [(unit.title, unit.about) for unit in self.tools] or experts
        if is_small_talk(head[:400]) or not head.strip():
            return Say(phrases.introduction(head, lines))
        if refused := self._refusal():
            return Say(phrases.not_passed_on(refused))
        mine = any(choice.unit.name == MYSELF for choice in self.errand.choices)
        if not mine and (to := self._who_may_know()):
            return self.hand(to)
        if self.tools:
            errand = replace(self.errand, choices=self._meant_for_me())
            return work(self.prompt, self.tools, errand)
        if self.only_sorts:
            return Say(phrases.what_about(experts))
        return Say(phrases.rehearsed(head.strip()))

    def _refusal(self) -> str:
        """Why the last handover of this turn was not delivered."""
        last = (self.handed[-1].result or "") if self.handed else ""
        return "" if last.startswith(_DELIVERED) else last

    def _who_may_know(self) -> Unit | None:
        """Whoever spoke last, if it has no subject of its own; else who sorts."""
        history, reading = self.prompt.history, self.errand.reading
        if self.prompt.turn.others or self.prompt.turn.steps:
            return None
        has_subject = bool(set(stems(reading.text)) - TALK)
        if self.only_sorts and not has_subject and history and history[-1].others:
            last = self.party.target_named(history[-1].others[-1][0])
            return last if last and last.name in self.open else None
        if self.received or not has_subject:
            return None
        sorting = (unit for name, unit in self.open.items() if self._sorts(name))
        return next(sorting, None)

    def _sorts(self, name: str) -> bool:
        return name in self.party.sorting
