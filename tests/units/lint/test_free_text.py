"""Free text that reaches another language is told; whatever is bound, quoted or whitelisted is not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.units.lint.conftest import CITY, Linted

from prowess.units.free_text import free_parameters, judge_code
from prowess.units.model import Unit

HEAD = """
import asyncio, os, re, shlex, sqlite3, subprocess, urllib.parse, httpx2
from os import system
from pathlib import Path
from urllib.parse import quote
BASE = "https://api.example.com"
CITIES = {"Oslo": "no", "Bergen": "no"}
db = sqlite3.connect(":memory:")
class Weather:
    async def execute(self, params: dict, ctx=None) -> dict:
"""

REACHES = {
    "an f-string in SQL": "db.execute(f\"SELECT * FROM t WHERE c = '{params['city']}'\")",
    "SQL made with %": "db.execute(\"SELECT * FROM t WHERE c = '%s'\" % params['city'])",
    "SQL made with format": "db.execute('DELETE FROM t WHERE c = {}'.format(params['city']))",
    "SQL made by adding, step by step": """
        sql = "SELECT * FROM t WHERE c = '"
        sql += params.get("city", "")
        cursor = db.cursor()
        cursor.execute(sql + "'")""",
    "SQL that is the parameter itself": "db.execute(params['city'])",
    "a shell by os.system": "os.system('ls ' + params['city'])",
    "a shell by an imported name": "system(f'ls {params[\"city\"]}')",
    "a shell by subprocess": "subprocess.run(f'ls {params[\"city\"]}', shell=True)",
    "a shell that is named": "subprocess.run(['sh', '-c', f'ls {params[\"city\"]}'])",
    "a shell without waiting": "await asyncio.create_subprocess_shell('ls ' + params['city'])",
    "evaluated code": "eval(params['city'])",
    "a file that is opened": "open(params['city'])",
    "a file below a folder": "open(os.path.join('cities', params['city']))",
    "a path": "(ctx.data_dir / f\"{params['city']}.json\").write_text('x')",
    "a path made of it": "Path(params['city']).read_text()",
    "a URL": "await ctx.http.get(f'{BASE}/{params[\"city\"]}')",
    "a URL relative to a base": "await ctx.http.post('/weather/' + params['city'])",
    "a URL that is the parameter": "await ctx.http.get(params['city'])",
    "a URL by a client of its own": """
        async with httpx2.AsyncClient() as client:
            await client.get(params["city"])""",
    "in a thread": "await asyncio.to_thread(open, params['city'])",
    "by a helper": """
        self._read(params["city"])

    def _read(self, name):
        return open(name)""",
    "by what a helper gives back": """
        os.system(self._line(params["city"]))

    def _line(self, city):
        return f"ls {city}\"""",
    "in a closure": """
        city = params["city"]
        def work():
            return open(city)
        return await asyncio.to_thread(work)""",
    "after a change of case": "open(params['city'].strip().lower())",
    "by a default beside it": "open(params.get('city') or 'Oslo')",
    "one of several": "for each in [params['city'], 'Oslo']:\n            open(each)",
    "in a branch": "if params.get('city') is not None:\n            open(params['city'])",
    "in a comprehension": "return {'all': [open(each) for each in [params['city']]]}",
    "after a blacklist": """
        if params["city"] in ("..", "/"):
            raise ValueError("no")
        open(params["city"])""",
    "before the whitelist": """
        open(params["city"])
        if params["city"] not in CITIES:
            raise ValueError("no")""",
}

HARMLESS = {
    "bound values": "db.execute('SELECT * FROM t WHERE c = ?', (params['city'],))",
    "bound values by name": "db.execute('SELECT * FROM t WHERE c = :city', {'city': params['city']})",
    "bound values in a variable": """
        row = (params["city"],)
        db.execute("DELETE FROM t WHERE c = ?", row)""",
    "the parameters as they are": "await self.other.execute(params)",
    "something else that executes": "await ctx.pool_of_workers.execute(f'job {params[\"city\"]}')",
    "a list of arguments": "subprocess.run(['ls', '--', params['city']])",
    "a quoted argument": "os.system('ls ' + shlex.quote(params['city']))",
    "a quoted URL": 'await ctx.http.get(f\'{BASE}/{quote(params["city"], safe="")}\')',
    "a query beside the URL": "await ctx.http.get(BASE, params={'q': params['city']})",
    "a body beside the URL": "await ctx.http.post(BASE, json={'q': params['city']})",
    "a cache with a key": "cache = {}\n        cache.get(f'weather:{params[\"city\"]}')",
    "a store with a client": "await self.redis_client.get(f'weather:{params[\"city\"]}')",
    "a base name": "open(os.path.join('cities', os.path.basename(params['city'])))",
    "the name of a path": "open(Path('cities') / Path(params['city']).name)",
    "a path that is looked at": """
        place = (ctx.data_dir / params["city"]).resolve()
        if not place.is_relative_to(ctx.data_dir):
            raise ValueError("no")
        place.read_text()""",
    "a table of its own": "open(CITIES[params['city']])",
    "a number made of it": "open(f\"{int(params['city'])}.txt\")",
    "a whitelist before": """
        if params["city"] not in CITIES:
            raise ValueError("no such city")
        open(params["city"])""",
    "a whitelist around": "if params['city'] in CITIES:\n            open(params['city'])",
    "a pattern before": """
        if not re.fullmatch("[a-z]+", params["city"]):
            return {}
        open(params["city"])""",
    "a pattern before, by its match": """
        if re.fullmatch("[a-z]+", params["city"]) is None:
            raise ValueError("no")
        open(params["city"])""",
    "letters alone": """
        if not params["city"].isalpha():
            raise ValueError("no")
        open(params["city"])""",
    "text that goes nowhere": "return {'said': f\"SELECT {params['city']} FROM t\"}",
    "an answer about it": "raise ValueError(f\"no weather in {params['city']}\")",
    "another replace": "return {'said': params['city'].replace('a', 'b')}",
    "a log line": "ctx.log('asked', city=params['city'])",
}


def code_of(body: str) -> str:
    # A case of one line stands in the method; one of several carries its own indentation.
    return HEAD + (body if body.startswith("\n") else f"        {body}\n")


@pytest.mark.parametrize("case", REACHES)
def test_free_text_that_reaches_another_language_is_told(told: Linted, case: str) -> None:
    assert {each.rule for each in told(code_of(REACHES[case]))} == {"lint-free-text"}


@pytest.mark.parametrize("case", HARMLESS)
def test_what_is_bound_quoted_or_checked_is_left_alone(told: Linted, case: str) -> None:
    assert told(code_of(HARMLESS[case])) == []


@pytest.mark.parametrize(
    "whitelist",
    [
        {"pattern": "^[a-z]+$"},
        {"enum": ["Oslo"]},
        {"const": "Oslo"},
        {"format": "date"},
        {"type": "integer"},
        {"anyOf": [{"pattern": "^a$"}, {"enum": ["b"]}]},
        {"allOf": [{"pattern": "^a$"}]},
    ],
)
def test_a_whitelist_in_the_schema_silences_it(told: Linted, whitelist: dict[str, Any]) -> None:
    parameters = {"type": "object", "properties": {"city": {**CITY, **whitelist}}}
    assert told(code_of("open(params['city'])"), parameters=parameters) == []


@pytest.mark.parametrize(
    "loose",
    [
        {"maxLength": 80},
        {"pattern": "[a-z]+"},
        {"pattern": "^.*$"},
        {"format": "uri"},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "array", "items": {"type": "string"}},
    ],
)
def test_what_bounds_nothing_silences_nothing(told: Linted, loose: dict[str, Any]) -> None:
    parameters = {"type": "object", "properties": {"city": {**CITY, **loose}}}
    code = code_of("for each in [params['city']]:\n            open(each)")
    assert [each.rule for each in told(code, parameters=parameters)] == ["lint-free-text"]


def test_what_the_unit_itself_validates_is_left_alone(told: Linted) -> None:
    code = """
    from skills.base import Skill
    class Weather(Skill):
        def validate(self, params):
            return params["city"] in ("Oslo", "Bergen")
        async def execute(self, params):
            return {"text": open(params["city"]).read()}
    """
    assert told(code) == []


def test_only_the_parameter_that_is_free_is_named(told: Linted) -> None:
    day = {"type": "string", "format": "date", "description": "When.", "examples": ["2026-07-31"]}
    parameters = {"type": "object", "properties": {"city": CITY, "day": day}}
    found = told(code_of("open(f\"{params['city']}/{params['day']}\")"), parameters=parameters)
    assert [each.message.split()[0] for each in found] == ["city"]
    assert found[0].place.file == "weather/skill.py"


def test_parameters_without_any_schema_may_hold_text() -> None:
    assert set(free_parameters({"properties": {"any": {}, "none": False, "all": True}})) == {"any", "all"}


@given(st.text(max_size=300))
def test_any_text_for_code_ends_without_a_fault(text: str) -> None:
    unit = Unit(name="do_it", description="Does it.", parameters={"properties": {"a": {"type": "string"}}})
    found = judge_code(unit, text.encode("utf-8", "replace"), "skill.py")
    assert {each.rule for each in found} <= {"lint-free-text"}


def test_helpers_that_call_each_other_end(told: Linted) -> None:
    code = """
        self._a(params["city"])

    def _a(self, x):
        return self._b(x)

    def _b(self, x):
        open(x)
        return self._a(x + "!")"""
    assert [each.rule for each in told(code_of(code))] == ["lint-free-text"]
