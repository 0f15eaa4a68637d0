#!/usr/bin/env bash
# Builds the image without a Docker engine (with buildah, on a base of Debian packages), runs it in namespaces, and prints the results.
# Needs root, the Debian packages buildah and debootstrap, a Debian mirror and the npm registry. Without them, the checks are skipped.
# CONTAINER_BASE: a folder that keeps the base for the next run. DEBIAN_MIRROR: use this mirror instead of debootstrap's default.
set -euo pipefail
cd "$(dirname "$0")/../.."
source test/container/base.sh
source test/container/image.sh
source test/container/container.sh
source test/container/checks.sh

skip() {
  echo "skipped: container checks: $1"
  exit 0
}

require() {
  local tool
  [[ $(id -u) == 0 ]] || skip 'they need root'
  for tool in buildah debootstrap npm unshare nsenter setpriv; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
  done
  address=$(hostname --all-ip-addresses | cut --delimiter=' ' --fields=1)
  [[ -n "$address" ]] || skip 'this machine has no external address'
  unshare --mount --pid --fork true 2>/dev/null || skip 'this machine does not allow namespaces'
  store from --name probe scratch >/dev/null 2>"$folder/probe" || skip "buildah failed: $(tail -1 "$folder/probe")"
}

clean() {
  if [[ -n "$parent" ]]; then kill -KILL "$parent" 2>/dev/null || true; fi
  if [[ "$had_containers" == no ]]; then rm -rf /var/lib/containers; fi
  rm -rf --one-file-system "$folder"
}

parent=
failures=0
folder=$(mktemp -d)
# buildah always keeps a small cache there, even with another storage.
if [[ -e /var/lib/containers ]]; then had_containers=yes; else had_containers=no; fi
trap clean EXIT
require

base=${CONTAINER_BASE:-$folder/base}
[[ -x "$base/usr/local/bin/node" ]] || make_base "$base"
base_image localhost/base "$base"
build_image localhost/sachet localhost/base
read_configuration localhost/sachet
container=$(store from --pull-never localhost/sachet)
root=$(store mount "$container")

echo "$(buildah --version | cut --delimiter=' ' --fields=1-3), base: Debian $(<"$root/etc/debian_version"), Node.js $(chroot "$root" node --version)"
for check in "${checks[@]}"; do "$check"; done
if ((failures > 0)); then
  echo "failed: $failures checks" >&2
  exit 1
fi
