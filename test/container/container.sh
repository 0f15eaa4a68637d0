# A container of the image's files, as an engine would start it: process 1 of its own process namespace, the image's user, environment and
# entry point, a read-only root, no capabilities, no new privileges; the network is the host's. To be sourced.

# Runs inside the new namespaces, as root of the host: root, user, group, then the environment and the command.
readonly enter='
  root=$1 user=$2 group=$3; shift 3
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc"
  mount --bind /dev/null "$root/dev/null"
  exec chroot "$root" setpriv --reuid="$user" --regid="$group" --clear-groups --bounding-set=-all --no-new-privs env --ignore-environment "$@"'

# in_container [NAME=VALUE…] COMMAND…: the command as process 1.
in_container() {
  unshare --mount --pid --fork --kill-child sh -euc "$enter" enter "$root" "${user%:*}" "${user#*:}" "${environment[@]}" "$@"
}

# start OUTPUT [NAME=VALUE…] -- [ARGUMENT…]: the entry point, its output in files of that name. Sets server, the process as the host sees it.
start() {
  local output=$1
  shift
  settings=()
  while [[ "$1" != -- ]]; do settings+=("$1"); shift; done
  shift
  started=$(now)
  in_container "${settings[@]}" "${entrypoint[@]}" "$@" >"$folder/$output.out" 2>"$folder/$output.err" &
  parent=$!
  within 10000 process_one
}

# Known once the new process 1 has its own root.
process_one() {
  read -r server <"/proc/$parent/task/$parent/children" && [[ "$(readlink "/proc/$server/root")" == "$root" ]]
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
  done
}
