#!/usr/bin/env bash
# Runs the examples as a partner would: copies of them outside the checkout, with the packed package. One line each; what failed shows its
# output. A name such as `ky` runs that one alone.
# shellcheck disable=SC2317 # the examples are called by their names
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# The package as it would be published, and installed for those that only start its command.
pack() {
  { [[ -f dist/cli.js ]] || npm run build; } &&
    archive=$(npm pack --ignore-scripts --silent --pack-destination "$folder") &&
    tarball=$folder/$archive &&
    install --prefix "$folder/sachet" "$tarball" &&
    export SACHET_COMMAND="node $folder/sachet/node_modules/sachet/dist/cli.js"
}

install() { npm install --prefer-offline --no-audit --no-fund --loglevel=error "$@"; }

npm_example() {
  npm pkg set "devDependencies.sachet=file:$tarball" && install && npm run check && npm test
}
python_example() { /usr/bin/python3 -m pytest; }
shell_example() { bash test.sh; }

# NAME FUNCTION [REASON TO SKIP IT]
example() {
  local started=$SECONDS
  [[ -z $only || $only == "$1" ]] || return 0
  if [[ -n ${3:-} ]]; then echo "skipped: $1: $3"; return; fi
  mkdir "$folder/$1"
  tar --create --directory "examples/$1" --exclude node_modules . | tar --extract --directory "$folder/$1"
  if (cd "$folder/$1" && "$2") >"$folder/$1.log" 2>&1; then
    echo "ok: $1 ($((SECONDS - started)) s)"
  else
    echo "failed: $1" && cat "$folder/$1.log"
    failed=1
  fi
}

# lacks REASON COMMAND…: the reason, where the command fails.
lacks() { "${@:2}" >"$folder/lacks" 2>&1 || echo "$1"; }

only=${1:-}
[[ -d examples/$only ]] || { echo "no example $only" >&2; exit 2; }
pack >"$folder/pack.log" 2>&1 || { echo 'failed: the package' && cat "$folder/pack.log"; exit 1; }
example ky npm_example
example axios npm_example
example openapi-fetch npm_example
example python python_example "$(lacks 'no pytest for /usr/bin/python3' /usr/bin/python3 -m pytest --version)"
example shell shell_example "$(lacks 'no jq or curl' type jq curl)"
exit "$failed"
