# Functions that build a base image from packages: Debian with the same Node.js and npm as the official image. Source this file.

# make_base FOLDER: writes the base image's root into the folder.
make_base() {
  local packages="$folder/packages"
  mkdir -p "$1"
  debootstrap --variant=minbase bookworm "$1" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$folder/debootstrap.log" 2>&1 ||
    skip "debootstrap failed: $(tail -1 "$folder/debootstrap.log")"
  npm install --silent --no-save --prefix "$packages" "node-linux-$(node -p process.arch)@24" npm@11
  install "$packages"/node_modules/node-linux-*/bin/node "$1/usr/local/bin/node"
  mkdir -p "$1/usr/local/lib/node_modules"
  mv "$packages/node_modules/npm" "$1/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
  rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/usr/share/{doc,locale,man} "$packages"
}

# base_image NAME FOLDER: creates an image with this root.
base_image() {
  local container
  container=$(store from scratch)
  store add --quiet "$container" "$2" / >/dev/null
  store config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  store commit --quiet --rm "$container" "$1" >/dev/null
}
