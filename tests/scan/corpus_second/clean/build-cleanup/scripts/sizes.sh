#!/usr/bin/env bash
# shows what a cleanup would free, deletes nothing
for d in node_modules dist build target .next .turbo .pytest_cache; do
  find . -type d -name "$d" -prune -exec du -sh {} +
done 2>/dev/null | sort -rh | head -30
