#!/usr/bin/env bash
# Runs the checks in a real browser; skips them, with the reason, where there is none, unless CHROMIUM_REQUIRED is set. Arguments go to vitest, such as
# -t 'a page'.
set -euo pipefail
cd "$(dirname "$0")/../.."

for candidate in "${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do
  if [[ -n "$candidate" ]] && found=$(command -v "$candidate"); then
    CHROMIUM="$found" exec npx vitest run --root . --config test/browser/vitest.config.ts "$@"
  fi
done
echo 'skipped: no Chromium found; install it (Debian: apt install chromium), or set CHROMIUM to the path of one' >&2
[[ -z "${CHROMIUM_REQUIRED:-}" ]]
