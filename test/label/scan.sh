#!/usr/bin/env bash
# Prints labels as a thermal printer does (203 dpi, in grays and in dots alone) and reads the barcode from the whole picture.
# Needs the built package (npm run build) and the Debian packages poppler-utils and zbar-tools.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in pdftoppm zbarimg; do
  if ! command -v "$tool" >/dev/null; then
    echo "label scan skipped: there is no $tool (apt-get install poppler-utils zbar-tools)"
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
      echo "$file $ink: read '$read' instead of $number" >&2
      failed=1
    fi
  done
done <"$folder/labels"
exit "$failed"
