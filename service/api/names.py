"""What a player may be called: one line of visible characters, as they are printed."""

import re
import unicodedata
from typing import Final

LONGEST_NAME: Final = 40

_HIDDEN: Final = {"Cc": "control", "Cf": "format", "Zl": "line-separating", "Zp": "line-separating"}
_UNKNOWN: Final = {"Cs", "Co", "Cn"}
_BLANK: Final = set("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol that print nothing
_PICTURE: Final = (
    "[©®‼⁉™\u2139←-⇿⌀-➿⤴⤵⬀-⯿〰〽㊗㊙\U0001f000-\U0001faff][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
)
# Pictures joined by U+200D, flags spelt with tag characters, and keycaps.
_EMOJI: Final = re.compile(
    f"{_PICTURE}(?:\u200d{_PICTURE})*(?:[\U000e0020-\U000e007e]+\U000e007f)?|[0-9#*]\ufe0f?\u20e3"
)


def tidy(name: str) -> str:
    """Return a name trimmed and in NFC."""
    return unicodedata.normalize("NFC", name.strip())


def name_fault(name: str) -> str | None:
    """Return what is wrong with a tidy name, or nothing."""
    if not 0 < len(name) <= LONGEST_NAME:
        return (
            f"Send a name of 1 to {LONGEST_NAME} characters after trimming; "
            f"this one has {len(name)}."
        )
    plain = _EMOJI.sub("", name)
    for character in plain:
        if fault := _character_fault(character):
            return fault
    if plain == name and not any(_is_visible(each) for each in name):
        return "Send a name with at least one visible character."
    return None


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in _BLANK


def _character_fault(character: str) -> str | None:
    category = unicodedata.category(character)
    if category in _HIDDEN or character in "\ufe0e\ufe0f":
        kind = _HIDDEN.get(category, "format")
    elif category in _UNKNOWN:
        kind = "unassigned or private"
    else:
        return None
    return f"Leave out the {kind} character U+{ord(character):04X}; a name is one printed line."
