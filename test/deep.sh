#!/usr/bin/env bash
# Runs the tests that `npm test` leaves out, against the built command (npm run build). A step without its tools is skipped and prints the reason,
# unless POSTGRES_REQUIRED or CHROMIUM_REQUIRED is set.
set -euo pipefail
cd "$(dirname "$0")/.."
npx vitest run --project '!fast'
test/examples/run.sh
test/workflows/run.sh
test/generators/run.sh
test/container/run.sh
test/label/scan.sh
test/browser/run.sh
test/stress/run.sh --short
