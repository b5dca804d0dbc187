"""Bookkeeping over a finished game from its public records alone, as a suspicious player would."""

from collections.abc import Iterator

from oklahoma_gin import Event, EventPage, RoundRecord, Seat


class Follower:
    """Reads a seat's log as the game goes on, since the log forgets its oldest rounds."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.events: list[Event] = []

    def catch_up(self) -> None:
        """Read what has not been read yet, page by page."""
        while page := self._next().events:
            self.events.extend(page)

    def _next(self) -> EventPage:
        after = self.events[-1].version if self.events else 0
        return self.seat.events_page(after=after, limit=100)

    def check(self) -> None:
        """Check that every version from 1 to the game's is one event."""
        self.catch_up()
        last = self.seat.view().version
        assert [event.version for event in self.events] == list(range(1, last + 1))
        assert len({event.id for event in self.events}) == len(self.events)


def check_cards(record: RoundRecord, seats: int) -> int:
    """Check that hands, stock and pile are 52 distinct cards after every move of a round."""
    checked = 0
    for places in _tables(record, seats):
        cards = [card for place in places for card in place]
        assert len(cards) == 52
        assert len(set(cards)) == 52
        checked += 1
    return checked


def _tables(record: RoundRecord, seats: int) -> Iterator[list[list[str]]]:
    """Deal the deck and repeat the moves, yielding hands, stock and pile after each."""
    size = 10 if seats == 2 else 7
    order = [(record.dealer + step) % seats for step in range(1, seats + 1)]
    hands: list[list[str]] = [[] for _ in range(seats)]
    for place, card in enumerate(record.deck[: size * seats]):
        hands[order[place % seats]].append(card)
    pile = [record.deck[size * seats]]
    stock = list(record.deck[size * seats + 1 :])
    for event in record.moves:
        seat = event.seat or 0
        if event.type == "drew":
            hands[seat].append(stock.pop(0) if event.source == "stock" else pile.pop())
            assert hands[seat][-1] == event.card
        elif event.type in ("discarded", "knocked") and event.card:
            hands[seat].remove(event.card)
            pile.append(event.card)
        yield [*hands, stock, pile]
    for laid in record.result.hands:
        shown = [card for meld in laid.melds for card in meld]
        shown += [*laid.deadwood, *(layoff.card for layoff in laid.layoffs)]
        assert sorted(shown) == sorted(hands[laid.seat])


def check_totals(seat: Seat) -> None:
    """Check that the lines of all rounds add up to the totals, round by round and at the end."""
    score = seat.score()
    totals = [0] * len(score.players)
    for played in score.rounds:
        for line in played.lines:
            totals[line.seat] += line.points
        assert list(played.totals) == totals
    assert [player.total for player in score.players] == totals
    assert score.result is not None
    for line in score.result.lines:
        totals[line.seat] += line.points
    assert list(score.result.final_scores) == totals
