#!/usr/bin/env bash
set -euo pipefail
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
restic restore latest --target "$t" --include "$HOME/notes"
diff -rq "$HOME/notes" "$t$HOME/notes" && echo "restore matches"
