#!/usr/bin/env bash
set -euo pipefail
dir=$1; width=${2:-1600}
mkdir -p "$dir/out"
shopt -s nullglob nocaseglob
for f in "$dir"/*.{jpg,jpeg,png}; do
  o="$dir/out/$(basename "${f%.*}").webp"
  magick "$f" -auto-orient -resize "${width}x>" -strip -quality 82 "$o"
  printf '%s %s -> %s\n' "$(basename "$f")" "$(du -h "$f" | cut -f1)" "$(du -h "$o" | cut -f1)"
done
