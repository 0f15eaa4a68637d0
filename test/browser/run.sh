#!/usr/bin/env bash
# Runs the tests in a real browser. Without Chromium, they are skipped, or fail if CHROMIUM_REQUIRED is set. Passes its arguments to vitest, for
# example -t 'a page'.
set -euo pipefail
cd "$(dirname "$0")/../.."

for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
  if [[ -n "$candidate" ]] && found=$(command -v "$candidate"); then
    CHROMIUM="$found" exec npx vitest run --root . --config test/browser/vitest.config.ts "$@"
  fi
done
echo 'skipped: Chromium not found. Install it (Debian: apt install chromium), or set CHROMIUM to its path.' >&2
[[ -z "${CHROMIUM_REQUIRED:-}" ]]
