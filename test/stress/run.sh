#!/usr/bin/env bash
# Measures what the server withstands; `dist` must be built. --short: everything scaled down, in some three minutes. Other arguments go to vitest,
# such as -t 'a soak'. UPDATE_DOCS=1 writes the table of a whole long run into docs/reliability.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ "${1:-}" == --short ]]; then export STRESS=short; shift; fi
if [[ "$(uname -s)" != Linux ]]; then echo 'skipped: the figures are read from /proc, which only Linux has' >&2; exit 0; fi
# Each certificate of it is read by every process that starts.
unset NODE_EXTRA_CA_CERTS
exec npx vitest run --root . --config test/stress/vitest.config.ts "$@"
