#!/usr/bin/env bash
# Renders labels like a thermal printer (203 dpi, in grayscale and in black and white) and scans the barcode in each picture.
# Needs the built package (npm run build) and the Debian packages poppler-utils and zbar-tools.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in pdftoppm zbarimg; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: label scan: $tool is not installed (apt-get install poppler-utils zbar-tools)"
    exit 0
  fi
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
node test/label/write-labels.mjs "$folder" >"$folder/labels"

failed=0
while read -r file number; do
  for ink in -gray -mono; do
    pdftoppm -r 203 "$ink" -png -singlefile "$folder/$file.pdf" "$folder/$file"
    read=$(zbarimg --quiet --raw --nodbus "$folder/$file.png" || true)
    if [[ "$read" == "$number" ]]; then
      echo "$file $ink: $read"
    else
      echo "$file $ink: expected $number, got '$read'" >&2
      failed=1
    fi
  done
done <"$folder/labels"
exit "$failed"
