#!/usr/bin/env bash
# Runs the examples as a partner would: copies of them outside the checkout, with the packed package; their tests, then their certification
# by all scenarios. Last a client that does what none should, which must fail for that. One line each; what failed shows its output. A name
# such as `ky` runs that one alone.
# shellcheck disable=SC2317 # the examples are called by their names
set -euo pipefail
cd "$(dirname "$0")/../.."

here=$PWD/test/examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What the bad client fails by: of each scenario the expected calls that did not come, or came too often, and the rules of conduct.
bad_clients_faults='discontinued-product: orders.create ORD-20, no_refused_repeat
inactive-pag: needs_changes
label-expiry: fulfillments.get 200, fresh_label
late-tracking: cursor_to_the_end
lost-answer: orders.create, no_double_submit
maintenance: 500, backoff_on_500
missing-permission: token_reuse
no-pag: orders.create ORD-21, no_refused_repeat
paging-under-change: fulfillments.list 200, backoff_on_500, cursor_to_the_end, cursor_opaque
rate-limit-burst: retry_after
server-errors: backoff_on_500
slow-service: documented_fields
token-expiry: authentication.refresh 200, token_reuse, no_dead_token'

# The package as it would be published, and installed for those that only start its command.
pack() {
  { [[ -f dist/cli.js ]] || npm run build; } &&
    archive=$(npm pack --ignore-scripts --silent --pack-destination "$folder") &&
    tarball=$folder/$archive &&
    install --prefix "$folder/sachet" "$tarball" &&
    export SACHET_COMMAND="node $folder/sachet/node_modules/sachet/dist/cli.js"
}

install() { npm install --prefer-offline --no-audit --no-fund --loglevel=error "$@"; }
sachet() { node "$folder/sachet/node_modules/sachet/dist/cli.js" "$@"; }
service=(--env 'SERVICE_BASE_URL=base_url,SERVICE_USERNAME=username,SERVICE_PASSWORD=password')

npm_example() {
  npm pkg set "devDependencies.sachet=file:$tarball" && install && npm run check && npm test && npm run certify
}
python_example() {
  /usr/bin/python3 -m pytest && sachet certify --out certificate "${service[@]}" -- /usr/bin/python3 certify.py
}
# Maven with the packages that are here, or else with those that it can get.
maven_test() { mvn --batch-mode --offline test || timeout 60 mvn --batch-mode --no-transfer-progress test; }
shell_example() { bash test.sh && sachet certify --out certificate "${service[@]}" -- bash certify.sh; }

bad_client() {
  local outcome=0
  sachet certify --json -- node "$here/bad-client.mjs" >report.json || outcome=$?
  [[ $outcome == 1 ]] || { echo "exit code $outcome, and not 1"; return 1; }
  diff <(echo "$bad_clients_faults") <(faults_in report.json)
}

# FILE: a line for each scenario that failed by it.
faults_in() {
  node --input-type=module - "$1" <<'END'
import { readFileSync } from 'node:fs';
const hasFailed = ({ outcome }) => outcome === 'fail';
for (const { name, expect, conduct } of JSON.parse(readFileSync(process.argv[2], 'utf8')).scenarios.filter(hasFailed)) {
  const unmet = expect.filter(({ satisfied }) => !satisfied).map(({ match }) => Object.values(match).join(' '));
  const broken = conduct.filter(hasFailed).map(({ id }) => id);
  console.log(`${name}: ${[...unmet, ...broken].join(', ')}`);
}
END
}

# What fails once may have met a machine that stood still while a client waited: it is tried again, and says so.
tried() {
  once "$@" && return
  echo "tried again: $1" && tail -n 40 "$folder/$1.log"
  once "$@"
}
once() { (cd "$folder/$1" && "$2") >"$folder/$1.log" 2>&1; }

# NAME FUNCTION [REASON TO SKIP IT]
example() {
  local started=$SECONDS
  [[ -z $only || $only == "$1" ]] || return 0
  if [[ -n ${3:-} ]]; then echo "skipped: $1: $3"; return; fi
  mkdir "$folder/$1"
  [[ ! -d examples/$1 ]] || tar --create --directory "examples/$1" --exclude node_modules . | tar --extract --directory "$folder/$1"
  if tried "$@"; then
    echo "ok: $1 ($((SECONDS - started)) s)"
  else
    echo "failed: $1" && cat "$folder/$1.log"
    return 1
  fi
}

# Two at a time: most of what an example takes is waiting.
begun=()
beside() {
  while (($(jobs -rp | wc -l) >= 2)); do wait -n || true; done
  example "$@" &
  begun+=("$!")
}

# lacks REASON COMMAND…: the reason, where the command fails.
lacks() { "${@:2}" >"$folder/lacks" 2>&1 || echo "$1"; }

# The plugins and packages of the JUnit example are here, or can be downloaded.
maven_resolves() { mkdir "$folder/pom" && cp examples/junit/pom.xml "$folder/pom" && (cd "$folder/pom" && maven_test); }

only=${1:-}
[[ -d examples/$only || $only == bad-client ]] || { echo "no example $only" >&2; exit 2; }
pack >"$folder/pack.log" 2>&1 || { echo 'failed: the package' && cat "$folder/pack.log"; exit 1; }
beside openapi-fetch npm_example
beside ky npm_example
beside shell shell_example "$(lacks 'no jq or curl' type jq curl)"
beside axios npm_example
beside python python_example "$(lacks 'no pytest for /usr/bin/python3' /usr/bin/python3 -m pytest --version)"
beside junit maven_test "$(lacks 'Maven, Java or the packages of the example are missing' maven_resolves)"
beside bad-client bad_client
failed=0
for pid in "${begun[@]}"; do wait "$pid" || failed=1; done
exit "$failed"
