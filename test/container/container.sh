# Functions that start, inspect and stop a container of the image. Source this file.

# A folder of the host to mount at /sachet/state, or empty.
volume=

# start OUTPUT [NAME=VALUE…] -- [ARGUMENT…]: runs the entry point and writes its output to files with this name. Sets server to the process id on
# the host.
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
  within 10000 process_one || { echo "the container did not start: $(cat "$folder/$output.err")" >&2; return 1; }
}

# Succeeds when the server's process has its own root.
process_one() {
  server=$(tr --delete ' ' <"/proc/$parent/task/$parent/children")
  [[ -n "$server" && "$(readlink "/proc/$server/root")" == "$root" ]]
}

# in_container COMMAND…: runs a command in the server's container, as `docker exec` does. A health check is such a command.
in_container() {
  nsenter --target "$server" --mount --pid --root --wd --setuid "${user%:*}" --setgid "${user#*:}" \
    env --ignore-environment "${environment[@]}" "${settings[@]}" "$@"
}

# stop: sends SIGTERM to the server only. Sets code, and took in milliseconds.
stop() {
  local asked
  asked=$(now)
  kill -TERM "$server"
  code=0
  wait "$parent" || code=$?
  took=$(($(now) - asked))
  parent=
}

# Prints a free port.
free_port() {
  node -e 'const server = require("node:net").createServer().listen(0, () => { console.log(server.address().port); server.close(); })'
}

now() { date +%s%3N; }

# within MILLISECONDS COMMAND…: repeats the command until it succeeds or the time is over.
within() {
  local deadline=$(($(now) + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    if (($(now) > deadline)); then return 1; fi
    sleep 0.01
  done
}
