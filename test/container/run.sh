#!/usr/bin/env bash
# Builds the image without a Docker engine (buildah, on a base of Debian packages), runs it in namespaces, and tells what holds.
# Skips, with the reason, where that cannot be. Needs root, the Debian packages buildah and debootstrap, a Debian mirror and the npm registry.
# CONTAINER_BASE: a folder that keeps the base for the next time. DEBIAN_MIRROR: another mirror than debootstrap's own.
set -euo pipefail
cd "$(dirname "$0")/../.."
source test/container/base.sh
source test/container/image.sh
source test/container/container.sh
source test/container/checks.sh

skip() {
  echo "container checks skipped: $1"
  exit 0
}

require() {
  local tool
  [[ $(id -u) == 0 ]] || skip 'they need root'
  for tool in buildah debootstrap npm unshare nsenter setpriv; do
    command -v "$tool" >/dev/null || skip "there is no $tool"
  done
  address=$(hostname --all-ip-addresses | cut --delimiter=' ' --fields=1)
  [[ -n "$address" ]] || skip 'this machine has no address to the outside'
  unshare --mount --pid --fork true 2>/dev/null || skip 'this machine allows no namespaces'
  store from --name probe scratch >/dev/null 2>"$folder/probe" || skip "buildah cannot run here: $(tail -1 "$folder/probe")"
}

clean() {
  if [[ -n "$parent" ]]; then kill -KILL "$parent" 2>/dev/null || true; fi
  if [[ "$had_containers" == no ]]; then rm -rf /var/lib/containers; fi
  rm -rf --one-file-system "$folder"
}

parent=
failures=0
folder=$(mktemp -d)
# buildah keeps one small cache there, wherever its storage is.
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
  echo "$failures failed" >&2
  exit 1
fi
