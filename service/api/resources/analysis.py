"""Analysis: pure questions about cards, answered without a game."""

from service.api.operation import Call, Reply, Resource
from service.api.schemas.pages import HandAnalysisSchema, LayoffAnalysisSchema
from service.api.schemas.requests import (
    AnalyzeHandSchema,
    AnalyzeLayoffSchema,
    AnalyzeSettlementSchema,
)
from service.api.schemas.responses import RoundResultSchema
from service.rules.analysis import (
    Position,
    ShownHand,
    analyse_hand,
    analyse_layoff,
    analyse_settlement,
)

analysis = Resource("analysis", "Pure questions about cards.")


@analysis.post(
    "/v1/analysis/hand",
    "analyzeHand",
    answer=HandAnalysisSchema,
    body=AnalyzeHandSchema,
    example={
        "hand": ["AC", "2C", "7C", "3D", "7D", "KD", "9H", "TH", "JH", "QH", "7S"],
        "knock_limit": 6,
    },
    shows="HandAnalysis",
)
def analyze_hand(call: Call) -> Reply:
    """Split a hand.

    The melds with the lowest deadwood, every meld that the cards hold, and for 8 or 11 cards what
    each discard would leave, without regard to a card just taken.
    """
    return Reply(analyse_hand(call.body["hand"], call.body.get("knock_limit")))


@analysis.post(
    "/v1/analysis/layoff",
    "analyzeLayoff",
    answer=LayoffAnalysisSchema,
    body=AnalyzeLayoffSchema,
    example={
        "hand": ["7D", "6D", "KC", "KH", "KS", "9H", "TH", "JH", "AC", "3S"],
        "melds": [["8D", "9D", "TD"], ["4C", "4H", "4S"], ["QC", "QD", "QS"]],
    },
    shows="LayoffAnalysis",
)
def analyze_layoff(call: Call) -> Reply:
    """Answer a knock best.

    The melds and layoffs that leave the lowest deadwood together, and every layoff that can be
    reached, with the cards that must go before it.
    """
    return Reply(analyse_layoff(call.body["hand"], call.body["melds"]))


@analysis.post(
    "/v1/analysis/settlement",
    "analyzeSettlement",
    answer=RoundResultSchema,
    body=AnalyzeSettlementSchema,
    refusals=(
        "card_not_in_hand",
        "invalid_melds",
        "deadwood_over_limit",
        "invalid_layoff",
        "invalid_rules",
    ),
    example={
        "rules": {"preset": "oklahoma"},
        "upcard": "2D",
        "knocker": 0,
        "discard": "KD",
        "seats": [
            {"hand": ["8D", "9D", "TD", "4C", "4H", "4S", "QC", "QD", "QS", "2H", "KD"]},
            {"hand": ["7D", "6D", "KC", "KH", "KS", "9H", "TH", "JH", "AC", "3S"]},
        ],
    },
    shows="RoundResult",
)
def analyze_settlement(call: Call) -> Reply:
    """Settle a round.

    The result that would follow if a seat went out with these hands on the table: the same
    functions referee the games. The knocker's hand holds the discard; without one it is big gin.
    Opponents answer clockwise; what they leave out is filled in best.
    """
    body = call.body
    position = Position(
        rules=body["rules"].rules,
        upcard=body["upcard"],
        knocker=body["knocker"],
        seats=tuple(
            ShownHand(seat["hand"], seat.get("melds"), seat.get("layoffs"))
            for seat in body["seats"]
        ),
        discard=body.get("discard"),
        knock_limit=body.get("knock_limit"),
    )
    return Reply(analyse_settlement(position))
