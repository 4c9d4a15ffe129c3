"""What changes at a server is heard, in either era, by those who want to know and while they do."""

from __future__ import annotations

import time

import pytest
from tests.link.probing import until
from tests.link.relaying import Hearing, Talk, do, state

from prowess.link import listening
from prowess.provider import Change

pytestmark = pytest.mark.anyio

ERAS = ["modern", "legacy"]
TOOLS = Change(server="talker", kind="tools")


@pytest.mark.parametrize("era", ERAS)
async def test_a_list_that_changed_is_asked_for_again_before_anybody_is_told(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    seen: list[list[str]] = []
    hearing = Hearing()
    link.listen(hearing)
    link.listen(lambda _: seen.append([tool.name for tool in link.offer().tools]))
    if era == "modern":
        await until(lambda: talk.heard("subscriptions/listen"))
    prompts = link.offer().prompts
    await do(link, "add", name="more")
    assert await hearing.next() == TOOLS
    assert seen == [["do", "more"]]
    assert link.offer().prompts is prompts  # only what changed is another object
    assert not hearing.changes


@pytest.mark.parametrize("era", ERAS)
async def test_a_burst_is_one_change(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    hearing = Hearing()
    link.listen(hearing)
    if era == "modern":
        await until(lambda: len(talk.heard("tools/list")) == 2)  # once more, for what was missed meanwhile
    before = len(talk.heard("tools/list"))
    await do(link, "add", name="more", times=50)
    assert await hearing.next() == TOOLS
    await do(link, "touch", uri="talk://nobody-asked")
    await state(link)
    assert len(talk.heard("tools/list")) == before + 1 and not hearing.changes


@pytest.mark.parametrize("era", ERAS)
async def test_resources_are_watched_while_somebody_wants_to_know(talk: Talk, era: str) -> None:
    link = talk.link(era)
    await link.open()
    one, two = Hearing(), Hearing()
    end = link.listen(one, ["talk://a"])
    link.listen(two)
    method = "subscriptions/listen" if era == "modern" else "resources/subscribe"
    await until(lambda: talk.heard(method))
    await do(link, "touch", uri="talk://a/part")
    assert await one.next() == Change(server="talker", kind="resource", uri="talk://a/part")
    await do(link, "add", name="more")
    assert await two.next() == await one.next() == TOOLS and not two.changes
    end()
    if era == "legacy":
        await until(lambda: talk.heard("resources/unsubscribe"))
        assert (await state(link))["subscribed"] == []
    await do(link, "touch", uri="talk://a")
    await do(link, "add", name="and-more")
    assert await two.next() == TOOLS and not one.changes


async def test_the_server_is_listened_to_only_while_somebody_does(talk: Talk) -> None:
    link = talk.link("modern")
    await link.open()
    await state(link)
    assert talk.heard("subscriptions/listen") == []
    end = link.listen(Hearing())
    await until(lambda: talk.heard("subscriptions/listen"))
    end()
    end()
    await until(lambda: talk.heard("notifications/cancelled"))
    assert len(talk.heard("subscriptions/listen")) == 1


async def test_a_stream_that_ends_is_opened_again_and_what_was_missed_is_told(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "BACKOFF_SECONDS", (0.01, 0.01))
    link = talk.link("modern")
    await link.open()
    hearing = Hearing()
    link.listen(hearing)
    await until(lambda: len(talk.heard("tools/list")) == 2)
    await do(link, "end-listens", name="unsaid")
    assert await hearing.next() == TOOLS
    assert [tool.name for tool in link.offer().tools] == ["do", "unsaid"]
    assert len(talk.heard("subscriptions/listen")) == 2


async def test_a_server_that_cannot_be_listened_to_is_not_asked_again(talk: Talk) -> None:
    link = talk.link("modern", "no-listen")
    await link.open()
    hearing = Hearing()
    link.listen(hearing)
    await until(lambda: talk.heard("subscriptions/listen"))
    await state(link)
    assert link.offer().status == "connected" and len(talk.heard("subscriptions/listen")) == 1


@pytest.mark.parametrize("era", ERAS)
async def test_a_server_that_comes_back_with_other_lists_has_changed(talk: Talk, era: str) -> None:
    link = talk.link(era)
    hearing = Hearing()
    link.listen(hearing)
    await link.open()
    await do(link, "add", name="more")
    assert await hearing.next() == TOOLS
    await do(link, "crash")
    assert await hearing.next() == TOOLS  # the new process knows nothing of `more`
    assert [tool.name for tool in link.offer().tools] == ["do"]
    if era == "modern":
        await until(lambda: len(talk.heard("subscriptions/listen")) == 2)
    await do(link, "add", name="again")
    assert await hearing.next() == TOOLS
    await link.close()
    await link.open()
    assert await hearing.next() == TOOLS


async def test_a_change_from_before_anybody_listened_is_not_lost(talk: Talk) -> None:
    link = talk.link("legacy")
    await link.open()
    await do(link, "add", name="more")
    hearing = Hearing()
    link.listen(hearing)
    assert await hearing.next() == TOOLS
    assert [tool.name for tool in link.offer().tools] == ["do", "more"]


async def test_a_list_that_cannot_be_had_any_more_stays_as_it_was(talk: Talk) -> None:
    link = talk.link("legacy")
    await link.open()
    hearing = Hearing()
    link.listen(hearing)
    await do(link, "add", name="broken")
    await hearing.next()
    assert [tool.name for tool in link.offer().tools] == ["do"]
    assert link.offer().notes == ("tools/list failed: no list today",)


async def test_a_server_that_changes_now_and_then_is_asked_at_once_each_time() -> None:
    pause = listening.SETTLE_SECONDS
    for _ in range(20):
        pause = listening.next_pause(pause, quiet=0.5)
    assert pause == listening.SETTLE_SECONDS


async def test_a_server_that_came_to_rest_is_asked_at_once_again() -> None:
    pause = listening.SETTLE_SECONDS
    for _ in range(20):
        pause = listening.next_pause(pause, quiet=0)
    assert pause == listening.SETTLE_MOST
    assert listening.next_pause(pause, quiet=listening.CALM_SECONDS) == listening.SETTLE_SECONDS


async def test_a_server_that_never_rests_is_asked_more_and_more_seldom(talk: Talk) -> None:
    link = talk.link("legacy")
    await link.open()
    link.listen(Hearing())
    begun = time.monotonic()
    await do(link, "add", name="restless")
    await until(lambda: len(talk.heard("tools/list")) == 6)
    assert time.monotonic() - begun >= listening.SETTLE_SECONDS * (1 + 2 + 4 + 8)
