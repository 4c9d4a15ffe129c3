-- A database of format 2, as it was written then.
PRAGMA application_id = 1347573587;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
CREATE TABLE approvals (
        digest TEXT NOT NULL PRIMARY KEY, tool TEXT NOT NULL, server TEXT NOT NULL,
        arguments TEXT NOT NULL, principal TEXT NOT NULL, conversation TEXT NOT NULL,
        rollout_key TEXT NOT NULL, reason TEXT NOT NULL, asked REAL NOT NULL, expires REAL NOT NULL,
        answer INTEGER, until REAL NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO "approvals" VALUES('sha256:asked','delete_invoice','invoices','{"id":7}','local','','','the tool says that it is destructive',1000.0,1600.0,NULL,0.0);
CREATE TABLE calls (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL,
        server TEXT NOT NULL, version TEXT NOT NULL, outcome TEXT NOT NULL, code TEXT NOT NULL,
        attempts INTEGER NOT NULL, duration_ms REAL NOT NULL, argument_bytes INTEGER NOT NULL,
        result_bytes INTEGER NOT NULL, principal TEXT NOT NULL, conversation TEXT NOT NULL,
        skill TEXT NOT NULL, trace_id TEXT NOT NULL, started REAL NOT NULL);
INSERT INTO "calls" VALUES(1,'call-1','query_invoices','invoices','1.4.2','answered','',1,12.5,40,900,'local','c1','billing','trace-1',1700000001.0);
CREATE TABLE decisions (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL,
        utterance TEXT NOT NULL, shown TEXT NOT NULL, chosen TEXT NOT NULL, calls TEXT NOT NULL,
        principal TEXT NOT NULL, conversation TEXT NOT NULL, started REAL NOT NULL);
INSERT INTO "decisions" VALUES(1,'decision-1','trace-1','which invoices are unpaid?','["query_invoices","send_reminder"]','query_invoices','["call-1"]','','',1700000002.0);
CREATE TABLE pins (
        scope TEXT NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL, digest TEXT NOT NULL,
        definition TEXT NOT NULL, PRIMARY KEY (scope, server, tool)) WITHOUT ROWID;
INSERT INTO "pins" VALUES('package','invoices','query_invoices','sha256:one','{"name":"query_invoices","inputSchema":{"type":"object"}}');
CREATE TABLE requests (
        number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL,
        call TEXT NOT NULL, method TEXT NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL,
        duration_ms REAL NOT NULL, started REAL NOT NULL);
INSERT INTO "requests" VALUES(1,'request-1','trace-1','call-1','GET','https://api.example.com/invoices',200,8.25,1700000003.0);
CREATE TABLE rollouts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL, unit TEXT NOT NULL,
        action TEXT NOT NULL, stable TEXT NOT NULL, canary TEXT NOT NULL, percent REAL NOT NULL,
        who TEXT NOT NULL, reason TEXT NOT NULL, evidence TEXT NOT NULL, at REAL NOT NULL);
INSERT INTO "rollouts" VALUES(1,'rollout.toml','query_weather','rollback','1.4.2','2.0.0',0.0,'guard','it failed more often','{"errors":{"canary":[60,12]}}',1700000009.0);
CREATE TABLE shipped (
        target TEXT NOT NULL, records TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (target, records)) WITHOUT ROWID;
CREATE INDEX calls_by_time ON calls (started);
CREATE INDEX calls_by_trace ON calls (trace_id);
CREATE INDEX decisions_by_time ON decisions (started);
CREATE INDEX decisions_by_trace ON decisions (trace_id);
CREATE INDEX requests_by_time ON requests (started);
CREATE INDEX requests_by_trace ON requests (trace_id);
CREATE INDEX rollouts_by_unit ON rollouts (place, unit);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('calls',1);
INSERT INTO "sqlite_sequence" VALUES('decisions',1);
INSERT INTO "sqlite_sequence" VALUES('requests',1);
INSERT INTO "sqlite_sequence" VALUES('rollouts',1);
COMMIT;
