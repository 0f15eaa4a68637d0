# The checks of the image and of its containers. Each expectation prints one line. Source this file.
checks=(
  contents healthcheck_without_server commands reachable_from_outside generated_admin_key any_user port_from_flag
  state_in_a_volume
)

# expect TEXT COMMAND…: prints whether the command succeeds.
expect() {
  local text=$1
  shift
  if "$@" >/dev/null; then
    echo "ok      $text"
  else
    echo "FAILED  $text"
    failures=$((failures + 1))
  fi
}

contents() {
  local size own
  size=$(store images --format '{{.Size}}' localhost/sachet)
  own=$(du --summarize --human-readable "$root/sachet" | cut --fields=1)
  expect "the image has $size, its folder /sachet has $own" test -s "$root/sachet/dist/cli.js"
  expect 'it adds only /sachet to its base, without a package manager cache' test -z "$(added)"
  expect 'it has no node_modules' test -z "$(find "$root/sachet" -name node_modules)"
  expect "its label has the version $(version)" test "$(configured localhost/sachet "{{index .Docker.Config.Labels \"$annotation.version\"}}")" = "$(version)"
}

readonly annotation=org.opencontainers.image

# Lists the files outside /sachet that the base does not have.
added() {
  diff <(cd "$base" && find . | sort) <(cd "$root" && find . -path ./sachet -prune -o -print | sort) || true
}

healthcheck_without_server() {
  local code=0
  store run --isolation chroot --network host --env SACHET_PORT="$(free_port)" "$container" -- "${health[@]}" >/dev/null 2>&1 || code=$?
  expect "without a server, the health check exits with $code" test "$code" = 1
}

commands() {
  expect 'the entry point accepts commands, for example check' test/container/enter.sh "$root" "$user" "${environment[@]}" "${entrypoint[@]}" check
}

reachable_from_outside() {
  local url key=container-key-1
  start set-key SACHET_PORT="$(free_port)" SACHET_ADMIN_KEY="$key" SACHET_NO_CONSOLE_KEY=true \
    SACHET_ALLOWED_HOSTS="$address" --
  expect_healthy
  expect "process 1 is node with the user $user, without capabilities or new privileges" confined
  expect 'its root is read-only, including /tmp' read_only
  url="http://$address:$(port)"
  expect 'it is reachable from outside: login and order at the address of the machine' test "$(visit order "$url")" = Pending
  expect 'its control API responds for an allowed host' test "$(visit control "$url" "$key")" = 200
  expect 'it does not print an admin key from the settings' fails grep --quiet "$key" "$folder/set-key.out" "$folder/set-key.err"
  expect_end
}

generated_admin_key() {
  local key
  start generated-key SACHET_PORT="$(free_port)" --
  expect_healthy
  key=$(sed --quiet "s/^export SACHET_ADMIN_KEY='\(.*\)'/\1/p" "$folder/generated-key.out")
  expect 'without an admin key, it prints a generated one, which works' test "$(visit control "http://localhost:$(port)" "$key")" = 200
  expect 'its control API rejects other hosts' test "$(visit control "http://$address:$(port)" "$key")" = 403
  expect_end
}

# OpenShift gives each container a user of its own, with the group 0.
any_user() {
  local user=1234567:0
  start any-user SACHET_PORT="$(free_port)" --
  expect_healthy ' as another user'
  expect 'process 1 has that user, and its root is read-only' eval 'confined && read_only'
  expect 'it takes an order' test "$(visit order "http://localhost:$(port)")" = Pending
  expect_end
}

# The flag overrides the variable, for the server and the health check. With the variable's port, the health check finds no server.
port_from_flag() {
  start flag SACHET_PORT="$(free_port)" -- --port "$(free_port)"
  expect_healthy ' with the port from a flag'
  expect_end
}

# A new volume has the contents and the owner of the image's folder.
state_in_a_volume() {
  local url before
  cp --archive "$root/sachet/state" "$folder/volume"
  volume=$folder/volume
  start volume SACHET_PORT="$(free_port)" SACHET_STATE=/sachet/state --
  expect_healthy ' with the state in a volume'
  url="http://localhost:$(port)"
  visit order "$url" >/dev/null
  before=$(visit orders "$url")
  kill -KILL "$server"
  wait "$parent" || true
  start again SACHET_PORT="$(free_port)" SACHET_STATE=/sachet/state --
  expect 'after a kill, a new container is healthy within ten seconds' within 10000 in_container "${health[@]}"
  expect 'the new container has the same orders' test -n "$before" -a "$(visit orders "http://localhost:$(port)")" = "$before"
  expect_end
  expect 'after a stop, no lock remains' test ! -e "$volume/lock"
  volume=
}

expect_healthy() {
  local healthy
  if within 10000 in_container "${health[@]}"; then
    healthy=$(($(now) - started))
    expect "healthy $healthy ms after the start${1:-} (an engine checks every $interval)" test "$healthy" -le 5000
  else
    expect "healthy within ten seconds${1:-}" false
  fi
}

expect_end() {
  stop
  expect "SIGTERM ends it in $took ms with exit code $code" test "$took" -lt 1000 -a "$code" = 0
}

confined() {
  local status="/proc/$server/status"
  [[ "$(readlink "/proc/$server/exe")" == */node ]] && grep -q '^NSpid:.*\b1$' "$status" &&
    grep -qP "^Uid:(\t${user%:*}){4}$" "$status" && grep -qP "^Gid:(\t${user#*:}){4}$" "$status" && [[ "${user%:*}" != 0 ]] &&
    grep -qP '^CapBnd:\t0+$' "$status" && grep -qP '^CapEff:\t0+$' "$status" && grep -qP '^NoNewPrivs:\t1$' "$status"
}

# The port from the server's variable.
port() { printf '%s\n' "${settings[@]}" | sed --quiet 's/^SACHET_PORT=//p'; }

visit() { node test/container/visit.mjs "$@"; }

read_only() { [[ "$(in_container sh -c ': >/tmp/probe' 2>&1)" == *'Read-only file system'* ]]; }

fails() { ! "$@" 2>/dev/null; }
