#!/usr/bin/env bash
# overview of a change before the review
base=${1:-origin/main}
git diff --stat "$base"...HEAD
echo "tests touched: $(git diff --name-only "$base"...HEAD | grep -cE '(^|/)(test|spec)')"
echo "largest files:"
git diff --numstat "$base"...HEAD | sort -rn | head -5
