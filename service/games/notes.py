"""What is kept beside an operation, so that its repetition can be answered as it was."""

from dataclasses import dataclass

from service.games.changes import Change, Seating


@dataclass(frozen=True, slots=True)
class Note:
    """The key that made a token, the seating that it is for, and the versions of the events."""

    key_id: str
    seating: Seating | None
    versions: range


def note_of(key_id: str, change: Change) -> str:
    """Return the note of a change: its versions, and before them what its token is made from."""
    versions = f"{change.events[0].version}-{change.events[-1].version}"
    seating = change.seating
    if seating is None:
        return versions
    seated = (str(seating.seat), seating.occupancy, seating.nonce, seating.before)
    return ".".join((key_id, *seated, versions))


def read_note(note: str) -> Note:
    """Return what a note says; one that was written before there were versions in it has none."""
    parts = note.split(".")
    first, _, last = parts.pop().partition("-") if len(parts) != 5 else ("", "", "")
    versions = range(int(first), int(last) + 1) if first else range(0)
    if not parts:
        return Note("", None, versions)
    key_id, seat, occupancy, nonce, before = parts
    return Note(key_id, Seating(int(seat), occupancy, nonce, before), versions)
