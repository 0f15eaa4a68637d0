# shellcheck shell=bash
# Test helpers. Source this file: it finds or starts a Sachet, and runs each check in its own sandbox.
WORK=$(mktemp -d)
PID=''
trap '[[ -z $PID ]] || kill "$PID"; rm -rf "$WORK"' EXIT

# Use the server at SACHET_BASE_URL with SACHET_ADMIN_KEY. Without them, start one with SACHET_COMMAND.
if [[ -n ${SACHET_BASE_URL:-} ]]; then
  : "${SACHET_ADMIN_KEY:?}"
else
  read -ra command <<<"${SACHET_COMMAND:-npx --no -- sachet}"
  exec {output}< <(exec "${command[@]}" --json --port 0 --log off)
  read -r ready <&"$output" || { echo "${command[*]} did not start" >&2; exit 1; }
  PID=$(jq .pid <<<"$ready") SACHET_BASE_URL=$(jq -r .url <<<"$ready") SACHET_ADMIN_KEY=$(jq -r .admin_key <<<"$ready")
fi

# METHOD PATH [BODY]: calls the control API.
admin() {
  curl -sS --fail-with-body -X "$1" "${SACHET_BASE_URL%/}/_admin/sandboxes$2" -H 'Content-Type: application/json' \
    -H @<(printf 'Authorization: Bearer %s' "$SACHET_ADMIN_KEY") --data "${3:-}"
}
control() { admin "$1" "/$SANDBOX/$2" "${3:-}"; }
switch() { control PATCH switches "$1" >"$WORK/switches"; }
advance() { control POST clock/advance "{\"seconds\": $1}" >"$WORK/clock"; }
# The client's sleep: advances the sandbox's clock instead of waiting.
advance_instead_of_sleep() { echo "$1" >>"$SERVICE_STATE/slept" && advance "$1"; }

# NAME ACTUAL EXPECTED
expect_equal() { [[ $2 == "$3" ]] || { echo "# $1: expected $3, got $2" >&2; exit 1; }; }
# COUNT MATCH (JSON): expects this number of matching requests in the sandbox's journal.
expect_received() { expect_equal "requests that match $2" "$(control POST requests/verify "{\"match\": $2}" | jq .count)" "$1"; }

# FUNCTION: runs it with a client of a new sandbox. Call this in a subshell: the first failure exits.
in_sandbox() {
  local created
  created=$(admin POST '' '{}') || exit
  SANDBOX=$(jq -r .name <<<"$created")
  trap 'admin DELETE "/$SANDBOX"' EXIT
  SERVICE_BASE_URL=$(jq -r .base_url <<<"$created")
  SERVICE_USERNAME=$(jq -r '.logins[0].username' <<<"$created")
  SERVICE_PASSWORD=$(jq -r '.logins[0].password' <<<"$created")
  SERVICE_STATE=$(mktemp -d -p "$WORK")
  export SERVICE_BASE_URL SERVICE_USERNAME SERVICE_PASSWORD SERVICE_STATE SERVICE_SLEEP=advance_instead_of_sleep
  # shellcheck source=client.sh
  source ./client.sh
  "$1"
}
