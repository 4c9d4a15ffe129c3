"""Keys of frontmatter that are not plain text (YAML 1.2.2, section 7.4.2)."""

from __future__ import annotations

from prowess.spec.frontmatter import Fault, compose


def test_a_key_that_is_a_list_is_refused() -> None:
    found = compose("name: x\n? [a, b]\n: 1\n")
    assert isinstance(found, Fault)
    assert found.rule == "skill-yaml"


def test_a_key_with_an_anchor_is_a_key_all_the_same() -> None:
    found = compose("&a name: x\n")
    assert not isinstance(found, Fault)
