"""Field to test and test to field, both enforced."""

from __future__ import annotations

from tests.acceptance.fields import every
from tests.requirements.markers import named


def test_every_field_is_shown_at_work_by_a_test() -> None:
    idle = sorted(every() - set(named("field")))
    assert not idle, f"no test carries @pytest.mark.field for {idle}"


def test_no_test_names_a_field_that_there_is_not() -> None:
    unknown = {each: places for each, places in named("field").items() if each not in every()}
    assert not unknown, f"neither in prowess.toml nor in a tool: {unknown}"
