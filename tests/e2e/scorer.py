"""A second score keeper: a game's sheet again, from the cards shown, the upcards and the options.

It shares no code with the engine; it is written from the rule book's section on settling.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from oklahoma_gin import RoundRecord, RuleValue, Score, Shown

PIPS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}


def points(cards: tuple[str, ...]) -> int:
    return sum(PIPS.get(card[0]) or int(card[0]) for card in cards)


@dataclass
class Sheet:
    """Totals and boxes by seat, as they grow round by round."""

    rules: Mapping[str, RuleValue]
    totals: list[int]
    boxes: list[int] = field(default_factory=list)

    def number(self, option: str) -> int:
        return int(self.rules[option])

    def add(self, record: RoundRecord) -> None:
        """Settle one round."""
        result = record.result
        if result.kind == "void":
            assert not result.lines
            return
        counts = {laid.seat: points(laid.deadwood) for laid in result.hands}
        knocker = result.knocker
        assert knocker is not None
        gin = result.kind in ("gin", "big_gin")
        winner = knocker if gin else self.winner(counts, knocker)
        assert winner == result.winner
        assert (result.kind == "undercut") == (winner != knocker)
        self.charge(result.kind, counts, winner, knocker, self.times(record))
        extra = {"gin": "gin_extra_boxes", "big_gin": "gin_extra_boxes"}.get(result.kind)
        extra = "undercut_extra_boxes" if result.kind == "undercut" else extra
        self.boxes[winner] += 1 + (self.number(extra) if extra else 0)

    def winner(self, counts: Mapping[int, int], knocker: int) -> int:
        seats = len(self.totals)
        best, least = knocker, counts[knocker]
        for step in range(1, seats):
            seat = (knocker + step) % seats
            ties = self.rules["undercut_on_tie"] and best == knocker and counts[seat] == least
            if counts[seat] < least or ties:
                best, least = seat, counts[seat]
        return best

    def times(self, record: RoundRecord) -> int:
        hand = 10 if len(self.totals) == 2 else 7
        upcard = record.deck[hand * len(self.totals)]
        return self.number("spade_upcard_multiplier") if upcard[1] == "S" else 1

    def charge(
        self, kind: str, counts: Mapping[int, int], winner: int, knocker: int, times: int
    ) -> None:
        penalties = self.rules["scoring"] == "penalties"
        bonus = self.number(f"{kind}_bonus") if kind in ("gin", "big_gin") else 0
        losers = [seat for seat in counts if seat != winner]
        for seat in losers:
            difference = (counts[seat] - counts[winner]) * times
            self.totals[seat if penalties else winner] += difference
            if penalties:
                self.totals[seat] += bonus * times
        if not penalties:
            self.totals[winner] += bonus * times
        if kind == "undercut":
            sign = -1 if penalties else 1
            self.totals[winner] += sign * self.number("undercut_bonus") * times
            if penalties:
                self.totals[knocker] += self.number("undercut_penalty") * times

    def final(self, winner: int) -> list[int]:
        """Return the final scores, end bonuses included."""
        scores = list(self.totals)
        if self.rules["scoring"] == "penalties":
            return scores
        others = sum(boxes for seat, boxes in enumerate(self.boxes) if seat != winner)
        if self.rules["shutout"] == "double" and not others:
            scores[winner] *= 2
        scores[winner] += self.number("game_bonus")
        return [
            score + boxes * self.number("box_bonus")
            for score, boxes in zip(scores, self.boxes, strict=True)
        ]

    def is_over(self) -> bool:
        """Return whether the totals end the game after a settled round."""
        target = self.number("target_score")
        if max(self.totals) < target:
            return False
        return self.rules["scoring"] == "points" or self.totals.count(min(self.totals)) == 1


def check_hand(laid: Shown) -> None:
    """Check that a hand's points are those of its deadwood."""
    assert points(laid.deadwood) == laid.deadwood_points


def recompute(score: Score, records: list[RoundRecord], rules: Mapping[str, RuleValue]) -> None:
    """Check a finished game's score sheet, round by round."""
    seats = len(score.players)
    sheet = Sheet(rules, [0] * seats, [0] * seats)
    assert [record.number for record in records] == list(range(1, len(records) + 1))
    for record in records:
        for laid in record.result.hands:
            check_hand(laid)
        sheet.add(record)
        assert list(record.result.totals) == sheet.totals
        settled = record.result.kind != "void"
        assert (settled and sheet.is_over()) == (record is records[-1])
    assert [player.total for player in score.players] == sheet.totals
    assert [player.boxes for player in score.players] == sheet.boxes
    assert score.result is not None
    assert score.result.reason == "target"
    assert score.result.winner is not None
    best = min if rules["scoring"] == "penalties" else max
    assert sheet.totals[score.result.winner] == best(sheet.totals)
    assert list(score.result.final_scores) == sheet.final(score.result.winner)
