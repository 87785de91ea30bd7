"""The rehearsal model: rules instead of a language model, offline and without a key.

It knows no domain. ``parsing`` reads a chat-completions body, ``policy`` chooses the
next move, and ``transport`` puts it on the wire under the openai client. Between
them: ``text``, ``entities`` and ``dates`` read words; ``clauses`` and ``matching``
find what a request needs; ``schema`` and ``filling`` make arguments; ``results`` and
``writing`` make answers.
"""
