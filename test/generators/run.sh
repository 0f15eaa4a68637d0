#!/usr/bin/env bash
# Generates clients from the OpenAPI documents of the built server (npm run build), compiles them with `tsc --strict`, and runs each one: it logs
# in, creates an order and lists fulfillments. Also lints the documents and the workflows with Spectral. Prints one line per check, and the output of
# each failed one.
# shellcheck disable=SC2317 # the trap calls clean
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
key=generators-admin-key

# The clients are not in the checkout, where other tests would find them. The packages are installed once for each lockfile.
folder=$(mktemp -d)
packages=$root/node_modules/.cache/generators-$(cksum <test/generators/package-lock.json | tr ' ' -)
export PATH=$packages/node_modules/.bin:$PATH DO_NOT_TRACK=1
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

# Installs under another name first, so that an interrupted run leaves no incomplete packages.
install() {
  mkdir -p "$packages.$$"
  cp package.json package-lock.json "$packages.$$"
  npm ci --prefix "$packages.$$" --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
  rm -rf "$packages" && mv "$packages.$$" "$packages"
}

start() {
  exec 3< <(exec node "$root/dist/cli.js" --port 0 --json --log off --admin-key "$key")
  server=$!
  read -r ready <&3 || { echo 'failed: the server did not start' >&2; exit 1; }
  url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' <<<"$ready")
}

documents() {
  local version
  mkdir generated
  for version in 3.1 3.0; do
    node "$root/dist/cli.js" openapi --url "$url" --version "$version" >"generated/service-$version.json"
    node "$root/dist/cli.js" openapi --url "$url" --version "$version" --control >"generated/control-$version.json"
  done
}

# Generators that take any document: a client of the service, and one of the control API.
both() {
  local of
  for of in service control; do
    check "hey-api, $of" openapi-ts --input "./generated/$of-3.1.json" --output "generated/hey-api-$of" --client @hey-api/client-fetch
    check "oazapfts, $of" oazapfts "generated/$of-3.1.json" "generated/oazapfts-$of.ts"
    check "swagger-typescript-api, $of" swagger-typescript-api generate --path "generated/$of-3.1.json" --output generated --name "swagger-typescript-api-$of.ts"
    check "typed-openapi, $of" typed-openapi "generated/$of-3.1.json" --output "generated/typed-openapi-$of.ts"
    check "openapi-zod-client, $of" openapi-zod-client "generated/$of-3.0.json" --output "generated/zod-client-$of.ts"
  done
}

cp test/generators/* "$folder"
cd "$folder"
if [[ ! -d $packages ]]; then check 'npm ci' install; fi
ln -s "$packages/node_modules" node_modules
start
documents
check 'spectral, documents' spectral lint --ruleset spectral.yaml --fail-severity hint generated/*.json
check 'spectral, workflows' spectral lint --ruleset spectral.yaml --fail-severity hint "$root"/workflows/*.arazzo.yaml
both
check 'orval' orval --config orval.config.cjs
check 'kubb' kubb generate --config kubb.config.mjs
check 'tsc --strict' tsc
for client in hey-api orval-fetch orval-axios kubb oazapfts swagger-typescript-api typed-openapi openapi-zod-client; do
  check "$client, against the server" node generated/js/clients.js "$client" "$url" "$key"
done
exit "$failed"
