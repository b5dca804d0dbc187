"""What requests take; unknown fields are refused, and every fault is named at once."""

from typing import Any, Final

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, validates, validates_schema
from marshmallow.validate import Length

from service.api.schemas.card_fields import CardSetOf, CardValue, decks, melds
from service.api.schemas.chosen_rules import RulesField
from service.api.schemas.fields import (
    Choice,
    Digits,
    Entropy,
    Flag,
    Integer,
    PlayerName,
    Text,
)
from service.bots import LEVELS
from service.rules.ruleset import (
    MAX_SEATS,
    MIN_SEATS,
)

LEAST_TURN_SECONDS: Final = 5
PAGE: Final = 20


class Body(Schema):
    """The JSON object of a request. ``sandbox`` says whether decks may be named."""

    class Meta:
        unknown = RAISE

    def __init__(self, *, sandbox: bool = False) -> None:
        super().__init__()
        self.sandbox = sandbox
        known = ", ".join(field.data_key or name for name, field in self.fields.items())
        takes = f"it takes {known}" if known else "it takes none"
        self.error_messages["type"] = "Send a JSON object here."
        self.error_messages["unknown"] = f"The request has no such field; {takes}."


class NothingSchema(Body):
    """An empty object, which may be left out."""


class TurnSeconds(Integer):
    """Seconds for a turn: none, or enough to move in."""

    def read(self, value: Any) -> int:
        seconds: int = super().read(value)
        if 0 < seconds < LEAST_TURN_SECONDS:
            raise ValidationError(
                f"Send 0 for no clock, or {LEAST_TURN_SECONDS} to 604800 seconds, not {seconds}."
            )
        return seconds


class BotSchema(Body):
    """A bot for a seat."""

    level = Choice("How well it plays.", tuple(LEVELS), required=True)
    name = PlayerName("Its name; one after its level when left out.")


class BotsField(fields.List[Any]):
    """The bots that a game is created with."""

    def __init__(self, description: str) -> None:
        super().__init__(
            fields.Nested(
                BotSchema(), error_messages={"null": "Send an object with level, not null."}
            ),
            validate=Length(max=MAX_SEATS - 1, error="Send at most {max} bots."),
            metadata={"description": description},
            error_messages={
                "invalid": 'Send a list such as [{{"level": "medium"}}].',
                "null": "null is never taken: leave the field out, or send [] for no bots.",
            },
        )


class CreateGameSchema(Body):
    """A new game and its host."""

    name = PlayerName("The host's name.", required=True)
    seats = Integer("How many may play.", MIN_SEATS, MAX_SEATS, default=MIN_SEATS)
    rules = RulesField("The preset, and options set otherwise.")
    visibility = Choice(
        "`private` games are hidden from whoever has neither a seat nor the invite.",
        ("public", "private"),
        default="public",
    )
    turn_seconds = TurnSeconds(
        "0 for no clock, or 5 to 604800 seconds for a turn.", 0, 604_800, default=0
    )
    timeout_action = Choice(
        "What a claim does to a seat that is late.",
        ("autoplay", "forfeit"),
        default="autoplay",
    )
    bots = BotsField("Bots for the seats after the host.")
    deal = Flag("Whether the first round is dealt at once; the bots must fill the table.")
    deck = decks("Decks for the first rounds; only where the service runs as a sandbox.")

    @validates_schema
    def seat_the_bots(self, sent: dict[str, Any], **_: object) -> None:
        others, bots = sent.get("seats", MIN_SEATS) - 1, len(sent.get("bots", ()))
        if bots > others:
            raise ValidationError(
                f"There are {others} seats beside the host's; send at most so many bots.", "bots"
            )
        if sent.get("deal") and bots < others:
            bots_due = "1 bot" if others == 1 else f"{others} bots"
            raise ValidationError(
                f"A round is dealt at a full table: send {bots_due}, or leave `deal` out and deal "
                "when everybody has joined.",
                "deal",
            )

    @validates("deck")
    def refuse_deck(self, _deck: object, **_: object) -> None:
        if not self.sandbox:
            raise ValidationError(
                "This service shuffles for itself: leave `deck` out, or run a service with "
                "SANDBOX=1."
            )


class JoinSchema(Body):
    """Who sits down."""

    name = PlayerName("The player's name.", required=True)
    invite = Text("What the host of a private game hands out.", 200)
    entropy = Entropy("A text of one's own for the next shuffle.")


class DealSchema(Body):
    """A text for the shuffle."""

    entropy = Entropy("A text of one's own for this shuffle.")


class EntropySchema(Body):
    """A text for the next shuffle."""

    entropy = Entropy("A text of one's own for the next shuffle, used once.", required=True)


class RemoveSchema(Body):
    """Whom the host takes out."""

    seat = Integer("The seat to free.", 1, MAX_SEATS - 1, required=True)


class DrawSchema(Body):
    """A pile."""

    source = Choice("The pile to draw from.", ("stock", "discard"), required=True)


class DiscardSchema(Body):
    """A card."""

    card = CardValue("The card to throw.", required=True)


class KnockSchema(Body):
    """The card thrown to go out, and the melds; all is optional."""

    discard = CardValue("The card to throw; without one it is big gin.")
    melds = melds("The melds to lay; the best ones when left out.")


class LayoffSchema(Body):
    """A card and the meld that it goes on."""

    card = CardValue("The card to add.", required=True)
    meld = Integer("An index into the knocker's melds, from 0.", 0, 9, required=True)


class LayoffsField(fields.List[Any]):
    """Pairs of a card and an index into the knocker's melds."""

    def __init__(self, description: str) -> None:
        super().__init__(
            fields.Nested(
                LayoffSchema(),
                error_messages={"null": "Send an object with card and meld, not null."},
            ),
            metadata={"description": description},
            error_messages={
                "invalid": 'Send a list such as [{{"card": "7D", "meld": 0}}].',
                "null": "null is never taken: leave the field out, or send [] for no layoffs.",
            },
        )

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        read: list[Any] = super()._deserialize(value, attr, data, **kwargs)
        return tuple((layoff["card"], layoff["meld"]) for layoff in read)


class AnswerKnockSchema(Body):
    """The seat's one answer to a knock; what is left out the server fills in."""

    layoffs = LayoffsField("What goes on the knocker's melds; [] for nothing.")
    melds = melds("The seat's own melds; [] for none.")


class AnalyzeHandSchema(Body):
    """A hand, and the limit that knocking is measured by."""

    hand = CardSetOf(
        CardValue("A card."),
        "The cards to split.",
        "a list of 1 to 11 distinct cards",
        required=True,
        least=1,
        most=11,
    )
    knock_limit = Integer("What `can_knock` is measured by.", 0, 10)


class AnalyzeLayoffSchema(Body):
    """An opponent's hand, and the melds that a knocker laid."""

    hand = CardSetOf(
        CardValue("A card."),
        "The opponent's cards.",
        "a list of 1 to 10 distinct cards",
        required=True,
        least=1,
        most=10,
    )
    melds = melds("The knocker's melds; layoffs name them by their place here.", required=True)


class SettledHandSchema(Body):
    """A seat's cards, and what it names of its melds and layoffs."""

    hand = CardSetOf(
        CardValue("A card."),
        "The seat's cards, the knocker's discard among them.",
        "a list of 7 to 11 distinct cards",
        required=True,
        least=7,
        most=11,
    )
    melds = melds("The melds that the seat lays; the best ones when left out.")
    layoffs = LayoffsField("What an opponent adds to the knocker's melds; [] for nothing.")


class AnalyzeSettlementSchema(Body):
    """A round at the moment when a seat goes out."""

    rules = RulesField("The preset, and options set otherwise.", required=True)
    upcard = CardValue("The round's upcard.", required=True)
    knocker = Integer("The seat that goes out.", 0, MAX_SEATS - 1, required=True)
    seats = fields.List(
        fields.Nested(
            SettledHandSchema(),
            error_messages={"null": "Send an object with hand, not null."},
        ),
        required=True,
        validate=Length(
            MIN_SEATS, MAX_SEATS, error="Send the hands of {min} to {max} seats, by seat."
        ),
        metadata={"description": "The hands, by seat."},
        error_messages={
            "required": "This field is required: send the hands, by seat.",
            "invalid": 'Send a list such as [{{"hand": ["AC"]}}], a hand for each seat.',
            "null": "null is never taken: send the hands, by seat.",
        },
    )
    discard = CardValue("The card that the knocker throws; without one it is big gin.")
    knock_limit = Integer("Replaces the limit that the rules and the upcard give.", 0, 10)


class Query(Schema):
    """The known parameters of a query; unknown ones are ignored."""

    class Meta:
        unknown = EXCLUDE


class InviteQuery(Query):
    """What opens a private game without a seat."""

    invite = Text("The invite of a private game.", 200)


class LobbyQuery(Query):
    """Which page of which list."""

    status = Choice(
        "`waiting`: games with a free seat; `playing`: games to watch.",
        ("waiting", "playing"),
        default="waiting",
    )
    cursor = Text("The next_cursor of the page before.", 100)
    limit = Digits("The most games to return.", 1, 100, default=PAGE)
