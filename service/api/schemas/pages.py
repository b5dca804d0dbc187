"""Answers beside the game itself: seats, records, analysis and what the service says of itself."""

from service.api.schemas.responses import (
    SEAT,
    GameResultSchema,
    GameSchema,
    LayoffTargetSchema,
    RoundResultSchema,
)
from service.api.schemas.shown import (
    Answer,
    CardName,
    Cards,
    Flag,
    Layoffs,
    Melds,
    Moment,
    OptionsByName,
    Part,
    Parts,
    Pile,
    Text,
    Texts,
    Whole,
    fields_through,
)

TOKEN = "The seat token (`okg_…`), for `Authorization: Bearer`. It opens this seat alone."  # noqa: S105
OWN_EVENTS = (
    "What the request did, oldest first and as the caller may see it, the moves of bots included. "
    "A repeated request tells the same, until the log has dropped it: then it is empty."
)


class SeatedSchema(Answer):
    """A seat that was taken, or whose token was renewed."""

    game = Part(GameSchema, attribute="view")
    seat = Whole(SEAT)
    token = Text(TOKEN)


class OwnSeatSchema(Answer):
    """What a token opens."""

    game_id = Text("The game that the token belongs to.")
    seat = Whole(SEAT)
    game = Part(GameSchema)


class LobbyPlayerSchema(Answer):
    """A seat that is taken."""

    seat = Whole(SEAT)
    name = Text("The player's name.")
    kind = Text("`human` or `bot`.")


class LobbyEntrySchema(Answer):
    """A public game that waits for players or is being played."""

    game_id = Text("Its id.")
    status = Text("`waiting` or `playing`.")
    preset = Text("The preset that its rules began with.")
    title = Text("The preset's title.")
    options = OptionsByName(
        "The options of its rules that are set otherwise than in the preset, by name.",
        example={"target_score": 50},
    )
    seats = Whole("How many may play.")
    players = Parts(LobbyPlayerSchema, "The seats that are taken.")
    turn_seconds = Whole("Seconds for a turn; 0 is no clock.")
    created_at = Moment("When it was created.")


class LobbySchema(Answer):
    """A page of the lobby."""

    games = Parts(LobbyEntrySchema, "The games, the newest first.")
    next_cursor = Text("Where the next page begins; null where there is none.", nullable=True)


class ScoreLineSchema(Answer):
    """A player's standing."""

    seat = Whole(SEAT)
    name = Text("The player's name.")
    total = Whole("The sum of the seat's settlement lines.")
    boxes = Whole("Rounds won, with extra boxes.")


class ScoreSheetSchema(Answer):
    """Every round of a game, and its result."""

    players = Parts(ScoreLineSchema, "The seats that are taken.")
    rounds = Parts(RoundResultSchema, "The finished rounds in order, void ones included.")
    result = Part(GameResultSchema, "How the game ended; null until it has.", nullable=True)


class EventSchema(Answer):
    """An applied move as the caller sees it; what does not belong to its type is left out."""

    id = Text("The version with a nonce of its own, so that another history is noticed.")
    version = Whole("The game's version after the move.")
    at = Moment("When it was applied.")
    type = Text(
        "`created`, `joined`, `left`, `removed`, `dealt`, `entropy_set`, `passed`, `drew`, "
        "`discarded`, `knocked`, `laid_off`, `resigned`, `timed_out`, `token_renewed` or "
        "`rematched`; more may come.",
        attribute="event.type",
    )
    seat = Whole("The seat that moved.", attribute="event.seat", nullable=True)
    name = Text("The name of a player who sat down.", optional=True)
    phase = Text("The round's phase after the move.", attribute="event.phase", optional=True)
    turn = Whole(
        "The seat to act after the move; absent when nobody is.",
        attribute="event.turn",
        optional=True,
    )
    occupant = Text("`human` or `bot`.", attribute="event.occupant", optional=True)
    card = CardName(
        "The card drawn or thrown; one drawn from the stock is shown to its seat alone.",
        attribute="event.card",
        optional=True,
    )
    source = Text("`stock` or `discard`.", attribute="event.source", optional=True)
    kind = Text("`knock`, `gin` or `big_gin`.", attribute="event.kind", optional=True)
    melds = Melds("The melds laid.", attribute="event.melds", optional=True)
    layoffs = Layoffs("The layoffs.", attribute="event.layoffs", optional=True)
    deadwood = Cards("The cards left over.", attribute="event.deadwood", optional=True)
    deadwood_points = Whole("Their points.", attribute="event.deadwood_points", optional=True)
    round = Whole("The number of the round dealt.", attribute="event.round", optional=True)
    dealer = Whole("The seat that dealt.", attribute="event.dealer", optional=True)
    commitment = Text(
        "SHA-256 (hex) of the secret that shuffled.", attribute="event.commitment", optional=True
    )
    upcard = CardName("The card turned up.", attribute="event.upcard", optional=True)
    hand = Cards("The caller's own cards.", attribute="event.hand", optional=True)
    high_cards = Pile(
        "The cards dealt for the first player, by seat.",
        attribute="event.high_cards",
        optional=True,
    )
    result = Part(RoundResultSchema, attribute="event.result", optional=True)
    game_result = Part(GameResultSchema, attribute="event.game_result", optional=True)


class CreatedSchema(Answer):
    """A new game, and what its host keeps."""

    game = Part(GameSchema, attribute="view")
    seat = Whole(SEAT)
    token = Text(TOKEN)
    invite = Text(
        "What lets others look at a private game and join it; a public one needs none.",
        nullable=True,
    )
    events = Parts(EventSchema, f"{OWN_EVENTS} A rematch tells none.")


class MovedSchema(Answer):
    """The game as the caller sees it after a move, as `getGame` gives it, and what happened."""

    class Meta(Answer.Meta):
        include = {  # noqa: RUF012
            **fields_through(GameSchema, "view"),
            "events": Parts(EventSchema, OWN_EVENTS),
        }


class EventPageSchema(Answer):
    """A page of the log, oldest first."""

    events = Parts(EventSchema, "The events after `after`, oldest first.")
    first_version = Whole("The oldest version that the log still holds.")
    version = Whole("The game's version.")
    game = Part(GameSchema, attribute="view", optional=True)


class ShuffleSchema(Answer):
    """Everything that made the deck, so that anybody can make it again."""

    algorithm = Text("`okg-shuffle-1`; more may come.")
    game_id = Text("The game's id.")
    round = Whole("The round's number.")
    seats = Whole("The number of seats.")
    secret = Text("The secret of the server, in hex.")
    commitment = Text("Its SHA-256 (hex), as published before the shuffle.")
    entropies = Texts("The seats' own texts, by seat; empty where there was none.")


class RoundRecordSchema(Answer):
    """A finished round whole; all of it is public."""

    number = Whole("The round's number, from 1.")
    dealer = Whole("The seat that dealt.")
    deck = Pile("The deck, the card dealt first at the front.")
    moves = Parts(EventSchema, "Every move with every card.")
    result = Part(RoundResultSchema)
    shuffle = Part(
        ShuffleSchema, "What proves the deck; null where a sandbox deck was dealt.", nullable=True
    )


class DiscardAnalysisSchema(Answer):
    """What throwing a card would leave."""

    card = CardName("The card.")
    deadwood_points = Whole("The lowest deadwood that it leaves.")
    gin = Flag("Whether that is gin.")
    can_knock = Flag(
        "Whether that is within the knock limit; null where none was sent.", nullable=True
    )
    melds = Melds("The melds of the best split of the rest.")


class HandAnalysisSchema(Answer):
    """The best split of a hand, and what each discard would leave."""

    melds = Melds("The melds of the best split.")
    deadwood = Cards("The cards outside these melds.")
    deadwood_points = Whole("Their points.")
    possible_melds = Melds("Every meld that the hand holds, overlapping ones too.")
    discards = Parts(
        DiscardAnalysisSchema, "For 8 or 11 cards each discard; else null.", nullable=True
    )


class LayoffAnalysisSchema(Answer):
    """The best answer to a knock, and every layoff that can be reached."""

    melds = Melds("The opponent's own melds.", attribute="answer.melds")
    layoffs = Layoffs("What goes on the knocker's melds.", attribute="answer.layoffs")
    deadwood = Cards("The cards left over.", attribute="answer.deadwood")
    deadwood_points = Whole("Their points.", attribute="answer.points")
    targets = Parts(LayoffTargetSchema, "Every card that can be laid off, with its meld.")


class FaultSchema(Answer):
    """One thing that is wrong with a body."""

    pointer = Text("A JSON Pointer into the body.")
    detail = Text("What is wrong there, and what would be right.")


class ProblemSchema(Answer):
    """Why a request was not granted, as RFC 9457 says it."""

    type = Text("`/problems/` and the code: a page about it.", format="uri-reference")
    title = Text("The kind of problem, the same whenever it occurs.")
    status = Whole("The HTTP status.")
    detail = Text("What was wrong, what would have been right, what to do next.")
    code = Text("What programs should look at; more codes may come.")
    request_id = Text("The request's id, as in the log.")
    errors = Parts(FaultSchema, "Everything that is wrong with the body.", optional=True)
    deadwood_points = Whole("The deadwood that is over the limit.", optional=True)
    knock_limit = Whole("The limit that it is over.", optional=True)
    game = Part(GameSchema, optional=True)


class ProblemKindSchema(Answer):
    """A kind of problem."""

    code = Text("Its code.")
    type = Text("Where its page is.", format="uri-reference")
    status = Whole("The HTTP status that it comes with.")
    title = Text("Its title.")
    meaning = Text("When it occurs and what to do.")


class ProblemCatalogueSchema(Answer):
    """Every kind of problem."""

    problems = Parts(ProblemKindSchema, "Every kind of problem.")


class HealthSchema(Answer):
    """A sign of life."""

    status = Text("`ok`.")


class IndexSchema(Answer):
    """Where everything is."""

    name = Text("What this is.")
    play = Text("The web table.", format="uri-reference")
    docs = Text("The documentation page.", format="uri-reference")
    openapi = Text("The contract for machines.", format="uri-reference")
    rules = Text("Presets and options.", format="uri-reference")
    problems = Text("The catalogue of problems.", format="uri-reference")
    health = Text("The readiness probe.", format="uri-reference")
