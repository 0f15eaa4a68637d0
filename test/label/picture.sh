#!/usr/bin/env bash
# Renders the picture of a label for the docs. Needs the built package (npm run build) and the Debian package poppler-utils.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
node test/label/write-labels.mjs "$folder" >/dev/null
pdftoppm -r 110 -gray -png -singlefile "$folder/usps.pdf" docs/label
