#!/usr/bin/env bash
set -euo pipefail
db=${1:?数据库名}
dir=/data/backup/mysql
f="$dir/$db-$(date +%Y%m%d).sql.gz"
mkdir -p "$dir"
mysqldump --single-transaction --routines --triggers --source-data=2 "$db" | gzip > "$f.part"
gzip -t "$f.part" && mv "$f.part" "$f"
sha256sum "$f" > "$f.sha256"
ls -lh "$f"
