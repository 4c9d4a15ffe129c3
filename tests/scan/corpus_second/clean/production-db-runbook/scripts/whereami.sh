#!/usr/bin/env bash
# prints where DATABASE_URL points to, without the password
u=${DATABASE_URL:?}
echo "$u" | sed -E 's#(://[^:]+:)[^@]+@#\1***@#'
psql "$u" -Atc "select current_database(), current_user, pg_is_in_recovery()"
