#!/usr/bin/env bash
# Starts the built command (npm run build) and checks it with Redocly: lints the OpenAPI documents and the workflows, then runs each workflow
# twice in a row. Prints one line per check, and the output of each failed one. An argument such as `paging` runs only that workflow.
# shellcheck disable=SC2317 # the trap calls clean
set -euo pipefail
cd "$(dirname "$0")/../.."
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
redocly=$PWD/node_modules/.bin/redocly
key=workflows-admin-key

folder=$(mktemp -d)
server=
clean() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap clean EXIT
failed=0

# NAME COMMAND…: runs a check and prints its result.
check() {
  local started=$SECONDS
  if "${@:2}" >"$folder/log" 2>&1; then
    echo "ok: $1 ($((SECONDS - started)) s)"
  else
    echo "failed: $1" && cat "$folder/log"
    failed=1
  fi
}

start() {
  exec 3< <(exec node dist/cli.js --port 0 --json --log off --admin-key "$key")
  server=$!
  read -r ready <&3 || { echo 'failed: the server did not start' >&2; exit 1; }
  url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' <<<"$ready")
}

# recommended-strict has the rules of recommended, but each warning is an error. The server of these documents is on this machine.
lint() { "$redocly" lint --extends recommended-strict --skip-rule no-server-example.com "$@"; }

# WORKFLOW TIME: runs a copy of the workflow with the URL of this server. The file name is the workflow's id.
run_workflow() {
  sed "s#http://localhost:4010/#$url/#" "workflows/$1.arazzo.yaml" >"$folder/$1.arazzo.yaml"
  check "$1, $2 time" "$redocly" respect "$folder/$1.arazzo.yaml" --workflow "$1" --input admin_key="$key"
}

documents() {
  local document
  check 'write the documents' node test/workflows/write-documents.mjs "$url" "$key" "$folder"
  for document in "$folder"/*.json; do check "lint $(basename "$document")" lint "$document"; done
  for document in workflows/*.arazzo.yaml; do check "lint $document" lint "$document"; done
}

workflows=$(basename --suffix=.arazzo.yaml --multiple workflows/*.arazzo.yaml)
only=${1:-}
[[ -z $only || -f workflows/$only.arazzo.yaml ]] || { echo "unknown workflow \"$only\"; choose a file of workflows/" >&2; exit 2; }
start
[[ -n $only ]] || documents
for time in first second; do
  for name in ${only:-$workflows}; do run_workflow "$name" "$time"; done
done
exit "$failed"
