#!/usr/bin/env bash
# Runs the stress test; `dist` must be built. --short scales everything down, to about three minutes. Other arguments go to
# vitest, such as -t 'a soak'. UPDATE_DOCS=1 writes the table of a whole long run into docs/explanation/reliability.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ "${1:-}" == --short ]]; then export STRESS=short; shift; fi
if [[ "$(uname -s)" != Linux ]]; then echo 'skipped: the stress test reads /proc, so it needs Linux' >&2; exit 0; fi
# Each certificate of it is read by every process that starts.
unset NODE_EXTRA_CA_CERTS
exec npx vitest run --root . --config test/stress/vitest.config.ts "$@"
