#!/usr/bin/env bash
# Builds the wheel of the pytest plugin, installs it, and runs the tests of the plugin with the built command (npm run build).
# With PYTHON_REQUIRED, missing Debian packages are a failure.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! missing=$(/usr/bin/python3 -c 'import ensurepip, pytest, requests, setuptools, wheel' 2>&1); then
  packages='python3-venv python3-pytest python3-requests python3-setuptools python3-wheel'
  echo "skipped: pytest plugin: ${missing##*$'\n'} (apt-get install $packages)"
  [[ -z ${PYTHON_REQUIRED:-} ]] || exit 1
  exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
test/python/venv.sh "$folder/venv"
SACHET_COMMAND="node $PWD/dist/cli.js" "$folder/venv/bin/python" -m pytest -q -p no:cacheprovider test/python
