"""Whether a finished round was dealt and played as it says, proved without the service."""

from collections.abc import Mapping
from typing import Final

from oklahoma_gin._cards import DECK, height
from oklahoma_gin._laid import ReplayError
from oklahoma_gin._replay import replay
from oklahoma_gin.errors import OklahomaGinError
from oklahoma_gin.models import Cards, Rules
from oklahoma_gin.records import RoundRecord, Shuffle
from oklahoma_gin.shuffling import (
    ALGORITHM,
    commitment_of,
    deck_of,
    first_player_of,
    high_cards_of,
)

_HALF: Final = len(DECK) // 2


class VerificationError(OklahomaGinError):
    """A round that is not what it claims to be; `reason` is a word for programs.

    About the shuffle: `no_shuffle`, `unknown_algorithm`, `inputs_malformed`, `secret_altered`,
    `commitment_altered`, `entropy_altered`, `inputs_altered`, `deck_altered`,
    `first_player_altered`. About the moves: `move_missing`, `wrong_turn`, `wrong_phase`,
    `card_altered`, `card_not_held`, `laid_cards_altered`, `not_a_meld`, `points_altered`,
    `turn_altered`, `result_altered`.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"


def verify_round(
    record: RoundRecord,
    *,
    commitment: str | None = None,
    entropies: Mapping[int, str] | None = None,
    rules: Rules | None = None,
) -> None:
    """Check a finished round: its commitment, deck and first player, and every move on that deck.

    `commitment` is the `next_commitment` that was seen before the deal, `entropies` the texts that
    are known to have been sent, by seat: only with these two is the deck proved to be fixed in
    advance and to rest on one's own text. `rules`, those of the view, tell how the first player of
    round 1 is found, where either chance or the host is accepted otherwise, and whether the upcard
    is offered. Raises `VerificationError`.
    """
    shuffle = _checked_inputs(record)
    _check_commitment(shuffle, commitment)
    _check_entropies(shuffle, entropies or {})
    _check_deck(record.deck, deck_of(shuffle))
    _check_first_player(record, shuffle, rules)
    try:
        replay(record, shuffle.seats, rules or {})
    except ReplayError as differs:
        raise VerificationError(differs.reason, differs.detail) from None


def _checked_inputs(record: RoundRecord) -> Shuffle:
    """The shuffle, if it can be computed at all and belongs to the record."""
    shuffle = record.shuffle
    if shuffle is None:
        raise VerificationError(
            "no_shuffle",
            "The deck was named by whoever created the game (a sandbox); nothing can be proved. "
            "Play a game without `deck`.",
        )
    if shuffle.algorithm != ALGORITHM:
        raise VerificationError(
            "unknown_algorithm",
            f"The shuffle is {shuffle.algorithm!r}; this SDK knows {ALGORITHM!r}. Update the SDK.",
        )
    fits = shuffle.round == record.number and len(shuffle.entropies) == shuffle.seats
    if not (fits and 2 <= shuffle.seats <= 4 and _is_computable(shuffle)):
        raise VerificationError(
            "inputs_malformed",
            "The shuffle must name this round, 2 to 4 seats with a text for each, and a secret of "
            "32 bytes in hexadecimal.",
        )
    return shuffle


def _is_computable(shuffle: Shuffle) -> bool:
    try:
        "".join(shuffle.entropies).encode()
        return len(bytes.fromhex(shuffle.secret)) == 32
    except ValueError:
        return False


def _check_commitment(shuffle: Shuffle, seen: str | None) -> None:
    made = commitment_of(shuffle.secret)
    if made != shuffle.commitment:
        raise VerificationError(
            "secret_altered",
            f"The SHA-256 of the secret is {made}, and the record's commitment is "
            f"{shuffle.commitment}: this is not the secret that was committed to.",
        )
    if seen is not None and seen != shuffle.commitment:
        raise VerificationError(
            "commitment_altered",
            f"Before the deal {seen} was shown, and the record's commitment is "
            f"{shuffle.commitment}: the secret was changed after it was committed to.",
        )


def _check_entropies(shuffle: Shuffle, sent: Mapping[int, str]) -> None:
    for seat, text in sent.items():
        if not 0 <= seat < shuffle.seats:
            raise ValueError(f"entropies names seat {seat}; the game has 0 to {shuffle.seats - 1}.")
        if shuffle.entropies[seat] != text:
            raise VerificationError(
                "entropy_altered",
                f"Seat {seat} sent {text!r}, and the record says {shuffle.entropies[seat]!r}.",
            )


def _check_deck(dealt: Cards, made: Cards) -> None:
    """Two unrelated shuffles agree in one place on average; half of all places never."""
    if dealt == made:
        return
    pairs = enumerate(zip(dealt, made, strict=False))
    places = [place for place, (card, right) in pairs if card != right]
    if len(dealt) == len(made) and len(places) > _HALF:
        raise VerificationError(
            "inputs_altered",
            "The deck is another one than follows from the secret and the entropies: one of these "
            "was changed, or the deck was never shuffled from them.",
        )
    place = places[0] if places else min(len(dealt), len(made))
    raise VerificationError(
        "deck_altered",
        f"The deck was changed: place {place} holds {_at(dealt, place)} and should hold "
        f"{_at(made, place)} (place 0 is dealt first).",
    )


def _at(deck: Cards, place: int) -> str:
    return deck[place] if place < len(deck) else "nothing"


def _check_first_player(record: RoundRecord, shuffle: Shuffle, rules: Rules | None) -> None:
    """Only the first round's is left to chance; the dealer sits before whoever plays first."""
    if record.number != 1:
        return
    first = (record.dealer + 1) % shuffle.seats
    right = _first_players(record, shuffle, rules)
    if first not in right:
        raise VerificationError(
            "first_player_altered",
            f"Seat {first} played first, and by the shuffle it is seat "
            f"{' or '.join(map(str, sorted(right)))}.",
        )


def _first_players(record: RoundRecord, shuffle: Shuffle, rules: Rules | None) -> set[int]:
    """The seats that may have played first: one where rules or record tell how it was found."""
    shown = record.moves[0].high_cards if record.moves else None
    how = (rules or {}).get("first_player", "high_card" if shown is not None else None)
    if how == "high_card":
        return {_highest(shown, high_cards_of(shuffle))}
    by_chance = first_player_of(shuffle)
    return {"random": {by_chance}, "host": {0}}.get(str(how), {by_chance, 0})


def _highest(shown: Cards | None, made: Cards) -> int:
    if shown != made:
        raise VerificationError(
            "first_player_altered",
            f"The cards for the first player should be {' '.join(made)}, and the record says "
            f"{'none' if shown is None else ' '.join(shown)}.",
        )
    return max(range(len(made)), key=lambda seat: height(made[seat]))
