"""Resource templates: served from a folder, a table, a body or a function."""

from __future__ import annotations

from typing import Any

import pytest
from tests.content.conftest import Asked, Folder, run

from prowess.content.function_values import FunctionValues
from prowess.content.provider import ContentProvider
from prowess.content.scanning import scan
from prowess.errors import RequestFailed
from prowess.source.memory import Content


def template(fields: str, body: str = "", **files: Content) -> Asked:
    named = {f"templates/{name.replace('__', '.')}": each for name, each in files.items()}
    return Asked({"templates/it.md": f"---\n{fields}\n---\n{body}", **named})


def folder(uri: str, *paths: str) -> Asked:
    files: dict[str, Content] = {f"templates/it/{path}": f"<{path}>" for path in paths}
    return Asked({"templates/it.md": f"---\nuriTemplate: {uri}\n---\n", **files})


def test_a_file_becomes_the_protocols_own_template() -> None:
    fields = "uriTemplate: embedded:guide/{section}\nname: section\ntitle: T\ndescription: D"
    asked = template(f"{fields}\nannotations: {{priority: 1}}", "Text of {section}.")
    assert [each.wire for each in asked.offer.templates] == [
        {
            "uriTemplate": "embedded:guide/{section}",
            "name": "section",
            "title": "T",
            "description": "D",
            "annotations": {"priority": 1.0},
            "mimeType": "text/markdown",
        }
    ]


# -- a folder


def test_a_folder_of_the_files_own_name_serves_a_file_for_each_value() -> None:
    asked = folder("embedded:guide/{section}", "errors.md", "限流.md", "table.csv")
    assert asked.read("embedded:guide/errors") == {
        "uri": "embedded:guide/errors",
        "mimeType": "text/markdown",
        "text": "<errors.md>",
    }
    assert asked.read("embedded:guide/限流")["text"] == "<限流.md>"
    assert asked.read("embedded:guide/table.csv")["mimeType"] == "text/csv"
    assert "mimeType" not in asked.offer.templates[0].wire  # they differ


@pytest.mark.parametrize(
    ("uri", "read", "path"),
    [
        ("a:{+path}", "a:v2/errors", "v2/errors.md"),
        ("a:{/path*}", "a:/v2/errors", "v2/errors.md"),
        ("a:{version}/{section}", "a:v2/errors", "v2/errors.md"),
        ("a:{version}{?section}", "a:v2?section=errors", "v2/errors.md"),
        ("a:{section}{?none}", "a:errors", "errors.md"),
    ],
)
def test_variables_are_the_path_of_a_file(uri: str, read: str, path: str) -> None:
    assert folder(uri, path).read(read)["text"] == f"<{path}>"


@pytest.mark.parametrize(
    "uri",
    [
        *(
            "a:../it",
            "a:..%2Fit",
            "a:%2Fetc%2Fpasswd",
            "a:.hidden",
            "a:x/../errors",
            "a:",
            "a:errors%00",
            "a:sub",
        ),
        *("a:.", "a:errors/", "a:./errors", "a:%2E%2E/it"),
    ],
)
def test_no_value_leads_to_another_file(uri: str) -> None:
    asked = folder("a:{+path}", "errors.md", ".hidden", "sub/deep.md")
    assert asked.refused("resources/read", uri=uri).number == -32602


def test_a_folder_may_be_named_and_must_be_inside() -> None:
    asked = template("uriTemplate: a:{x}\nfolder: ../resources", "")
    assert asked.offer.templates == ()
    found = Asked(
        {"templates/it.md": "---\nuriTemplate: a:{x}\nfolder: ../resources\n---\n", "resources/b.md": "B"}
    )
    assert found.read("a:b")["text"] == "B"
    for outside in ("../..", "/etc", "../../guides/resources", ".hidden", ".."):
        assert not template(f"uriTemplate: a:{{x}}\nfolder: {outside}").offer.templates


def test_a_bad_file_of_a_folder_costs_itself_alone() -> None:
    files: dict[str, Content] = {"templates/it/a.md": "---\nopen", "templates/it/b.md": "B"}
    asked = Asked({"templates/it.md": "---\nuriTemplate: a:{x}\n---\n", **files})
    assert asked.read("a:b")["text"] == "B"
    assert asked.refused("resources/read", uri="a:a").number == -32602
    assert len(asked.offer.notes) == 1


def test_an_unknown_value_is_refused_with_the_nearest() -> None:
    refused = folder("embedded:guide/{section}", "errors.md", "limits.md").refused(
        "resources/read", uri="embedded:guide/error"
    )
    assert refused.data == {"uri": "embedded:guide/error", "nearest": ["embedded:guide/errors"]}


# -- a table

CSV = 'name,lang,text\nParis,fr,"Bonjour, Paris"\nParis,,Hello\n北京,zh,你好\n'


def test_a_row_is_found_by_its_cells_and_its_text_is_served() -> None:
    asked = template("uriTemplate: a:{name}{?lang}\ntable: t.csv", t__csv=CSV)
    assert asked.read("a:Paris?lang=fr")["text"] == "Bonjour, Paris"
    assert asked.read("a:Paris")["text"] == "Hello"
    assert asked.read("a:北京?lang=zh") == {
        "uri": "a:北京?lang=zh",
        "mimeType": "text/markdown",
        "text": "你好",
    }
    assert asked.refused("resources/read", uri="a:北京").data == {
        "uri": "a:北京",
        "nearest": ["a:%E5%8C%97%E4%BA%AC?lang=zh"],
    }


def test_empty_lines_and_empty_tables_are_no_fault() -> None:
    asked = template("uriTemplate: a:{id}\ntable: t.csv", t__csv="id,text\n\n1,a\n\n")
    assert asked.read("a:1")["text"] == "a"
    assert asked.complete({"type": "ref/resource", "uri": "a:{id}"}, "id", "")["values"] == ["1"]
    assert template("uriTemplate: a:{id}\ntable: t.csv", t__csv="").offer.templates


def test_a_list_means_a_path_of_its_parts_and_a_mapping_its_json() -> None:
    asked = template("uriTemplate: a:{x*}", "<{x}>")
    assert asked.read("a:1,2")["text"] == "<1/2>"
    assert asked.read("a:k=v")["text"] == '<{"k": "v"}>'


def test_a_column_may_be_named() -> None:
    asked = template(
        "uriTemplate: a:{lang}\ntable: t.csv\ncolumn: name\nmimeType: text/plain",
        t__csv="lang,name\nfr,Paris\n",
    )
    assert asked.read("a:fr") == {"uri": "a:fr", "mimeType": "text/plain", "text": "Paris"}


@pytest.mark.parametrize(
    ("text", "served"),
    [
        ('[{"id": 1, "name": "é"}, {"id": 2}]', '{\n  "id": 1,\n  "name": "é"\n}'),
        ('{"1": {"name": "é"}}', '{\n  "id": "1",\n  "name": "é"\n}'),
    ],
)
def test_a_row_without_a_text_is_served_as_json(text: str, served: str) -> None:
    asked = template("uriTemplate: a:{id}\ntable: t.json", t__json=text)
    assert asked.read("a:1") == {"uri": "a:1", "mimeType": "application/json", "text": served}


def test_an_object_of_texts_is_a_table_of_them() -> None:
    assert template("uriTemplate: a:{id}\ntable: t.json", t__json='{"x": "X"}').read("a:x")["text"] == "X"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", "id,id\n1,2\n"),
        ("t.csv", "id,\n1,2\n"),
        ("t.csv", "id,text\n1\n"),
        ("t.csv", "id,text\n1,a\n1,b\n"),
        ("t.csv", 'id,text\n1,"a\n'),
        ("t.csv", "wrong,text\n1,a\n"),
        ("t.csv", "id,text\n1,认\n".encode("gb18030")),
        ("t.csv", "id,other\n1,a\n2\n"),
        ("t.json", "[1]"),
        ("t.json", "nonsense"),
        ("t.json", '{"a": "b", "a": "c"}'),
        ("none.csv", ""),
    ],
)
def test_a_table_that_cannot_be_used_costs_its_template_alone(name: str, data: str | bytes) -> None:
    files: dict[str, Content] = {
        "templates/it.md": f"---\nuriTemplate: a:{{id}}\ntable: {name}\n---\n",
        "resources/x.md": "X",
    }
    if data and name != "none.csv":
        files[f"templates/{name}"] = data
    asked = Asked(files)
    assert asked.offer.templates == ()
    assert len(asked.offer.resources) == len(asked.offer.notes) == 1


# -- a body


def test_a_body_is_served_with_the_variables_in_it() -> None:
    asked = template("uriTemplate: a:{name}{?lang}", "Hello {name}, {lang}! {other}")
    assert asked.read("a:%7Bname%7D?lang=x")["text"] == "Hello {name}, x! {other}"
    assert asked.read("a:you")["text"] == "Hello you, ! {other}"
    assert asked.refused("resources/read", uri="a:").number == -32602


def test_a_text_that_would_grow_without_end_is_refused() -> None:
    asked = template("uriTemplate: a:{name}", "{name}" * 10_000)
    assert asked.refused("resources/read", uri="a:" + "x" * 4_000).number == -32603
    prompt = "---\nname: p\narguments: [{name: a}]\n---\n" + "{a}" * 10_000
    refused = Asked({"prompts/p.md": prompt}).refused("prompts/get", name="p", arguments={"a": "x" * 4_000})
    assert refused.number == -32602


# -- a function

PYTHON = """
CALLS = []

async def section(section):
    CALLS.append(section)
    return {"none": None, "bytes": b"\\x00", "json": {"a": [1]}}.get(section, f"Text of {section}")

def plain(section):
    if section == "wrong":
        raise ValueError("secret detail")
    if section == "odd":
        return {"secret": float("nan")}
    if section == "large":
        return "x" * ((16 << 20) + 1)
    return section.upper()

async def slow(section):
    import asyncio
    await asyncio.Event().wait()
"""


class Trusting:
    """Runs whatever it agreed to."""

    def __init__(self, *, agrees: bool = True) -> None:
        self.heard: list[str] = []
        self._agrees = agrees

    def agree(self, file: str) -> None:
        from prowess.errors import AccessDenied

        self.heard.append(file)
        if not self._agrees:
            raise AccessDenied("not here")

    def function(self, file: str, name: str) -> Any:
        assert file in self.heard
        space: dict[str, Any] = {}
        with open(file, encoding="utf-8") as source:
            exec(source.read(), space)
        return space[name]

    def close(self) -> None:
        self.heard.clear()


@pytest.fixture
def coded(guides: Folder) -> Folder:
    for name in ("section", "plain", "slow"):
        guides.write(
            f"templates/{name}.md", f"---\nuriTemplate: {name}:{{section}}\nfunction: code.py:{name}\n---\n"
        )
    guides.write("templates/code.py", PYTHON)
    return guides


def read(provider: ContentProvider, uri: str, timeout: float = 5.0) -> Any:
    return run(provider.ask("resources/read", {"uri": uri}, timeout=timeout))["contents"][0]


def test_a_function_serves_texts_bytes_and_values(coded: Folder) -> None:
    provider = ContentProvider([str(coded.root)], code=Trusting())
    run(provider.open())
    assert read(provider, "section:a")["text"] == "Text of a"
    assert read(provider, "section:bytes")["blob"] == "AA=="
    assert read(provider, "section:json")["mimeType"] == "application/json"
    assert read(provider, "plain:a")["text"] == "A"
    with pytest.raises(RequestFailed) as raised:
        read(provider, "section:none")
    assert raised.value.number == -32602


def test_a_function_that_fails_or_hangs_is_an_error_that_tells_no_details(coded: Folder) -> None:
    provider = ContentProvider([str(coded.root)], code=Trusting())
    run(provider.open())
    for uri, timeout in (("plain:wrong", 5.0), ("plain:odd", 5.0), ("plain:large", 5.0), ("slow:a", 0.05)):
        with pytest.raises(RequestFailed) as raised:
            read(provider, uri, timeout)
        assert raised.value.number == -32603
        assert "secret" not in raised.value.message


@pytest.mark.parametrize("code", [None, Trusting(agrees=False)])
def test_without_consent_no_function_runs_and_its_template_is_not_offered(
    coded: Folder, code: Trusting | None
) -> None:
    coded.write("templates/code.py", PYTHON + "\nraise SystemExit('it ran')\n")
    provider = ContentProvider([str(coded.root)], code=code)
    offer = run(provider.open())
    assert offer.templates == ()
    assert len(offer.notes) == 3


def test_consent_hears_of_the_file_before_it_is_offered(coded: Folder) -> None:
    code = Trusting()
    provider = ContentProvider([str(coded.root)], code=code)
    offer = run(provider.open())
    assert len(offer.templates) == 3
    assert set(code.heard) == {str(coded.root / "templates" / "code.py")}


def test_code_in_memory_is_never_run() -> None:
    asked = template("uriTemplate: a:{x}\nfunction: code.py:x", code__py="def x(x): return x")
    assert asked.offer.templates == ()
    [found] = scan(asked.provider._folders).templates.values()
    assert isinstance(found.values, FunctionValues)


# -- what is wrong


@pytest.mark.parametrize(
    "fields",
    [
        "name: x",
        "uriTemplate: a:{x",
        "uriTemplate: a:x",
        'uriTemplate: "{x}"',
        "uriTemplate: a:{x}",
        "uriTemplate: a:{x}\nfolder: nowhere",
        "uriTemplate: a:{x}\nfolder: it\ntable: t.csv",
        "uriTemplate: a:{x}\nfunction: code:x",
        "uriTemplate: a:{x}\nfunction: none.py:x",
        "uriTemplate: a:{x}\nfunction: ../../code.py:x",
        "uriTemplate: a:{x}\ncolumn: c",
        "uriTemplate: a:{x}\ntable: ../../t.csv",
        "uriTemplate: [a]",
    ],
)
def test_a_template_that_cannot_be_used_is_told_and_not_offered(fields: str) -> None:
    asked = template(fields)
    assert asked.offer.templates == ()
    assert asked.offer.notes
