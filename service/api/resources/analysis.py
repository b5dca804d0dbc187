"""Analysis: pure questions about cards, answered without a game."""

from service.api.operation import Call, Reply, Resource
from service.api.schemas.pages import HandAnalysisSchema
from service.api.schemas.requests import AnalyzeHandSchema
from service.rules.analysis import analyse_hand

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
