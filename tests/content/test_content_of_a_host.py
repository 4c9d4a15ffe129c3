"""Content through a Host: a folder as PATH, the table of `prowess.toml`, consent, snapshots."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.content.conftest import Folder, run

from prowess import Host, NotFound, PackageRejected, UsageError
from prowess.errors import RequestFailed
from prowess.host.content_folders import RunningCode
from prowess.host.setup import setup_of
from prowess.host.storing import Store
from prowess.provider import Change, Starting

API = "embedded:guide/api"
CODE = "import beside\n\nasync def section(section):\n    return beside.PREFIX + section\n"
SERVED = "---\nuriTemplate: embedded:guide/{section}\nfunction: code.py:section\n---\n"


def opened(path: Path, **settings: Any) -> Any:
    return Host.open(path, store=Store.in_memory(), **settings)


def test_a_folder_of_content_is_a_path(guides: Folder) -> None:
    async def work() -> None:
        async with opened(guides.root) as host:
            [offer] = host.offers
            assert (offer.id, offer.type, offer.status) == ("content", "content", "connected")
            result = await host.ask(
                "content", "prompts/get", {"name": "analyze-report", "arguments": {"report_id": "7"}}
            )
            assert result["messages"][0]["content"]["text"] == "Analyse 7 in ."
            assert (await host.ask("content", "resources/read", {"uri": API}))["contents"][0][
                "text"
            ] == "# API\n"
            with pytest.raises(NotFound):
                await host.call("anything")

    run(work())


def test_a_snapshot_shows_content_and_is_the_same_each_time(guides: Folder) -> None:
    guides.write("prompts/bad.md", "no frontmatter")

    async def work() -> str:
        async with opened(guides.root) as host:
            text: str = host.snapshot().to_json()
            return text

    first = run(work())
    assert first == run(work())
    frozen = json.loads(first)
    assert frozen["plugin"]["name"] == "guides"
    assert frozen["mcpServers"] == [{"id": "content", "type": "content", "status": "connected"}]
    assert [each["server"] for each in frozen["prompts"]] == ["content"]
    assert [each["uri"] for each in frozen["resources"]] == [API]
    assert frozen["skipped"] == [{"what": "prompts/bad.md", "rule": "content-frontmatter"}]


def test_nothing_is_read_where_nothing_is_to_be_started(guides: Folder) -> None:
    async def work() -> None:
        async with opened(guides.root, connect=False) as host:
            assert host.offers == ()

    run(work())


def test_units_come_before_content_and_skills_are_no_content(guides: Folder, tmp_path: Path) -> None:
    assert setup_of(str(guides.root)).content.paths == (str(guides.root),)
    guides.write("greet/SKILL.md", "x")
    assert setup_of(str(guides.root)).content.paths == ()
    guides.write("ask/schema.json", "{}")
    guides.write("ask/skill.py", "")
    assert setup_of(str(guides.root)).units.paths == (str(guides.root),)
    guides.write("plugin.json", "{}")
    assert setup_of(str(guides.root)).plugins == (("", str(guides.root)),)

    async def work() -> None:
        with pytest.raises(PackageRejected):
            async with opened(guides.root):
                raise AssertionError("a plugin without a name")

    run(work())


@pytest.mark.field("content.paths")
def test_a_configuration_names_several_folders_from_where_it_stands(guides: Folder, tmp_path: Path) -> None:
    Folder(tmp_path / "handbook").write("resources/terms.md", "T")
    (tmp_path / "prowess.toml").write_text('format = 1\n[content]\npaths = ["guides", "handbook"]\n')

    async def work() -> None:
        async with opened(tmp_path) as host:
            [offer] = host.offers
            assert [each.uri for each in offer.resources] == [API, "embedded:handbook/terms"]

    run(work())


@pytest.mark.field("content.watch")
@pytest.mark.parametrize("watch", [True, False])
def test_content_is_read_again_unless_it_is_not_watched(guides: Folder, tmp_path: Path, watch: bool) -> None:
    text = "" if watch else "watch = false\n"  # true unless said
    (tmp_path / "prowess.toml").write_text(f'format = 1\n[content]\npaths = ["guides"]\n{text}')

    async def work() -> None:
        lines: list[Mapping[str, Any]] = []
        heard = asyncio.Event()

        def hear(change: Change) -> None:
            heard.set()

        async with opened(tmp_path, sink=lines.append) as host:
            assert host.offers[0].capabilities["prompts"] == {"listChanged": watch}
            host.listen(hear)
            for number in range(40 if watch else 2):
                guides.write("resources/new.md", f"{'x' * number}")
                with suppress(TimeoutError):
                    await asyncio.wait_for(heard.wait(), 0.2)
                    break
            assert heard.is_set() is watch
            assert len(host.offers[0].resources) == (2 if watch else 1)
        assert [each["changed"] for each in lines if each["event"] == "content-changed"][:1] == (
            [["resources"]] if watch else []
        )

    run(work())


def test_content_stands_beside_units_and_plugins(guides: Folder, tmp_path: Path) -> None:
    units = Folder(tmp_path / "units")
    units.write(
        "u.py",
        'from prowess import unit\n\n@unit\nasync def greet() -> str:\n    "Greets."\n    return "hi"\n',
    )
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    Folder(tmp_path / "books").write("plugin.json", json.dumps({"$schema": schema, "name": "books"}))
    text = 'format = 1\n[content]\npaths = ["guides"]\n[units]\npaths = ["units"]\n'
    (tmp_path / "prowess.toml").write_text(text)

    async def work(*expected: str) -> None:
        async with opened(tmp_path) as host:
            assert [each.id for each in host.offers] == list(expected)
            assert [each.name for each in await host.tools()] == ["greet"]

    run(work("content", "units"))
    (tmp_path / "prowess.toml").write_text(f'{text}[plugins]\nbooks = "books"\n')
    run(work("content", "units"))


def test_a_rule_about_content_is_meant_for_something(guides: Folder, tmp_path: Path) -> None:
    text = 'format = 1\n[[policy.rules]]\naction = "deny"\nserver = "content"\n'
    (tmp_path / "prowess.toml").write_text(f'{text}[content]\npaths = ["guides"]\n')

    async def work() -> None:
        async with opened(tmp_path, only=["content"]) as host:
            assert [each.id for each in host.offers] == ["content"]

    run(work())


def test_a_server_of_a_plugin_that_is_called_content_is_refused(guides: Folder) -> None:
    guides.write("../plugin/mcp.json", "{}")
    setup = setup_of(str(guides.root))
    schema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    mcp = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
    guides.write("../plugin/plugin.json", json.dumps({"$schema": schema, "name": "books"}))
    server = {"type": "streamable-http", "url": "https://example.com/mcp"}
    guides.write("../plugin/mcp.json", json.dumps({"$schema": mcp, "mcpServers": {"content": server}}))

    async def work() -> None:
        from dataclasses import replace

        from prowess.host.assembling import Wanted, packages_of

        both = replace(setup, plugins=(("", str(guides.root.parent / "plugin")),))
        with pytest.raises(UsageError):
            await packages_of(both, "spec", Wanted(timeout=1))

    run(work())


def test_a_folder_that_is_not_there_is_an_error_only_where_no_other_is(
    guides: Folder, tmp_path: Path
) -> None:
    async def work(paths: str) -> int:
        (tmp_path / "prowess.toml").write_text(f"format = 1\n[content]\npaths = {paths}\n")
        async with opened(tmp_path) as host:
            return len(host.offers[0].notes)

    assert run(work('["guides", "none"]')) == 1
    with pytest.raises(NotFound):
        run(work('["none"]'))


# -- Python


def test_a_function_is_said_before_it_is_offered_and_runs_with_its_neighbours(guides: Folder) -> None:
    guides.write("templates/section.md", SERVED)
    guides.write("templates/code.py", CODE)
    guides.write("templates/beside.py", "PREFIX = 'on '\n")

    async def work() -> None:
        said: list[Starting] = []
        async with opened(guides.root, on_start=said.append) as host:
            assert [(each.server, each.type) for each in said] == [("content", "content")]
            assert said[0].target == str(guides.root / "templates" / "code.py")
            assert "running in this process" in str(said[0])
            read = await host.ask("content", "resources/read", {"uri": "embedded:guide/errors"})
            assert read["contents"][0]["text"] == "on errors"
            guides.write("templates/beside.py", "PREFIX = 'now on '\n")
            read = await host.ask("content", "resources/read", {"uri": "embedded:guide/errors"})
            assert read["contents"][0]["text"] == "now on errors"
        assert len(said) == 1

    run(work())


def test_a_function_that_nobody_consents_to_is_not_offered(guides: Folder) -> None:
    guides.write("templates/section.md", SERVED)
    guides.write("templates/code.py", "raise SystemExit('it ran')\n\ndef section(section): return section\n")

    def refuse(start: Starting) -> None:
        raise UsageError("not this one")

    async def work() -> None:
        async with opened(guides.root, on_start=refuse) as host:
            [offer] = host.offers
            assert offer.templates == ()
            assert len(offer.notes) == 1
            with pytest.raises(RequestFailed) as raised:
                await host.ask("content", "resources/read", {"uri": "embedded:guide/errors"})
            assert raised.value.number == -32602

    run(work())


def test_code_runs_only_from_files_that_were_agreed_to(guides: Folder) -> None:
    file = str(guides.write("templates/code.py", "def section(section): return section\nOTHER = 1\n"))
    code = RunningCode()
    with pytest.raises(NotFound):
        code.function(file, "section")
    code.agree(file)
    assert code.function(file, "section")("x") == "x"
    for name in ("OTHER", "none"):
        with pytest.raises(NotFound):
            code.function(file, name)
    code.close()
