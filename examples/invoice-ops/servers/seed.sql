-- The example's invoices. `week` is the ISO week of `issued_on`; amounts are whole cents.
CREATE TABLE invoices (
    number TEXT PRIMARY KEY,
    customer TEXT NOT NULL,
    issued_on TEXT NOT NULL,
    due_on TEXT NOT NULL,
    week TEXT NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'overdue'))
);
CREATE INDEX invoices_by_week ON invoices (week, status);
INSERT INTO invoices VALUES
    ('INV-2026-0311', 'Aster Logistics', '2026-07-13', '2026-07-27', '2026-W29', 184000, 'EUR', 'paid'),
    ('INV-2026-0312', 'Birch & Sons',    '2026-07-14', '2026-07-28', '2026-W29',  92550, 'EUR', 'overdue'),
    ('INV-2026-0313', 'Cobalt Studio',   '2026-07-16', '2026-07-30', '2026-W29',  45000, 'EUR', 'paid'),
    ('INV-2026-0314', 'Aster Logistics', '2026-07-20', '2026-08-03', '2026-W30', 171200, 'EUR', 'open'),
    ('INV-2026-0315', 'Dune Optics',     '2026-07-21', '2026-07-24', '2026-W30', 318075, 'EUR', 'overdue'),
    ('INV-2026-0316', 'Elm Clinic',      '2026-07-23', '2026-08-06', '2026-W30',  66000, 'EUR', 'paid'),
    ('INV-2026-0317', 'Birch & Sons',    '2026-07-27', '2026-08-10', '2026-W31',  92550, 'EUR', 'open'),
    ('INV-2026-0318', 'Cobalt Studio',   '2026-07-28', '2026-07-31', '2026-W31', 120000, 'EUR', 'overdue'),
    ('INV-2026-0319', 'Fjord Foods',     '2026-07-29', '2026-08-12', '2026-W31', 254990, 'EUR', 'open'),
    ('INV-2026-0320', 'Dune Optics',     '2026-07-30', '2026-08-13', '2026-W31',  39900, 'EUR', 'paid');
