#!/usr/bin/env bash
# Starts the built command and lets Redocly judge it: its linter the documents and the stories in workflows/, its runner (respect) each story,
# twice in a row. One line each; what failed shows its output. A name such as `paging` runs that story alone. Needs the built package.
# shellcheck disable=SC2317 # clean is called by the trap
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

# NAME COMMAND…
judge() {
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

# recommended-strict has the rules of recommended, and every warning is an error.
lint() { "$redocly" lint --extends recommended-strict "$@"; }

# A copy of the story, which speaks of the default port, for this server. The file's name is the workflow's id.
story() {
  sed "s#http://localhost:4010/#$url/#" "workflows/$1.arazzo.yaml" >"$folder/$1.arazzo.yaml"
  judge "$1, $2 time" "$redocly" respect "$folder/$1.arazzo.yaml" --workflow "$1" --input admin_key="$key"
}

documents() {
  local document
  judge 'the documents are written' node test/workflows/write-documents.mjs "$url" "$key" "$folder"
  for document in "$folder"/*.json; do judge "lint $(basename "$document")" lint "$document"; done
  for document in workflows/*.arazzo.yaml; do judge "lint $document" lint "$document"; done
}

stories=$(basename --suffix=.arazzo.yaml --multiple workflows/*.arazzo.yaml)
only=${1:-}
[[ -z $only || -f workflows/$only.arazzo.yaml ]] || { echo "no story $only" >&2; exit 2; }
start
[[ -n $only ]] || documents
for time in first second; do
  for name in ${only:-$stories}; do story "$name" "$time"; done
done
exit "$failed"
