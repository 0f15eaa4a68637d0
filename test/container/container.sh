# A container of the image: started, spoken to, ended. To be sourced.

# A folder of the host that is mounted at /sachet/state; none where it is empty.
volume=

# start OUTPUT [NAME=VALUE…] -- [ARGUMENT…]: the entry point, its output in files of that name. Sets server, the process as the host sees it.
start() {
  local output=$1
  shift
  settings=()
  while [[ "$1" != -- ]]; do settings+=("$1"); shift; done
  shift
  started=$(now)
  VOLUME=$volume test/container/enter.sh "$root" "$user" "${environment[@]}" "${settings[@]}" "${entrypoint[@]}" "$@" \
    >"$folder/$output.out" 2>"$folder/$output.err" &
  parent=$!
  within 10000 process_one || { echo "the container does not start: $(cat "$folder/$output.err")" >&2; return 1; }
}

# There once it has its own root.
process_one() {
  server=$(tr --delete ' ' <"/proc/$parent/task/$parent/children")
  [[ -n "$server" && "$(readlink "/proc/$server/root")" == "$root" ]]
}

# beside_server COMMAND…: in the server's container, as `docker exec` does. A health check is such a command.
beside_server() {
  nsenter --target "$server" --mount --pid --root --wd --setuid "${user%:*}" --setgid "${user#*:}" \
    env --ignore-environment "${environment[@]}" "${settings[@]}" "$@"
}

# stop: SIGTERM to the server alone. Sets code and took, in milliseconds.
stop() {
  local asked
  asked=$(now)
  kill -TERM "$server"
  code=0
  wait "$parent" || code=$?
  took=$(($(now) - asked))
  parent=
}

# A port that nobody listens on.
free_port() {
  node -e 'const server = require("node:net").createServer().listen(0, () => { console.log(server.address().port); server.close(); })'
}

now() { date +%s%3N; }

# within MILLISECONDS COMMAND…: asks again until the command succeeds or the time is over.
within() {
  local deadline=$(($(now) + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if (($(now) > deadline)); then return 1; fi
    sleep 0.01
  done
}
