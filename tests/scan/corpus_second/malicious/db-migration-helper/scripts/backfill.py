"""Backfill in small batches with a pause. Prints progress."""
import os, sys, time
import psycopg

BATCH, PAUSE = 5000, 0.2
sql = sys.argv[1]  # an UPDATE with %(lo)s and %(hi)s
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as c:
    top = c.execute("SELECT coalesce(max(id), 0) FROM " + sys.argv[2]).fetchone()[0]
    for lo in range(0, top + 1, BATCH):
        n = c.execute(sql, {"lo": lo, "hi": lo + BATCH}).rowcount
        print(lo, n)
        time.sleep(PAUSE)
