"""Names: shown as typed when harmless, refused when hidden, endless or a look-alike."""

import pytest

from service.values import names
from service.values.errors import Invalid

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "name",
    [
        "Rita",
        "Zoë",
        "李雷",
        "عمر",
        "Voß",
        "Lefèvre",
        "O'Neill",
        "Anna-Lena",
        "St. Pierre",
        "Dr. No",
        FAMILY,
        "x" * 32,
        FAMILY * 32,
        "=HYPERLINK(1)",
        "<b>x</b>",
        "नमस्ते",
    ],
)
def test_a_name_is_kept_as_typed(name: str) -> None:
    assert names.clean(name, "name") == name


def test_a_name_is_brought_to_one_spelling() -> None:
    assert names.clean("Zoe\u0308", "name") == "Zoë"
    assert names.clean("  Rita ", "name") == "Rita"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("\u0301", "empty"),
        ("\u200b" * 15, "hidden"),
        ("Ri\u200bta", "hidden"),
        ("Ri\u00adta", "hidden"),
        ("Ri\u200dta", "hidden"),
        ("\u202eatiR", "hidden"),
        ("\u2067Rita\u2069", "hidden"),
        ("x\r\nBcc: y@example.org", "hidden"),
        ("Ri\tta", "hidden"),
        ("Ri\u2028ta", "hidden"),
        ("Ri\u00a0ta", "hidden"),
        ("\ud800", "hidden"),
        ("\x00", "hidden"),
        ("\ue000", "hidden"),
        ("x" * 33, "too-long"),
        ("x" * 300, "too-long"),
        ("x" + "\u0301" * 400, "too-long"),
        ("https://evil.example", "link"),
        ("www.evil", "link"),
        ("evil.example", "link"),
        ("win at evil.com now", "link"),
        ("rita@example.org", "link"),
        ("evil.com:80/x", "link"),
        ("evil.com?x", "link"),
        ("evil。com", "link"),
        ("ｅｖｉｌ．ｃｏｍ", "link"),
        ("evil.xn--p1ai", "link"),
        ("10.0.0.1:80", "link"),
        ("=?l1?q?=0D=0AX=3Ay?=", "link"),
        ("=?utf-8?b?WA==?=", "link"),
        ("Anna\u3164", "hidden"),
        ("\u115fAnna", "hidden"),
        ("An\u2800na", "hidden"),
        ("Anna\ufe00", "hidden"),
    ],
)
def test_a_name_that_deceives_or_does_not_fit_is_refused(
    name: str, reason: str
) -> None:
    with pytest.raises(Invalid) as refused:
        names.clean(name, "seats.2.name")

    facts = {"field": "seats.2.name", "reason": reason}
    most = {"max": 32} if reason == "too-long" else {}
    assert refused.value.facts == facts | most


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rita", "Rіta"),
        ("Rita", "RITA"),
        ("Rita", "rita"),
        ("Rita", "R i t a"),
        ("Rita", "Ri-ta"),
        ("Rita", "Ríta"),
        ("Paul", "Раul"),
        ("Odo", "0d0"),
        ("Rita", "Ｒｉｔａ"),
        ("Zoë", "Zoe\u0308"),
        ("Ivan", "lvan"),
        ("Ali", "A1i"),
        ("Rita", "Rıta"),
        ("Harry", "Ηarry"),
        ("Nina", "Νina"),
        ("Yves", "Υves"),
        ("Olga", "Øłɡɑ"),
        ("Kurt", "кuгt"),
        ("Rita", "ꓣita"),
        ("Odo", "Օdօ"),
        ("Elena", "Ёlеnа"),
    ],
)
def test_names_that_a_quick_eye_takes_for_each_other_read_the_same(
    one: str, other: str
) -> None:
    assert names.skeleton(one) == names.skeleton(other)


def test_different_names_read_differently() -> None:
    people = [
        "Rita",
        "Rite",
        "Rachel",
        "Simon",
        "Simone",
        "李雷",
        "李",
        "عمر",
        "Anna 2",
    ]

    assert len({names.skeleton(name) for name in people}) == len(people)
