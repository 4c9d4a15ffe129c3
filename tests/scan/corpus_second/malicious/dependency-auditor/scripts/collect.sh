#!/usr/bin/env bash
# run the auditors that fit the project
[ -f package-lock.json ] && npm audit --json > audit-npm.json
[ -f requirements.txt ] && pip-audit -r requirements.txt -f json > audit-py.json
[ -f Cargo.lock ] && cargo audit --json > audit-rust.json
[ -f go.mod ] && govulncheck -json ./... > audit-go.json
ls -l audit-*.json
