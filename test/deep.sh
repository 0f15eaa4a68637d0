#!/usr/bin/env bash
# Runs the tests that `npm test` leaves out, against the built command (npm run build). A step without its tools is skipped and prints the reason,
# unless POSTGRES_REQUIRED, CHROMIUM_REQUIRED or PYTHON_REQUIRED is set. All steps run, also after one that failed.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
npx vitest run --project '!fast*' || failed=1
# The browser runs beside the other scripts, which mostly wait.
test/browser/run.sh & browser=$!
for script in examples/run.sh workflows/run.sh generators/run.sh mcp/inspector.sh container/run.sh label/scan.sh \
  python/run.sh release/run.sh; do
  "test/$script" || failed=1
done
wait "$browser" || failed=1
test/stress/run.sh --short || failed=1
exit "$failed"
