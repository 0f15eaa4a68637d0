#!/usr/bin/env bash
# FOLDER: creates a virtual environment with the wheel of the pytest plugin, and with Debian's pytest and requests. Needs no package index.
set -euo pipefail
source=$(dirname "$0")/../../python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# setuptools writes next to the sources.
cp -r "$source" "$source/../package.json" "$work"
/usr/bin/python3 -m venv --system-site-packages "$1"
"$1/bin/pip" wheel --quiet --no-deps --no-build-isolation --no-cache-dir --wheel-dir "$work" "$work/python"
"$1/bin/pip" install --quiet --no-index "$work"/*.whl
