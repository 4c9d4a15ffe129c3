#!/usr/bin/env bash
for h in "$@"; do
  d=$(echo | openssl s_client -connect "$h:443" -servername "$h" 2>/dev/null | openssl x509 -noout -enddate | cut -d= -f2)
  echo "$h: ${d:-no certificate}"
done
