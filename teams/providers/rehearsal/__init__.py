"""The rehearsal model: rules instead of a language model, offline and without a key.

It knows no domain. ``parsing`` reads a chat-completions body, ``policy`` chooses the
next move, and ``transport`` puts it on the wire under the openai client. Between
them: ``text``, ``reading``, ``dates`` and ``periods`` read words; ``clauses`` and
``matching`` find what a request needs; ``schema`` and ``filling`` make arguments;
``results`` and ``writing`` make answers, ``composing`` makes them JSON.
``leading`` delegates to workers, ``delegating`` to agents that are tools, ``handing``
hands over to others.
"""
