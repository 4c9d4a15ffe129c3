from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.remembering import FORMATS, call, pin, rows

from prowess.errors import StoreFailed
from prowess.store import database as database_module
from prowess.store import opening
from prowess.store.database import Database, default_file
from prowess.store.formats import STEPS
from prowess.store.pins import Pins
from prowess.store.records import Records

SECONDS = 30


def commit(database: Database, count: int = 1) -> None:
    async def work() -> None:
        for _ in range(count):
            await Records(database).commit(call())

    asyncio.run(work())


def count(database: Database) -> int:
    return int(rows(database, "SELECT count(*) FROM calls")[0][0])


def test_the_file_stands_in_the_state_directory(home: Path) -> None:
    assert default_file() == str(home / "state" / "prowess" / "prowess.sqlite3")
    assert not Database().exists()


def test_all_files_are_open_to_this_user_only(database: Database, file: Path) -> None:
    commit(database)
    beside = sorted(file.parent.iterdir())
    assert [each.name for each in beside] == [file.name, f"{file.name}-shm", f"{file.name}-wal"]
    assert {stat.S_IMODE(each.stat().st_mode) for each in beside} == {0o600}
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(database: Database, file: Path) -> None:
    file.parent.mkdir()
    file.touch()
    file.chmod(0o666)
    commit(database)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_it_is_a_write_ahead_log_with_a_format_number(database: Database) -> None:
    commit(database)
    assert rows(database, "PRAGMA journal_mode") == [("wal",)]
    assert rows(database, "PRAGMA synchronous") == [(1,)]
    assert rows(database, "PRAGMA user_version") == [(len(STEPS),)]


def test_work_in_the_quick_connection_is_seen_in_the_patient_one(database: Database) -> None:
    commit(database, 3)
    assert count(database) == 3


def test_a_closed_database_is_opened_again_when_used(database: Database) -> None:
    commit(database)
    database.close()
    database.close()
    commit(database)
    assert count(database) == 2


def test_the_log_is_folded_into_the_file_while_it_grows(
    database: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "CHECKPOINT_CHANGES", 10)
    monkeypatch.setattr(database_module, "LARGE_LOG", 100_000)
    commit(database, 1)
    before = file.stat().st_size
    for _ in range(40):
        commit(database, 10)
        database.now(lambda connection: None)  # behind whatever is being folded
        if file.stat().st_size > before and os.path.getsize(f"{file}-wal") < 200_000:
            break
    else:
        pytest.fail("the log only grows")
    assert count(database) % 10 == 1


def test_a_file_moved_away_is_noticed_and_begun_anew(database: Database, file: Path) -> None:
    commit(database)
    os.rename(file, file.with_suffix(".old"))
    for suffix in ("-wal", "-shm"):
        os.unlink(f"{file}{suffix}")
    commit(database)
    assert file.exists()
    assert count(database) == 1


# -- others at the same file


def test_a_lock_held_elsewhere_is_waited_for_without_holding_up_the_loop(
    database: Database, file: Path
) -> None:
    commit(database)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def work() -> None:
        committing = asyncio.ensure_future(Records(database).commit(call()))
        for _ in range(100):  # turns of the loop, which go on
            await asyncio.sleep(0)
        assert not committing.done()
        assert await Pins(database).get("no", "such", "pin") is None, "reading waits for nobody"
        other.execute("COMMIT")
        await asyncio.wait_for(committing, SECONDS)

    asyncio.run(work())
    other.close()
    assert count(database) == 2


def test_a_lock_held_too_long_is_an_error_that_says_so(
    database: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "BUSY_SECONDS", 0.05)
    commit(database)
    database.close()
    commit(database)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed, match="another process"):
        commit(database)
    other.close()


def test_several_threads_share_one_database(database: Database) -> None:
    threads = [threading.Thread(target=commit, args=(database, 50)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(SECONDS)
    assert count(database) == 200


WRITER = """
import asyncio, sys
from prowess.store.database import Database
from prowess.store.pins import Pins
from prowess.store.records import Records
from tests.store.remembering import call, pin

async def main():
    database = Database(sys.argv[1])
    for number in range(150):
        await Records(database).commit(call(id=f"{sys.argv[2]}{number}"))
        await Pins(database).first(pin(tool=str(number), digest=sys.argv[2]))
    database.close()

asyncio.run(main())
"""


def test_processes_that_begin_and_write_at_once_lose_nothing(database: Database, file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file), name], stderr=subprocess.PIPE, env=environment
        )
        for name in "abc"
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=SECONDS)
        assert writer.returncode == 0, errors.decode()
    assert count(database) == 450
    assert rows(database, "SELECT count(*) FROM pins") == [(150,)], "each tool was seen first once"
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]


# -- formats


def lay(file: Path, number: int) -> None:
    """Lay a database of an older format, as it was written then."""
    file.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(file)
    connection.executescript(FORMATS.joinpath(f"{number}.sql").read_text())
    connection.close()


def test_there_is_a_fixture_for_every_format() -> None:
    assert sorted(each.stem for each in FORMATS.glob("*.sql")) == [str(n + 1) for n in range(len(STEPS))]


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_database_of_every_format_is_read(number: int, database: Database, file: Path) -> None:
    lay(file, number)
    assert rows(database, "SELECT tool, outcome FROM calls") == [("query_invoices", "answered")]
    assert rows(database, "SELECT id FROM decisions") == [("decision-1",)]
    assert rows(database, "SELECT id FROM requests") == [("request-1",)]
    assert rows(database, "SELECT digest FROM approvals") == [("sha256:asked",)]
    found = asyncio.run(Pins(database).get("package", "invoices", "query_invoices"))
    assert found == pin()
    commit(database)


NEXT = (*STEPS, ("ALTER TABLE calls ADD COLUMN plugin TEXT NOT NULL DEFAULT ''",))
BROKEN = (*STEPS, ("CREATE TABLE other (id TEXT)", "ALTER TABLE nothing ADD COLUMN plugin TEXT"))


def test_an_older_format_is_migrated_after_a_copy_was_laid_aside(file: Path) -> None:
    lay(file, len(STEPS))
    newer = Database(str(file), steps=NEXT)
    assert rows(newer, "SELECT plugin FROM calls") == [("",)]
    assert rows(newer, "PRAGMA user_version") == [(len(NEXT),)]
    newer.close()
    aside = file.with_name(f"{file.name}.format-{len(STEPS)}")
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600
    older = Database(str(aside))
    assert count(older) == 1
    older.close()
    assert not list(file.parent.glob(".backup-*"))


def test_a_new_file_needs_no_copy(file: Path) -> None:
    newer = Database(str(file), steps=NEXT)
    commit(newer)
    newer.close()
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_a_migration_that_fails_leaves_the_file_as_it_was(file: Path, database: Database) -> None:
    lay(file, len(STEPS))
    with pytest.raises(StoreFailed):
        commit(Database(str(file), steps=BROKEN))
    assert rows(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'other'") == [(0,)]
    assert count(database) == 1


MIGRATOR = """
import sys
from prowess.store.database import Database
from tests.store.test_database import NEXT
database = Database(sys.argv[1], steps=NEXT)
print(database.now(lambda c: c.execute("SELECT count(plugin) FROM calls").fetchone()[0]))
"""


def test_processes_that_migrate_at_once_migrate_once(file: Path) -> None:
    lay(file, len(STEPS))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", MIGRATOR, str(file)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    for each in running:
        out, errors = each.communicate(timeout=SECONDS)
        assert (each.returncode, out) == (0, b"1\n"), errors.decode()


def test_a_newer_format_is_refused_and_left_as_it_is(file: Path, database: Database) -> None:
    newer = Database(str(file), steps=NEXT)
    commit(newer)
    newer.close()
    before = file.read_bytes()
    with pytest.raises(StoreFailed, match="newer") as caught:
        commit(database)
    assert str(file) in caught.value.message
    assert file.read_bytes() == before


# -- what cannot be used


def test_the_database_of_another_program_is_left_alone(file: Path, database: Database) -> None:
    file.parent.mkdir()
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE pins (something)")
    other.close()
    before = file.read_bytes()
    with pytest.raises(StoreFailed, match="another program"):
        commit(database)
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5_000])
def test_a_damaged_file_is_named_with_what_to_do(content: bytes, file: Path, database: Database) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(StoreFailed) as caught:
        commit(database)
    assert str(file) in caught.value.message
    assert "-wal" in caught.value.hint
    assert file.read_bytes() == content


def test_damage_in_the_middle_of_a_file_in_use_is_noticed(file: Path, database: Database) -> None:
    commit(database, 200)
    database.close()
    whole = bytearray(file.read_bytes())
    whole[4096:] = b"\x5a" * (len(whole) - 4096)
    file.write_bytes(whole)
    with pytest.raises(StoreFailed, match="damaged"):
        commit(database)
    with pytest.raises(StoreFailed, match="damaged"):
        asyncio.run(Pins(database).get("package", "invoices", "query_invoices"))


def test_a_file_where_the_folder_should_be_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFailed) as caught:
        commit(Database(str(tmp_path / "file" / "prowess.sqlite3")))
    assert "XDG_STATE_HOME" in caught.value.hint


def test_a_folder_where_the_file_should_be_is_an_error(file: Path, database: Database) -> None:
    file.mkdir(parents=True)
    with pytest.raises(StoreFailed):
        commit(database)


def test_a_full_disk_is_said_and_what_was_committed_stays(database: Database) -> None:
    commit(database)

    async def fill() -> None:
        for _ in range(10_000):
            await Records(database).commit(call(code="x" * 10_000))

    def bound(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 40")

    database.now(bound)
    asyncio.run(database.run(bound))  # the other connection
    with pytest.raises(StoreFailed, match="full"):
        asyncio.run(fill())
    assert count(database) >= 1
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]


def test_a_sqlite_too_old_is_said(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(StoreFailed, match="too old"):
        commit(database)


# -- kill -9

KILLED = """
import asyncio, sys
from prowess.call.path import CallPath
from prowess.provider import MemoryProvider
from prowess.store.database import Database
from prowess.store.records import Records

async def answer(arguments):
    return {}

async def main():
    provider = MemoryProvider("stub", {"greet": ({"inputSchema": {"type": "object"}}, answer)})
    await provider.open()
    path = CallPath([provider], recorder=Records(Database(sys.argv[1])))
    while True:
        result = await path.call("greet", {})
        sys.stdout.write(result.record + chr(10))
        sys.stdout.flush()

asyncio.run(main())
"""


def test_a_killed_process_loses_no_record_of_a_call_that_it_answered(database: Database, file: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    latest = time.monotonic() + SECONDS
    for round_ in range(10):
        command = [sys.executable, "-c", KILLED, str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as writer:
            assert writer.stdout is not None
            answered = [writer.stdout.readline() for _ in range(1 + round_ * 37)]
            writer.kill()
            answered += writer.stdout.readlines()
        whole = [line.decode().strip() for line in answered if line.endswith(b"\n")]
        assert len(whole) > round_ * 37
        kept = {id for (id,) in rows(database, "SELECT id FROM calls")}
        assert set(whole) <= kept
        assert time.monotonic() < latest
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]


def test_a_record_is_kept_at_once_unless_somebody_is_in_the_way(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "db"))
    records = Records(database)
    assert records.at_once(call()) is False, "the file has to be opened first"
    asyncio.run(records.commit(call()))
    assert records.at_once(call()) is True
    with closing(sqlite3.connect(database.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert records.at_once(call()) is False
    assert database.now(lambda c: c.execute("SELECT count(*) FROM calls").fetchone()) == (2,)
    database.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX locks")
def test_a_second_opening_here_lets_no_other_process_take_the_log_for_left_behind(
    database: Database, file: Path
) -> None:
    commit(database)
    second = Database(str(file))
    commit(second)
    looks = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM calls').close()"
    subprocess.run([sys.executable, "-c", looks, str(file)], check=True, timeout=SECONDS)
    commit(database)
    with closing(sqlite3.connect(file)) as third:
        assert third.execute("SELECT count(*) FROM calls").fetchone()[0] == 3
    second.close()
