"""Changes: who listens hears what changed, and nothing else; on the disk by events and by looking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from tests.content.conftest import ANALYZE, Folder, run

from prowess.content.memory import MemoryContent
from prowess.content.provider import ContentProvider
from prowess.provider import Change

API = "embedded:guide/api"
FILES = {
    "prompts/analyze.md": ANALYZE,
    "resources/api.md": "# API\n",
    "templates/s.md": "---\nuriTemplate: embedded:guide/s/{section}\n---\n",
    "templates/s/errors.md": "Errors",
    "templates/t.md": "---\nuriTemplate: embedded:city/{name}\ntable: cities.csv\n---\n",
    "templates/cities.csv": "name,text\nParis,Hello\n",
}


class Told(list[tuple[str, str]]):
    """The kind and URI of every change that was heard; wakes who waits for one."""

    def __init__(self) -> None:
        self.event = asyncio.Event()

    async def until(self, change: tuple[str, str], write: Callable[[int], object]) -> None:
        """Write until it is heard: a watcher needs a moment until it sees anything."""
        for number in range(100):
            self.event.clear()
            write(number)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.event.wait(), 0.2)
            if change in self:
                return
        raise AssertionError("nothing was heard")


@contextmanager
def hearing(provider: ContentProvider, *uris: str) -> Iterator[Told]:
    heard = Told()

    def hear(change: Change) -> None:
        assert change.server == provider.label
        heard.append((change.kind, change.uri))
        heard.event.set()

    end = provider.listen(hear, uris)
    yield heard
    end()


@pytest.mark.parametrize(
    ("path", "content", "heard"),
    [
        ("prompts/new.md", "---\nname: new\n---\nDo it.", [("prompts", "")]),
        ("prompts/analyze.md", ANALYZE.replace("title: Analyse", "title: Other"), [("prompts", "")]),
        ("prompts/analyze.md", ANALYZE + "More.", []),  # the list says the same of it
        ("resources/new.md", "x", [("resources", "")]),
        ("resources/api.md", "# ABC\n", [("resource", API)]),
        ("resources/api.md", "# Longer\n", [("resources", ""), ("resource", API)]),
        ("templates/s/errors.md", "Other", [("resource", "embedded:guide/s/errors")]),
        ("templates/s/new.md", "Other", []),
        ("templates/cities.csv", "name,text\nParis,Bonjour\n", [("resource", "embedded:city/Paris")]),
        (
            "templates/s.md",
            FILES["templates/s.md"].replace("---\nu", "---\ntitle: T\nu"),
            [("resources", "")],
        ),
        ("prompts/bad.md", "no frontmatter", []),
        ("other.txt", "x", []),
    ],
)
def test_a_change_is_told_as_what_it_changes(path: str, content: str, heard: list[tuple[str, str]]) -> None:
    async def work() -> list[tuple[str, str]]:
        provider = MemoryContent(FILES)
        await provider.open()
        with hearing(provider, API, "embedded:guide/s/errors", "embedded:city/Paris") as told:
            await provider.put(path, content)
        return told

    assert run(work()) == heard


def test_what_is_gone_is_a_change_of_its_list_and_of_itself() -> None:
    async def work() -> None:
        provider = MemoryContent(FILES)
        await provider.open()
        with hearing(provider, API) as told:
            await provider.remove("resources/api.md")
            assert told == [("resources", ""), ("resource", API)]
            await provider.remove("resources/api.md")
            assert len(told) == 2
            await provider.put("resources/api.md", "again")
            assert told[2:] == [("resources", ""), ("resource", API)]

    run(work())


def test_the_offer_shows_the_new_list_when_it_is_told_and_keeps_the_others() -> None:
    async def work() -> None:
        provider = MemoryContent(FILES)
        before = await provider.open()
        seen: list[Any] = []
        provider.listen(lambda change: seen.append(provider.offer()))
        await provider.put("prompts/new.md", "---\nname: new\n---\nDo it.")
        assert [each.name for each in seen[0].prompts] == ["analyze-report", "new"]
        assert seen[0].resources is before.resources
        assert seen[0].templates is before.templates

    run(work())


def test_who_stopped_listening_hears_nothing() -> None:
    async def work() -> None:
        provider = MemoryContent(FILES)
        await provider.open()
        with hearing(provider) as told:
            pass
        await provider.put("prompts/new.md", "---\nname: new\n---\nDo it.")
        assert told == []

    run(work())


def test_a_subscription_is_answered_where_there_is_such_a_resource() -> None:
    async def work() -> None:
        provider = MemoryContent(FILES)
        await provider.open()
        for uri in (API, "embedded:guide/s/errors", "embedded:city/Paris"):
            assert await provider.ask("resources/subscribe", {"uri": uri}) == {}
            assert await provider.ask("resources/unsubscribe", {"uri": uri}) == {}
        for uri in ("embedded:guide/none", "embedded:guide/s/none", "embedded:city/Rome"):
            with pytest.raises(Exception) as raised:
                await provider.ask("resources/subscribe", {"uri": uri})
            assert getattr(raised.value, "number", None) == -32602
        assert await provider.ask("resources/unsubscribe", {"uri": "embedded:gone"}) == {}

    run(work())


@pytest.mark.parametrize("events", [True, False], ids=["events", "looking"])
def test_a_folder_is_read_again_while_it_is_served(guides: Folder, events: bool) -> None:
    async def work() -> None:
        reports: list[Any] = []
        provider = ContentProvider(
            [str(guides.root)],
            watch=True,
            events=events,
            poll=0.02,
            report=lambda event, **said: reports.append((event, said["changed"])),
        )
        offer = await provider.open()
        assert offer.capabilities["resources"] == {"subscribe": True, "listChanged": True}
        try:
            with hearing(provider, API) as told:
                await told.until(("resource", API), lambda n: guides.write("resources/api.md", f"# {n}"))
                assert (await provider.ask("resources/read", {"uri": API}))["contents"][0]["text"].startswith(
                    "# "
                )
                await told.until(
                    ("prompts", ""),
                    lambda n: guides.write("prompts/new.md", f"---\ntitle: T{n}\n---\nDo it."),
                )
                assert [each.name for each in provider.offer().prompts] == ["analyze-report", "new"]
            assert ("content-changed", ["prompts"]) in reports
        finally:
            await provider.close()
        assert provider.offer().status == "not-started"

    run(work())


def test_a_folder_that_is_not_watched_declares_no_changes(guides: Folder) -> None:
    offer = run(ContentProvider([str(guides.root)]).open())
    assert offer.capabilities["prompts"] == {"listChanged": False}


def test_without_watchfiles_the_times_of_the_files_are_looked_at(
    guides: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "watchfiles", None)

    async def work() -> None:
        provider = ContentProvider([str(guides.root)], watch=True, poll=0.02)
        await provider.open()
        try:
            with hearing(provider) as told:
                await told.until(("resources", ""), lambda n: guides.write("resources/new.md", "x" * n))
        finally:
            await provider.close()

    run(work())


def test_closing_twice_and_closing_before_opening_leaves_nothing(guides: Folder) -> None:
    async def work() -> None:
        provider = ContentProvider([str(guides.root)], watch=True)
        await provider.close()
        await provider.open()
        await provider.close()
        await provider.close()
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    run(work())
