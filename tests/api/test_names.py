import pytest

from service.api.names import name_fault, tidy

GOOD = {
    "plain": "Ann",
    "forty": "x" * 40,
    "other scripts": "Łukasz 李小龍 Ωmega",
    "an emoji": "😀",
    "a family": "👨\u200d👩\u200d👧",
    "a heart": "❤\ufe0f",
    "a skin tone and a job": "👩🏽\u200d🚀",
    "a flag": "🇪🇺",
    "a flag spelt with tags": "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "a keycap": "7\ufe0f\u20e3",
    "a shaken head": "🙂\u200d↔\ufe0f",
    "an emoji newer than Unicode 14": "\U0001fae8",
    "markup, which is text": "<b>Ann</b>",
}
BAD = {
    "nothing": "",
    "forty-one": "x" * 41,
    "NUL": "A\x00nn",
    "a line feed": "A\nnn",
    "DEL": "A\x7fnn",
    "a C1 control": "A\x85nn",
    "a line separator": "A\u2028nn",
    "a paragraph separator": "A\u2029nn",
    "a direction override": "A\u202enn",
    "an isolate": "A\u2066nn",
    "a zero-width space": "A\u200bnn",
    "a joiner outside an emoji": "A\u200dnn",
    "a joiner after an emoji": "😀\u200d",
    "a soft hyphen": "A\u00adnn",
    "a variation selector after a letter": "A\ufe0f",
    "tags without a flag": "A\U000e0067\U000e007f",
    "a private character": "A\ue000",
    "an unassigned character": "A\u0378",
    "a byte order mark": "A\ufeffnn",
    "nothing visible": "\u0301",
}


@pytest.mark.parametrize("case", GOOD)
def test_a_printed_name_is_taken(case: str) -> None:
    assert name_fault(tidy(GOOD[case])) is None


@pytest.mark.parametrize("case", BAD)
def test_a_name_that_is_not_one_printed_line_is_refused(case: str) -> None:
    assert name_fault(tidy(BAD[case]))


def test_a_name_is_trimmed_and_composed() -> None:
    assert tidy("  Jose\u0301\n") == "José"
