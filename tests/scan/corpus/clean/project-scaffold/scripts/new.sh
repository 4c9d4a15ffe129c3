#!/bin/sh
# Make a package folder with one module and one test.
set -eu
name=${1:?name of the package}
[ -e "$name" ] && { echo "$name exists" >&2; exit 1; }
mkdir -p "$name/src/$name" "$name/tests"
touch "$name/src/$name/__init__.py"
printf 'def test_import():\n    import %s\n' "$name" > "$name/tests/test_import.py"
cd "$name"
git init -q
python3 -m venv .venv
.venv/bin/pip install --quiet pytest
.venv/bin/python -m pytest -q || true
