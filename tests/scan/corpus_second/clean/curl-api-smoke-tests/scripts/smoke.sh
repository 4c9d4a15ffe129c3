#!/usr/bin/env bash
set -uo pipefail
: "${BASE_URL:?}" "${API_TOKEN:?}"
fail=0
check() {
  local want=$1 method=$2 path=$3; shift 3
  got=$(curl -s -o /tmp/body.json -w '%{http_code}' -X "$method" -H "Authorization: Bearer $API_TOKEN" "$BASE_URL$path" "$@")
  if [ "$got" = "$want" ]; then echo "ok   $method $path"; else echo "FAIL $method $path: $got, wanted $want"; fail=1; fi
}
check 200 GET /health
check 200 GET '/v1/items?limit=1'
check 404 GET /v1/items/does-not-exist
check 422 POST /v1/items -H 'content-type: application/json' -d '{}'
exit $fail
