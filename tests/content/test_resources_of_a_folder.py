"""Resources: any file under its URI, text as text and the rest in base64, and nothing from outside."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest
from tests.content.conftest import Asked, Folder, run

from prowess.content.files import RESOURCE_BYTES
from prowess.content.media_types import is_text, media_type
from prowess.content.provider import ContentProvider
from prowess.errors import RequestFailed
from prowess.source.memory import Content, Link

FULL = """---
uri: embedded:guide/api
name: api
title: 接口指南
description: How to use the API.
mimeType: text/x-api
annotations:
  audience: [user, assistant]
  priority: 0.5
  lastModified: 2026-11-30T12:00:00Z
---
# API

正文
"""


def test_a_markdown_file_says_all_that_the_protocol_knows_of_a_resource() -> None:
    asked = Asked({"resources/x.md": FULL})
    assert [each.wire for each in asked.offer.resources] == [
        {
            "uri": "embedded:guide/api",
            "name": "api",
            "title": "接口指南",
            "description": "How to use the API.",
            "mimeType": "text/x-api",
            "size": len("# API\n\n正文\n".encode()),
            "annotations": {
                "audience": ["user", "assistant"],
                "priority": 0.5,
                "lastModified": "2026-11-30T12:00:00Z",
            },
        }
    ]
    assert asked.read("embedded:guide/api") == {
        "uri": "embedded:guide/api",
        "mimeType": "text/x-api",
        "text": "# API\n\n正文\n",
    }


def test_a_file_without_frontmatter_is_served_whole_under_its_path() -> None:
    asked = Asked({"resources/v2/errors.md": "# Errors\n"})
    assert [each.wire for each in asked.offer.resources] == [
        {"uri": "embedded:guide/v2/errors", "name": "v2/errors", "mimeType": "text/markdown", "size": 9}
    ]
    assert asked.read("embedded:guide/v2/errors")["text"] == "# Errors\n"


def test_bytes_are_served_in_base64_under_their_media_type() -> None:
    picture = bytes(range(256))
    asked = Asked({"resources/logo.png": picture})
    assert asked.offer.resources[0].wire["size"] == 256
    content = asked.read("embedded:guide/logo.png")
    assert content["mimeType"] == "image/png"
    assert base64.b64decode(content["blob"]) == picture
    assert "text" not in content


@pytest.mark.parametrize(
    ("name", "type", "text"),
    [
        ("a.json", "application/json", True),
        ("a.yaml", "application/yaml", True),
        ("a.svg", "image/svg+xml", True),
        ("a.csv", "text/csv", True),
        ("a.pdf", "application/pdf", False),
        ("a.tar.gz", "application/gzip", False),
        ("a.webp", "image/webp", False),
        ("a.unheard-of", "application/octet-stream", False),
        ("a", "application/octet-stream", False),
        ("认证.md", "text/markdown", True),
    ],
)
def test_a_name_means_a_media_type_on_every_machine(name: str, type: str, text: bool) -> None:
    assert (media_type(name), is_text(type)) == (type, text)


def test_text_in_another_encoding_is_served_as_its_bytes() -> None:
    asked = Asked({"resources/a.txt": "认证".encode("gb18030")})
    assert base64.b64decode(asked.read("embedded:guide/a.txt")["blob"]).decode("gb18030") == "认证"


@pytest.mark.parametrize(
    "uri", ["embedded:guide/认证", "embedded:guide/%E8%AE%A4%E8%AF%81", "EMBEDDED:guide/%e8%ae%a4%e8%af%81"]
)
def test_a_uri_in_any_script_is_found_in_both_ways_of_writing_it(uri: str) -> None:
    asked = Asked({"resources/认证.md": "正文"})
    assert asked.offer.resources[0].uri == "embedded:guide/%E8%AE%A4%E8%AF%81"
    assert asked.read(uri) == {"uri": uri, "mimeType": "text/markdown", "text": "正文"}


def test_an_unknown_resource_is_refused_with_the_nearest() -> None:
    asked = Asked({"resources/api.md": "x", "resources/errors.md": "y"})
    refused = asked.refused("resources/read", uri="embedded:guide/apis")
    assert refused.number == -32602
    assert refused.data == {"uri": "embedded:guide/apis", "nearest": ["embedded:guide/api"]}


@pytest.mark.parametrize("uri", [None, 7, "", "x" * 10_000, "embedded:guide/../api", "\ud800"])
def test_what_is_no_uri_of_ours_is_an_unknown_resource(uri: object) -> None:
    assert Asked({"resources/api.md": "x"}).refused("resources/read", uri=uri).number == -32602


def test_hidden_files_and_what_editors_leave_are_not_served() -> None:
    files: dict[str, Content] = {
        "resources/.env": "KEY=1",
        "resources/.git/config": "x",
        "resources/a.md~": "x",
        "resources/b.md": "x",
        "resources/link": Link(".env"),
        "resources/out": Link("../../secret"),
    }
    asked = Asked(files)
    assert [each.name for each in asked.offer.resources] == ["b", "link"]  # links are judged on a disk
    assert any("resources/out" in each for each in asked.offer.notes)


def test_nothing_outside_the_folder_and_nothing_hidden_is_served_through_links(
    guides: Folder, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("secret")
    guides.write(".env", "secret")
    guides.write("resources/inner/deep.md", "deep")
    for name, target in (
        ("out.md", tmp_path / "secret.md"),
        ("up.md", Path("../../secret.md")),
        ("hidden.txt", Path("../.env")),
        ("gone.md", Path("nowhere.md")),
        ("loop", Path("loop")),
        ("outside", tmp_path),
        ("again", Path("inner")),
        ("same.md", Path("inner/deep.md")),
    ):
        os.symlink(target, guides.root / "resources" / name)
    os.mkfifo(guides.root / "resources" / "pipe.md")
    provider = ContentProvider([str(guides.root)])
    offer = run(provider.open())
    assert [each.name for each in offer.resources] == ["api", "inner/deep", "same"]
    assert {note.partition(":")[0].rpartition("/")[2] for note in offer.notes} == {
        *("out.md", "up.md", "hidden.txt", "gone.md", "loop", "outside", "again", "pipe.md")
    }


def test_a_file_that_becomes_a_link_to_the_outside_is_served_no_more(guides: Folder, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    provider = ContentProvider([str(guides.root)])
    run(provider.open())
    (guides.root / "resources" / "api.md").unlink()
    os.symlink(tmp_path / "secret.md", guides.root / "resources" / "api.md")
    with pytest.raises(RequestFailed) as raised:
        run(provider.ask("resources/read", {"uri": "embedded:guide/api"}))
    assert raised.value.number == -32602


def test_a_file_over_the_bound_is_told_and_not_offered(guides: Folder) -> None:
    with open(guides.root / "resources" / "huge.bin", "wb") as file:
        file.truncate(RESOURCE_BYTES + 1)
    guides.write("resources/huge.md", b"x" * ((1 << 20) + 1))
    offer = run(ContentProvider([str(guides.root)]).open())
    assert [each.name for each in offer.resources] == ["api"]
    assert len(offer.notes) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="needs a user who may not read everything")
def test_a_file_without_permission_costs_itself_alone(guides: Folder) -> None:
    guides.write("resources/locked.md", "x").chmod(0)
    offer = run(ContentProvider([str(guides.root)]).open())
    assert [each.name for each in offer.resources] == ["api"]


def test_a_file_that_is_broken_since_it_was_read_is_an_error_of_ours(guides: Folder) -> None:
    provider = ContentProvider([str(guides.root)])
    run(provider.open())
    guides.write("resources/api.md", "---\nopen")
    with pytest.raises(RequestFailed) as raised:
        run(provider.ask("resources/read", {"uri": "embedded:guide/api"}))
    assert raised.value.number == -32603


def test_a_uri_may_be_given_once_and_the_first_file_has_it() -> None:
    asked = Asked({"resources/a.md": "A", "resources/b.md": "---\nuri: Embedded:guide/%61\n---\nB"})
    assert asked.read("embedded:guide/a")["text"] == "A"
    assert len(asked.offer.notes) == 1


def test_two_folders_are_one_server(tmp_path: Path) -> None:
    for name in ("guides", "handbook"):
        Folder(tmp_path / name).write("resources/api.md", name)
    provider = ContentProvider([str(tmp_path / "guides"), str(tmp_path / "handbook"), str(tmp_path / "none")])
    offer = run(provider.open())
    assert [each.uri for each in offer.resources] == ["embedded:guide/api", "embedded:handbook/api"]
    assert offer.status == "connected"
    assert len(offer.notes) == 1


def test_folders_that_hold_nothing_are_a_failed_server(tmp_path: Path) -> None:
    offer = run(ContentProvider([str(tmp_path)]).open())
    assert (offer.status, offer.reason_code) == ("failed", "unreadable")
