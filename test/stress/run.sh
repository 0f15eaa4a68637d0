#!/usr/bin/env bash
# Runs the stress tests against the built server (npm run build). --short runs a small version in about a minute. Passes other arguments to
# vitest, for example -t soak for one row. UPDATE_DOCS=1 writes the table of a full long run into docs/explanation/reliability.md.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ "${1:-}" == --short ]]; then export STRESS=short; shift; fi
if [[ "$(uname -s)" != Linux ]]; then echo 'skipped: the stress tests read /proc, which only Linux has' >&2; exit 0; fi
# Otherwise each started process reads all of its certificates.
unset NODE_EXTRA_CA_CERTS
exec npx vitest run --root . --config test/stress/vitest.config.ts "$@"
