#!/usr/bin/env bash
# Runs the built library in other runtimes with Web APIs: Deno, Bun and workerd. Each must print the same results as Node. Their binaries are
# npm packages, which are installed for this run only.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(uname -sm)" != 'Linux x86_64' ]; then echo 'skipped: the binaries need Linux on x86_64'; exit 0; fi
[ -f dist/index.js ] || npm run build
packages=(@deno/linux-x64-glibc @oven/bun-linux-x64-baseline @cloudflare/workerd-linux-64)
here=$(mktemp -d)
worker=
trap '[ -z "$worker" ] || kill "$worker" 2>/dev/null || true; rm -rf "$here"' EXIT
npm install --prefix "$here" --ignore-scripts --no-audit --no-fund "${packages[@]}" >/dev/null
bin=$here/node_modules
expected=$(node test/runtimes/print-results.mjs)
echo "Node $(node --version): $expected"

compare() { # RUNTIME RESULTS
  echo "$1: $2"
  [ "$2" = "$expected" ] || { echo "$1 printed other results than Node" >&2; exit 1; }
}

# workerd writes its port to a file descriptor.
run_in_workerd() {
  cp -r --parents dist test/runtimes "$here"
  node test/runtimes/workerd.mjs > "$here/config.capnp"
  "$bin/@cloudflare/workerd-linux-64/bin/workerd" serve "$here/config.capnp" --control-fd=3 3> >(tee "$here/control" >/dev/null) &
  worker=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$here/control" 2>/dev/null || true)
    [ -n "$port" ] && break
    sleep 0.1
  done
  curl --silent --fail --noproxy '*' "http://127.0.0.1:$port/"
}

compare "$("$bin/@deno/linux-x64-glibc/deno" --version | head -1)" "$("$bin/@deno/linux-x64-glibc/deno" run test/runtimes/print-results.mjs)"
compare "Bun $("$bin/@oven/bun-linux-x64-baseline/bin/bun" --version)" "$("$bin/@oven/bun-linux-x64-baseline/bin/bun" test/runtimes/print-results.mjs)"
run_in_workerd > "$here/worker.txt"
compare "$("$bin/@cloudflare/workerd-linux-64/bin/workerd" --version)" "$(cat "$here/worker.txt")"
