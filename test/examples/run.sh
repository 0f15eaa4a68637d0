#!/usr/bin/env bash
# Runs each example as a partner would: copies it out of the checkout, installs the packed package, runs its tests, and certifies it with all
# scenarios. Then certifies a client with many mistakes, which must fail, and uses HTTPS from Python. Prints one line per example, and the
# output of each failed one.
# An argument such as `ky` runs only that example.
# shellcheck disable=SC2317 # the examples are called by name
set -euo pipefail
cd "$(dirname "$0")/../.."

here=$PWD/test/examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The expected failures of the bad client, per scenario: expected requests that were missing or too many, outcomes that it missed, and
# rules of conduct.
bad_client_failures='discontinued-product: orders.create ORD-20, no_refused_repeat
inactive-pag: order_followed, needs_changes
label-expiry: fulfillments.get 200, label_downloaded, fresh_label
late-tracking: all_fulfillments_read, cursor_to_the_end
lost-answer: orders.create, order_followed, no_double_submit
maintenance: 500, order_followed, all_fulfillments_read, label_downloaded, backoff_on_500
missing-permission: all_fulfillments_read, token_reuse, no_refused_repeat
no-pag: orders.create ORD-21, no_refused_repeat
paging-under-change: fulfillments.list 200, all_fulfillments_read, backoff_on_500, cursor_to_the_end, cursor_opaque
rate-limit-burst: retry_after
server-errors: all_fulfillments_read, backoff_on_500, no_double_submit
slow-service: documented_fields
token-expiry: authentication.refresh 200, token_reuse, no_dead_token'

# Packs the package, and installs it for the examples that only start its command.
pack() {
  { [[ -f dist/cli.js ]] || npm run build; } &&
    archive=$(npm pack --ignore-scripts --silent --pack-destination "$folder") &&
    tarball=$folder/$archive &&
    install --prefix "$folder/sachet" "$tarball" &&
    export SACHET_COMMAND="node $folder/sachet/node_modules/sachet/dist/cli.js"
}

install() { npm install --prefer-offline --no-audit --no-fund --loglevel=error "$@"; }
cli=$folder/sachet/node_modules/sachet/dist/cli.js
sachet() { node "$cli" "$@"; }
service=(--env 'SERVICE_BASE_URL=base_url,SERVICE_USERNAME=username,SERVICE_PASSWORD=password')

npm_example() {
  npm pkg set "devDependencies.sachet=file:$tarball" && install && npm run check && npm test && npm run certify
}
python_example() {
  "$here/../python/venv.sh" .venv && .venv/bin/python -m pytest && sachet certify --out certificate "${service[@]}" -- /usr/bin/python3 certify.py
}
# Maven with the packages that are here, or else with those that it can get.
maven_test() { mvn --batch-mode --offline test || timeout 60 mvn --batch-mode --no-transfer-progress test; }
# A test that fails must print the reason of its refused call.
java_example() {
  maven_test && cp "$here/RefusedCall.java" src/test/java &&
    { mvn --batch-mode --offline test -Dtest=RefusedCall 2>&1 || true; } | tee failed.log &&
    grep --quiet '^  GET /v2/products 401 Rejected by missing_token_message' failed.log
}
shell_example() { bash test.sh && sachet certify --out certificate "${service[@]}" -- bash certify.sh; }

bad_client() {
  local outcome=0
  sachet certify --json -- node "$here/bad-client.mjs" >report.json || outcome=$?
  [[ $outcome == 1 ]] || { echo "expected exit code 1, got $outcome"; return 1; }
  diff <(echo "$bad_client_failures") <(failures_in report.json)
}

# A session over HTTPS with Python's requests, which verifies the certificate that the server made.
https_client() {
  local server outcome=0
  # Not the function: a signal would end its shell, and leave the server running.
  node "$cli" --tls self-signed --port 0 --json --log off >ready.json & server=$!
  until [[ -s ready.json ]] || ! kill -0 "$server"; do sleep 0.1; done
  REQUESTS_CA_BUNDLE=sachet-ca.pem /usr/bin/python3 "$here/https_client.py" ready.json || outcome=$?
  kill "$server"
  return "$outcome"
}

# FILE: prints a line for each failed scenario of a report.
failures_in() {
  node --input-type=module - "$1" <<'END'
import { readFileSync } from 'node:fs';
const hasFailed = ({ outcome }) => outcome === 'fail';
for (const { name, expect, outcomes, conduct } of JSON.parse(readFileSync(process.argv[2], 'utf8')).scenarios.filter(hasFailed)) {
  const unmet = expect.filter(({ satisfied }) => !satisfied).map(({ match }) => Object.values(match).join(' '));
  const missing = outcomes.filter(({ reached }) => !reached).map(({ id }) => id);
  const broken = conduct.filter(({ outcome }) => outcome !== 'pass').map(({ id }) => id);
  console.log(`${name}: ${[...unmet, ...missing, ...broken].join(', ')}`);
}
END
}

# Repeats a failed example once and prints this, because a busy machine can delay a client too long.
run_with_retry() {
  run_once "$@" && return
  echo "retried: $1" && tail -n 40 "$folder/$1.log"
  run_once "$@"
}
run_once() { (cd "$folder/$1" && "$2") >"$folder/$1.log" 2>&1; }

# NAME FUNCTION [REASON TO SKIP IT]: runs an example and prints its result.
example() {
  local started=$SECONDS
  [[ -z $only || $only == "$1" ]] || return 0
  if [[ -n ${3:-} ]]; then echo "skipped: $1: $3"; return; fi
  mkdir "$folder/$1"
  [[ ! -d examples/$1 ]] || tar --create --directory "examples/$1" --exclude node_modules . | tar --extract --directory "$folder/$1"
  if run_with_retry "$@"; then
    echo "ok: $1 ($((SECONDS - started)) s)"
  else
    echo "failed: $1" && cat "$folder/$1.log"
    return 1
  fi
}

# Runs four examples at a time, because they mostly wait.
pids=()
run_in_background() {
  while (($(jobs -rp | wc -l) >= 4)); do wait -n || true; done
  example "$@" &
  pids+=("$!")
}

# lacks REASON COMMAND…: prints the reason if the command fails.
lacks() { "${@:2}" >"$folder/lacks" 2>&1 || echo "$1"; }

# The plugins and packages of the Java example are here, or can be downloaded.
maven_resolves() { mkdir "$folder/pom" && cp examples/java/pom.xml "$folder/pom" && (cd "$folder/pom" && maven_test); }

python_imports='import ensurepip, pytest, requests, setuptools, wheel'
only=${1:-}
[[ -d examples/$only || $only == bad-client || $only == https ]] || { echo "unknown example \"$only\"; choose a folder of examples/, bad-client or https" >&2; exit 2; }
pack >"$folder/pack.log" 2>&1 || { echo 'failed: the package' && cat "$folder/pack.log"; exit 1; }
run_in_background openapi-fetch npm_example
run_in_background ky npm_example
run_in_background shell shell_example "$(lacks 'jq or curl is not installed' type jq curl)"
run_in_background axios npm_example
run_in_background python python_example "$(lacks 'pytest or a package of the plugin is not installed for /usr/bin/python3' /usr/bin/python3 -c "$python_imports")"
run_in_background java java_example "$(lacks 'Maven, Java or the packages of the example are missing' maven_resolves)"
run_in_background bad-client bad_client
run_in_background https https_client "$(lacks 'requests is not installed for /usr/bin/python3' /usr/bin/python3 -c 'import requests')"
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
exit "$failed"
