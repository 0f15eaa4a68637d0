# A base to build the image on, made from packages: Debian with the Node.js and npm that the official image would bring. To be sourced.

# make_base FOLDER
make_base() {
  local packages="$folder/packages"
  mkdir -p "$1"
  debootstrap --variant=minbase bookworm "$1" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >"$folder/debootstrap.log" 2>&1 ||
    skip "debootstrap cannot run here: $(tail -1 "$folder/debootstrap.log")"
  npm install --silent --no-save --prefix "$packages" "node-linux-$(node -p process.arch)@24" npm@11
  install "$packages"/node_modules/node-linux-*/bin/node "$1/usr/local/bin/node"
  mkdir -p "$1/usr/local/lib/node_modules"
  mv "$packages/node_modules/npm" "$1/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
  rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/usr/share/{doc,locale,man} "$packages"
}

# base_image NAME FOLDER: the folder as an image.
base_image() {
  local made
  made=$(store from scratch)
  store add --quiet "$made" "$2" / >/dev/null
  store config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$made"
  store commit --quiet --rm "$made" "$1" >/dev/null
}
