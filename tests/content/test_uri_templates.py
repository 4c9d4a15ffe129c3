"""URI templates: what expands matches back, at all four levels, and no search takes long."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.bounds import bound

from prowess.content.uri_template import BadTemplate, parse
from prowess.content.uris import default_uri, normal

# Values that RFC 6570's own examples use, and others that have to be percent-encoded.
PLAIN = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
KEYS = st.from_regex(r"[a-z]{1,4}", fullmatch=True).filter(lambda key: key not in ("x", "y", "z"))
LISTS = st.lists(PLAIN, min_size=2, max_size=3)


def matches_back(template: str, values: dict[str, Any]) -> None:
    parsed = parse(template)
    uri = parsed.expand(values)
    assume(len(uri) < 4_000)
    assert parsed.match(uri) == values, uri


@pytest.mark.parametrize(
    "template",
    [
        *("a:{x}", "a:b/{x}/c", "a:{/x}", "a:{;x}", "a:{?x}", "a:b?k=1{&x}"),
        *("a:{x}/{y}", "a:{x,y}", "a:{/x,y}", "a:{;x,y}", "a:{?x,y}", "a:{/x}{?y}", "a:{x}{/y}{;z}"),
    ],
)
@settings(max_examples=max(15, settings().max_examples // 4))
@given(x=PLAIN, y=PLAIN, z=PLAIN)
def test_texts_come_back_at_levels_one_to_three(template: str, x: str, y: str, z: str) -> None:
    wanted = {"x": x, "y": y, "z": z}
    matches_back(template, {name: wanted[name] for name in parse(template).variables})


@pytest.mark.parametrize("template", ["a:{+x}", "a:b/{+x}", "a:{#x}", "a:{.x}"])
@settings(max_examples=max(15, settings().max_examples // 4))
@given(x=st.text("abc/?=&;:@!$()*+,.-_~é 认", min_size=1, max_size=12))
def test_what_is_reserved_comes_back_where_it_is_kept(template: str, x: str) -> None:
    matches_back(template, {"x": x})


@pytest.mark.parametrize(
    "template", ["a:{x*}", "a:{/x*}", "a:{;x*}", "a:{?x*}", "a:{/x}", "a:{;x}", "a:{?x}"]
)
@settings(max_examples=max(15, settings().max_examples // 4))
@given(x=LISTS)
def test_lists_come_back_at_level_four(template: str, x: list[str]) -> None:
    matches_back(template, {"x": x})


@pytest.mark.parametrize("template", ["a:{x*}", "a:{/x*}", "a:{;x*}", "a:{?x*}", "a:{.x*}"])
@settings(max_examples=max(15, settings().max_examples // 4))
@given(x=st.dictionaries(KEYS, st.from_regex(r"[a-z0-9 é/]{1,5}", fullmatch=True), min_size=1, max_size=3))
def test_mappings_come_back_at_level_four(template: str, x: dict[str, str]) -> None:
    matches_back(template, {"x": x})


@given(x=PLAIN, length=st.integers(1, 9))
def test_a_prefix_is_what_comes_back_of_a_longer_value(x: str, length: int) -> None:
    template = parse(f"a:{{x:{length}}}/{{x}}")
    assert template.match(template.expand({"x": x})) == ({"x": x} if len(x) <= length else None)
    alone = parse(f"a:{{x:{length}}}")
    assert alone.match(alone.expand({"x": x})) == {"x": x[:length]}


@given(text=st.text('abc:/{}+#./;?&*,=!@|0123 %"é', max_size=16), uri=st.text(max_size=16))
def test_any_text_is_a_template_or_none_and_matches_without_a_fault(text: str, uri: str) -> None:
    try:
        template = parse(text)
    except BadTemplate:
        return
    found = template.match(uri)
    if found:
        assert set(found) <= set(template.variables)


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("a:{x}", "a:", {}),
        ("a:{x}", "a:b/c", None),
        ("a:{x}", "a:b?c", None),
        ("a:{x}", "b:c", None),
        ("a:{x}", "a:%ff", None),
        ("a:{x}", "A:caf%c3%a9", {"x": "café"}),
        ("a:{x}", "a:认证", {"x": "认证"}),
        ("a:/é/{x}", "a:/%C3%A9/b", {"x": "b"}),
        ("a:{x}-{y}", "a:1-2-3", {"x": "1-2", "y": "3"}),
        ("a:{x}{y}", "a:%E8%AE%A4", {"x": "认"}),
        ("a:{x}8", "a:%E8", None),
        ("a:{?x,y}", "a:?y=2&x=1", {"x": "1", "y": "2"}),
        ("a:{?x}", "a:?x=1&x=2", None),
        ("a:{?x}", "a:?z=1", None),
        ("a:{?x}", "a:", {}),
        ("a:{;x}", "a:;x", {"x": ""}),
        ("a:{x}/{x}", "a:1/1", {"x": "1"}),
        ("a:{x}/{x}", "a:1/2", None),
        ("a:{x,y}", "a:1", {"x": "1"}),
        ("a:{x,y}", "a:1,2,3", None),
        ("a:{x,y*}", "a:1,2,3", {"x": "1", "y": ["2", "3"]}),
        ("a:{+x,y}", "a:1,2/3,4", {"x": "1", "y": "2/3,4"}),
        ("a:{?x*,y}", "a:?k=v&y=1", {"x": {"k": "v"}, "y": "1"}),
        ("a:{?x*}", "a:?x=1&k=v", None),
        ("a:{x*}", "a:1,k=v", None),
        ("a:{?x*,y*}", "a:?k=v", None),
    ],
)
def test_a_uri_fits_or_does_not(template: str, uri: str, values: dict[str, Any] | None) -> None:
    assert parse(template).match(uri) == values


@pytest.mark.parametrize(
    "text",
    [
        *("a:{", "a:}", "a:{}", "a:{x", "a:{{x}}", "a:{=x}", "a:{|x}", "a:{x:0}", "a:{x:10000}", "a:{x**}"),
        *("a:{x,}", "a:{x y}", "a:{é}", "a: {x}", "a:<{x}>", "a:%zz{x}", "a:{x.}", "a:" + "{x}" * 33),
    ],
)
def test_what_is_no_template_is_refused(text: str) -> None:
    with pytest.raises(BadTemplate):
        parse(text)


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("a:{a}-{b}-{c}-{d}-{e}!", "a:" + "-" * 4_000),
        ("a:{+a}{+b}{+c}{+d}!!", "a:" + "!" * 4_000 + "x"),
        ("a:{a}{b}{c}{d}{e}{f}/", "a:" + "b" * 4_000),
    ],
)
def test_a_search_ends_soon_whatever_it_is_given(template: str, uri: str) -> None:
    parsed = parse(template)
    begun = time.monotonic()
    parsed.match(uri)
    assert time.monotonic() - begun < bound(2)


@given(st.text(max_size=30))
def test_the_normal_form_of_a_uri_is_normal(text: str) -> None:
    assert normal(normal(text)) == normal(text)


def test_a_percent_sign_that_encodes_nothing_is_encoded_itself() -> None:
    assert normal("a:100%") == normal("a:100%25") == "a:100%25"


@pytest.mark.parametrize(
    ("folder", "path", "uri"),
    [
        ("guides", "api.md", "embedded:guide/api"),
        ("guides", "v2/errors.MD", "embedded:guide/v2/errors"),
        ("handbook", "logo.png", "embedded:handbook/logo.png"),
        ("class", "a b.md", "embedded:class/a%20b"),
        ("手册", "认证.md", "embedded:%E6%89%8B%E5%86%8C/%E8%AE%A4%E8%AF%81"),
        ("s", "x.md", "embedded:s/x"),
    ],
)
def test_a_file_has_a_uri_by_its_folder_and_its_path(folder: str, path: str, uri: str) -> None:
    assert default_uri(folder, path) == uri
