"""A game as its viewers get it."""

from service.api.schemas.rules import RulesSchema
from service.api.schemas.shown import (
    Answer,
    CardName,
    Cards,
    Flag,
    Layoffs,
    Melds,
    Moment,
    Numbers,
    Part,
    Parts,
    Pile,
    Text,
    Texts,
    TextsByName,
    Whole,
)

SEAT = "A seat, from 0 in turn order; seat 0 is the host."


class PlayerSchema(Answer):
    """The public facts of a taken seat."""

    seat = Whole(SEAT)
    name = Text("The player's name, as text and never markup.")
    kind = Text("`human` or `bot`; more may come.")
    card_count = Whole("How many cards the seat holds.")
    total = Whole("The sum of the seat's settlement lines.")
    boxes = Whole("Rounds won, with extra boxes.")
    out = Flag("Whether the seat has left the running game for good.")


class OwnHandSchema(Answer):
    """The caller's own hand, and the best split of all the cards that are held."""

    seat = Whole(SEAT)
    hand = Cards("All cards held, in card order.")
    drawn_card = CardName("The card drawn in this turn, until one is thrown.", nullable=True)
    drawn_from = Text("`stock` or `discard`: where it was drawn.", nullable=True)
    melds = Melds("The melds of the best split.")
    deadwood = Cards("The cards outside these melds.")
    deadwood_points = Whole("The points of the deadwood.")
    possible_melds = Melds("Every meld that the hand holds, overlapping ones too.")


class LaidHandSchema(Answer):
    """A hand that its seat has laid down."""

    seat = Whole(SEAT)
    melds = Melds("The melds as they were laid.")
    layoffs = Layoffs("What the seat added to the knocker's melds.")
    deadwood = Cards("The cards outside melds and layoffs.")
    deadwood_points = Whole("The points of the deadwood.")


class LineSchema(Answer):
    """One amount of a settlement and its reason."""

    seat = Whole(SEAT)
    points = Whole("The amount, after multiplication.")
    reason = Text("Why, in one word such as `deadwood` or `gin_bonus`; more may come.")
    multiplier = Whole("What the amount has been multiplied by.")
    from_seat = Whole(
        "The seat whose deadwood brings the points of a `deadwood` line; null in all other lines "
        "and in penalties, which each seat pays for its own.",
        nullable=True,
    )


class RoundResultSchema(Answer):
    """How a round ended."""

    number = Whole("The round's number, from 1.")
    kind = Text("`knock`, `gin`, `big_gin`, `undercut` or `void`.")
    winner = Whole("The seat that won the round; null if it was void.", nullable=True)
    knocker = Whole("The seat that went out; null if nobody did.", nullable=True)
    hands = Parts(LaidHandSchema, "Every hand as it was laid.")
    lines = Parts(LineSchema, "The settlement, one line for each amount.")
    totals = Numbers("The totals after the round, by seat.")


class GameResultSchema(Answer):
    """How the game ended."""

    winner = Whole("The seat that won; null if the game was cancelled.", nullable=True)
    reason = Text("`target`, `rounds`, `resigned`, `timed_out` or `cancelled`.")
    totals = Numbers("The sums of the settlement lines, by seat.")
    final_scores = Numbers("The totals with the end bonuses, by seat.")
    lines = Parts(LineSchema, "The end bonuses that lead from totals to final scores.")


class RoundSchema(Answer):
    """The public facts of the round on the table."""

    number = Whole("The round's number, from 1.")
    phase = Text("`upcard_offer`, `draw`, `discard`, `layoff` or `over`.")
    dealer = Whole("The seat that dealt.")
    turn = Whole("The seat to act; null when the round is over.", nullable=True)
    turns_played = Whole("Completed turns of draw and discard.")
    last_turn = Flag("Whether a discard makes the round void now, if nobody goes out.")
    upcard = CardName("The first card turned onto the discard pile in this round.")
    passed = Numbers("The seats that have passed the upcard.")
    knock_limit = Whole("The most deadwood points a knocker may keep; 0 asks for gin.")
    limit_card = CardName("The card that sets that limit; null where it is fixed.", nullable=True)
    multiplier = Whole("What the settlement will be multiplied by.")
    stock_count = Whole("Cards left in the stock.")
    discard_pile = Pile("The discard pile, oldest first.")
    shown = Parts(LaidHandSchema, "The hands laid down so far, the knocker's first.")
    knocker = Whole("The seat that went out, once one has.", nullable=True)
    result = Part(RoundResultSchema, "How this round ended; null until it has.", nullable=True)
    commitment = Text(
        "SHA-256 (hex) of the secret that shuffled; null for a sandbox deck.", nullable=True
    )


class DiscardChoiceSchema(Answer):
    """A card that may be thrown."""

    card = CardName("The card.")
    deadwood_points = Whole("The lowest deadwood that it leaves.")


class KnockChoiceSchema(Answer):
    """A card that may be thrown to go out."""

    discard = CardName("The card thrown face down.")
    deadwood_points = Whole("The lowest deadwood that it leaves.")
    gin = Flag("Whether that is gin.")
    melds = Melds("What is laid when no melds are named.")


class LayoffTargetSchema(Answer):
    """A layoff that can be reached."""

    card = CardName("A card in the caller's hand.")
    meld = Whole("The index of the knocker's meld that it goes on.")
    requires = Pile("The cards of the hand that must go there before it.")
    deadwood_points = Whole("The lowest deadwood once it and they, and no more, are laid off.")


class LayoffAnswerSchema(Answer):
    """An answer to a knock, and what it leaves."""

    melds = Melds("The seat's own melds.")
    layoffs = Layoffs("What goes on the knocker's melds.")
    deadwood = Cards("The cards left over.")
    deadwood_points = Whole("Their points.", attribute="points")


class LayoffChoicesSchema(Answer):
    """Every layoff that can be reached, and the best answer."""

    targets = Parts(LayoffTargetSchema, "Every card that can be laid off, with its meld.")
    best = Part(LayoffAnswerSchema)


class ActionsSchema(Answer):
    """All that the caller may do now; claim, token and stream tickets apart."""

    join = Flag("Take a free seat.")
    leave = Flag("Give up the seat before the first deal.")
    add_bot = Flag("Seat a bot.")
    remove = Numbers("The seats that the host may take out.")
    deal = Flag("Start the next round.")
    entropy = Flag("Leave a text for the next shuffle.")
    pass_ = Flag("Decline the upcard.", attribute="pass_upcard", data_key="pass")
    draw = Texts("The piles that may be drawn from: `stock`, `discard`.")
    discard = Parts(DiscardChoiceSchema, "The cards that may be thrown.")
    knock = Parts(KnockChoiceSchema, "The cards that may be thrown to go out.")
    big_gin = Flag("Go out with all cards melded and no discard.")
    layoff = Part(LayoffChoicesSchema, "How a knock may be answered, if it may.", nullable=True)
    resign = Flag("Leave the running game for good.")
    rematch = Flag("Ask for a new game with the same rules.")
    why_not = TextsByName(
        "For each of the other fields that offers nothing, by its name, the code of the problem "
        "that trying it would be answered with, if nothing else is wrong with the request. A "
        "spectator is told of `join` alone: all the rest takes a seat (`token_required`).",
        example={"pass": "wrong_phase", "knock": "deadwood_over_limit"},
    )


class GameSchema(Answer):
    """A game as the caller sees it."""

    game_id = Text("The game's id: URL-safe and random.")
    version = Whole("How many moves have been applied, from 1.", minimum=1)
    etag = Text("The entity tag of this view, quotes included, ready to be sent back.")
    status = Text("`waiting`, `playing` or `finished`.")
    visibility = Text("`public` or `private`.")
    invite = Text(
        "What lets others look at a private game and join it; null for all but its host.",
        nullable=True,
    )
    sandbox = Flag("Whether the decks were named by whoever created the game.")
    preset = Text("The preset that the rules began with.")
    rules = Part(RulesSchema)
    seats = Whole("The number of seats, 2 to 4.")
    hand_size = Whole("How many cards each seat is dealt.")
    turn_seconds = Whole("Seconds for a turn; 0 is no clock.")
    timeout_action = Text("What a claim does to a late seat: `autoplay` or `forfeit`.")
    created_at = Moment("When the game was created.")
    updated_at = Moment("When the last move was applied.")
    expires_at = Moment("When the game is forgotten if nobody moves.")
    players = Parts(PlayerSchema, "The seats that are taken.")
    you = Part(OwnHandSchema, "The caller's own hand; null for a spectator.", nullable=True)
    round = Part(RoundSchema, "The round on the table; null before the first deal.", nullable=True)
    last_round = Part(
        RoundResultSchema,
        "How the round before `round` ended, so that it is not lost when somebody deals at once; "
        "what has just ended is `round.result`.",
        nullable=True,
    )
    actions = Part(ActionsSchema)
    turn_deadline = Moment("When the turn may be claimed; null without a clock.", nullable=True)
    next_commitment = Text(
        "SHA-256 (hex) of the secret of the round to be dealt next.", nullable=True
    )
    rematch_game_id = Text("The game that follows this one, once there is one.", nullable=True)
    result = Part(GameResultSchema, "How the game ended; null until it has.", nullable=True)
