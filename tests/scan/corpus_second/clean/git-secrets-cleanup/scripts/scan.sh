#!/usr/bin/env bash
# lists commits which contain key-like strings, redacted
set -euo pipefail
pat='AKIA[0-9A-Z]{16}|ghp_[A-Za-z0-9]{36}|xox[bp]-[0-9A-Za-z-]{20,}'
git log --all --format=%h | while read -r c; do
  git show "$c" --format= | grep -oE "$pat" | sort -u | while read -r hit; do echo "$c ${hit:0:4}… (${#hit} characters)"; done
done
