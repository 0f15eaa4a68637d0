#!/usr/bin/env bash
# Runs a command as an engine would run it in a container: as process 1 of its own process namespace, on a read-only root, as a user without
# capabilities, who gains no new ones; the network is the host's. VOLUME is mounted at /sachet/state. `enter.sh ROOT UID:GID [NAME=VALUE…] COMMAND…`; the exit code is the command's.
set -euo pipefail

# Whoever ends this ends the command: --kill-child until the user changes, which makes the kernel forget it, --pdeathsig from then on.
exec unshare --mount --pid --fork --kill-child sh -euc '
  root=$1 user=${2%:*} group=${2#*:}
  shift 2
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc"
  mount --bind /dev/null "$root/dev/null"
  if [ -n "${VOLUME:-}" ]; then mount --bind "$VOLUME" "$root/sachet/state"; fi
  exec chroot "$root" setpriv --reuid="$user" --regid="$group" --clear-groups --bounding-set=-all --no-new-privs --pdeathsig=KILL \
    env --ignore-environment "$@"' sh "$@"
