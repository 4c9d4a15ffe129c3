"""The public suite's case ids and the tests here, held against each other in both directions."""

from __future__ import annotations

from tests.conformance.ids import CASE_IDS
from tests.requirements.markers import named


def test_the_suite_has_56_cases() -> None:
    assert len(CASE_IDS) == 56


def test_every_case_is_re_created_by_a_test() -> None:
    missing = sorted(CASE_IDS - set(named("conformance")))
    assert not missing, f"no test carries @pytest.mark.conformance for {missing}"


def test_no_test_names_a_case_that_the_suite_does_not_have() -> None:
    unknown = {each: places for each, places in named("conformance").items() if each not in CASE_IDS}
    assert not unknown, f"not in tests/conformance/ids.py: {unknown}"
