"""Notes beside operations: what is written is read again, and so is what was written before."""

from dataclasses import replace

import pytest

from service.games.changes import Change, Seating
from service.games.notes import Note, note_of, read_note
from tests.games.playing import Table

SEATED = Seating(1, "an-occupancy", "a_nonce", "the-one-before")
LEFT = Seating(0, "an-occupancy", before="the-one-before")


def changed(seating: Seating | None) -> Change:
    """Return a change of the versions 2 and 3."""
    table = Table()
    table.deal()
    return Change(table.record, tuple(table.events()[1:]), seating=seating)


@pytest.mark.parametrize("seating", [SEATED, LEFT, None])
def test_a_note_is_read_as_it_was_written(seating: Seating | None) -> None:
    note = note_of("key-id", changed(seating))
    assert read_note(note) == Note("key-id" if seating else "", seating, range(2, 4))
    assert len(note.encode()) <= 200


@pytest.mark.parametrize("seating", [SEATED, LEFT])
def test_a_note_without_versions_is_read(seating: Seating) -> None:
    before = note_of("key-id", changed(seating)).removesuffix(".2-3")
    assert read_note(before) == Note("key-id", seating, range(0))
    assert read_note("") == Note("", None, range(0))


def test_events_that_the_log_has_dropped_are_not_told_again() -> None:
    table = Table()
    first = table.games.deal(table.game_id, None, table.ask(0, "k1"))
    assert [logged.event.type for logged in first.events] == ["dealt"]
    assert table.games.deal(table.game_id, None, table.ask(0, "k1")) == replace(
        first, replayed=True
    )
    del table.events()[:3]
    table.games.set_entropy(table.game_id, "seven herons", table.ask(0))
    assert table.games.deal(table.game_id, None, table.ask(0, "k1")).events == ()
