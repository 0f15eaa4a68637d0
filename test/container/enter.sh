#!/usr/bin/env bash
# Usage: enter.sh ROOT UID:GID [NAME=VALUE…] COMMAND…
# Runs a command as a container engine does: as process 1 of its own process namespace, on a read-only root, without capabilities or new
# privileges. It uses the host's network, and mounts VOLUME at /sachet/state. Exits with the command's exit code.
set -euo pipefail

# If this process is killed, the command is killed, too: by --kill-child at first, and by --pdeathsig after the change of the user, which
# makes the kernel forget --kill-child.
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
