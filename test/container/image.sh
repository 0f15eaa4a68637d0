# Functions that build the image with buildah in a separate storage and read its configuration. Source this file.

store() {
  TMPDIR="$folder" buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver vfs "$@"
}

# Prints the npm settings that the build stage needs to reach the registry: proxies and certificates, but no credentials.
npm_settings() {
  local name value
  for name in registry proxy https-proxy noproxy; do
    value=$(npm config get "$name" 2>/dev/null)
    if [[ -n "$value" && "$value" != null ]]; then echo "$name=$value"; fi
  done
  if [[ -n "$certificates" ]]; then echo "cafile=$certificates"; fi
}

certificates_file() {
  local file
  file=$(npm config get cafile 2>/dev/null)
  if [[ "$file" == null ]]; then file=${NODE_EXTRA_CA_CERTS:-}; fi
  echo "$file"
}

version() { node -p 'require("./package.json").version'; }

# build_image NAME BASE: builds the Dockerfile.
build_image() {
  local certificates
  certificates=$(certificates_file)
  npm_settings >"$folder/npmrc"
  store build --isolation chroot --network host --format docker --pull-never --tag "$1" \
    --build-arg BASE="$2" --build-arg VERSION="$(version)" \
    --volume "$folder/npmrc:/root/.npmrc:ro" ${certificates:+--volume "$certificates:$certificates:ro"} . >"$folder/build.log" 2>&1 ||
    { cat "$folder/build.log" >&2; return 1; }
}

# configured NAME TEMPLATE: prints a value of the image's configuration, one item per line.
configured() {
  store inspect --type image --format "$2" "$1" | sed '/^$/d'
}

# read_configuration NAME: sets user, environment, entrypoint and health.
read_configuration() {
  local lines='{{range %s}}{{println .}}{{end}}' config=.Docker.Config test
  user=$(configured "$1" "{{$config.User}}")
  user=${user:-0:0}
  mapfile -t environment < <(configured "$1" "${lines/\%s/$config.Env}")
  mapfile -t entrypoint < <(configured "$1" "${lines/\%s/$config.Entrypoint}")
  mapfile -t test < <(configured "$1" "${lines/\%s/$config.Healthcheck.Test}")
  interval=$(configured "$1" "{{$config.Healthcheck.Interval}}")
  if [[ "${test[0]}" != CMD ]]; then echo "the health check must have the exec form, got: ${test[*]}" >&2; return 1; fi
  health=("${test[@]:1}")
}
