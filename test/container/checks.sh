# What must hold of the image and of a container of it, one line each. To be sourced.
checks=(contents without_server one_command reached_from_outside key_of_its_own port_by_flag state_in_a_volume)

# expect TEXT COMMAND…
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
  expect "the image is $size, of which /sachet is $own" test -s "$root/sachet/dist/cli.js"
  expect 'it adds to its base /sachet alone: no package manager cache' test -z "$(added)"
  expect 'there is no node_modules in it' test -z "$(find "$root/sachet" -name node_modules)"
  expect "its version is $(version), by label" test "$(configured localhost/sachet "{{index .Docker.Config.Labels \"$annotation.version\"}}")" = "$(version)"
}

readonly annotation=org.opencontainers.image

# What the image has outside /sachet and the base has not.
added() {
  diff <(cd "$base" && find . | sort) <(cd "$root" && find . -path ./sachet -prune -o -print | sort) || true
}

without_server() {
  local code=0
  store run --isolation chroot --network host --env SACHET_PORT="$(free_port)" "$container" -- "${health[@]}" >/dev/null 2>&1 || code=$?
  expect "the health check exits with $code where no server runs" test "$code" = 1
}

one_command() {
  expect 'the entry point takes commands: check' test/container/enter.sh "$root" "$user" "${environment[@]}" "${entrypoint[@]}" check
}

reached_from_outside() {
  local url key=container-key-1
  start given SACHET_PORT="$(free_port)" SACHET_ADMIN_KEY="$key" SACHET_ALLOWED_HOSTS="$address" --
  expect_healthy
  expect "process 1 is node as $user, without capabilities or new privileges" confined
  expect 'its root is read-only: not even /tmp is written' read_only
  url="http://$address:$(port)"
  expect 'it listens to the outside: login and order at the address of the machine' test "$(visit order "$url")" = Pending
  expect 'its control API answers under an allowed host' test "$(visit control "$url" "$key")" = 200
  expect 'a given admin key is not printed' refused grep --quiet "$key" "$folder/given.out" "$folder/given.err"
  expect_end
}

key_of_its_own() {
  local key
  start made SACHET_PORT="$(free_port)" --
  expect_healthy
  key=$(sed --quiet "s/^export SACHET_ADMIN_KEY='\(.*\)'/\1/p" "$folder/made.out")
  expect 'without an admin key one is printed, and works' test "$(visit control "http://localhost:$(port)" "$key")" = 200
  expect 'its control API answers under no other host' test "$(visit control "http://$address:$(port)" "$key")" = 403
  expect_end
}

# The flag beats the variable, for the health check as for the server; by the variable it would find nobody.
port_by_flag() {
  start flag SACHET_PORT="$(free_port)" -- --port "$(free_port)"
  expect_healthy ', its port given by a flag'
  expect_end
}

# A new volume is as the image's folder is.
state_in_a_volume() {
  local url before
  cp --archive "$root/sachet/state" "$folder/volume"
  volume=$folder/volume
  start volume SACHET_PORT="$(free_port)" SACHET_STATE=/sachet/state --
  expect_healthy ', its state in a volume'
  url="http://localhost:$(port)"
  visit order "$url" >/dev/null
  before=$(visit orders "$url")
  kill -KILL "$server"
  wait "$parent" || true
  start again SACHET_PORT="$(free_port)" SACHET_STATE=/sachet/state --
  expect 'killed, and started again as another container, it answers within ten seconds' within 10000 beside_server "${health[@]}"
  expect 'the orders are there again' test -n "$before" -a "$(visit orders "http://localhost:$(port)")" = "$before"
  expect_end
  expect 'stopped, it leaves no lock' test ! -e "$volume/lock"
  volume=
}

expect_healthy() {
  local healthy
  if within 10000 beside_server "${health[@]}"; then
    healthy=$(($(now) - started))
    expect "healthy $healthy ms after the start${1:-} (an engine asks every $interval)" test "$healthy" -le 2000
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

# The port that the server was given by its variable.
port() { printf '%s\n' "${settings[@]}" | sed --quiet 's/^SACHET_PORT=//p'; }

visit() { node test/container/visit.mjs "$@"; }

read_only() { [[ "$(beside_server sh -c ': >/tmp/probe' 2>&1)" == *'Read-only file system'* ]]; }

refused() { ! "$@" 2>/dev/null; }
