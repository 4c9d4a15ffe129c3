#!/usr/bin/env bash
# 0 good, 1 bad, 125 skip
npm ci --silent --ignore-scripts || exit 125
npm run -s build || exit 125
npx vitest run tests/regression.test.ts >/dev/null 2>&1
