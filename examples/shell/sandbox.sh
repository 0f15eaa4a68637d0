# shellcheck shell=bash
# For tests, to be sourced: finds or starts a Sachet, and runs each check in a sandbox of its own.
WORK=$(mktemp -d)
PID=''
trap '[[ -z $PID ]] || kill "$PID"; rm -rf "$WORK"' EXIT

# The server of SACHET_BASE_URL and SACHET_ADMIN_KEY, or one started by SACHET_COMMAND.
if [[ -n ${SACHET_BASE_URL:-} ]]; then
  : "${SACHET_ADMIN_KEY:?}"
else
  read -ra command <<<"${SACHET_COMMAND:-npx --no -- sachet}"
  exec {output}< <(exec "${command[@]}" --json --port 0 --log off)
  read -r ready <&"$output" || { echo "${command[*]} did not start" >&2; exit 1; }
  PID=$(jq .pid <<<"$ready") SACHET_BASE_URL=$(jq -r .url <<<"$ready") SACHET_ADMIN_KEY=$(jq -r .admin_key <<<"$ready")
fi

# METHOD PATH [BODY]: the control API.
admin() {
  curl -sS --fail-with-body -X "$1" "${SACHET_BASE_URL%/}/_admin/sandboxes$2" -H 'Content-Type: application/json' \
    -H @<(printf 'Authorization: Bearer %s' "$SACHET_ADMIN_KEY") --data "${3:-}"
}
control() { admin "$1" "/$SANDBOX/$2" "${3:-}"; }
switch() { control PATCH switches "$1" >"$WORK/switches"; }
advance() { control POST clock/advance "{\"seconds\": $1}" >"$WORK/clock"; }
# What the client waits by: the sandbox's clock goes on instead.
sleep_by_clock() { echo "$1" >>"$SERVICE_STATE/slept" && advance "$1"; }

# WHAT FOUND EXPECTED
same() { [[ $2 == "$3" ]] || { echo "# $1: found $2, expected $3" >&2; exit 1; }; }
# COUNT MATCH (JSON): the sandbox received so many such calls.
received() { same "calls with $2" "$(control POST requests/verify "{\"match\": $2}" | jq .count)" "$1"; }

# FUNCTION: to be called in a subshell, which the first fault ends.
in_sandbox() {
  local made
  made=$(admin POST '' '{}') || exit
  SANDBOX=$(jq -r .name <<<"$made")
  trap 'admin DELETE "/$SANDBOX"' EXIT
  SERVICE_BASE_URL=$(jq -r .base_url <<<"$made")
  SERVICE_USERNAME=$(jq -r '.logins[0].username' <<<"$made")
  SERVICE_PASSWORD=$(jq -r '.logins[0].password' <<<"$made")
  SERVICE_STATE=$(mktemp -d -p "$WORK")
  export SERVICE_BASE_URL SERVICE_USERNAME SERVICE_PASSWORD SERVICE_STATE SERVICE_SLEEP=sleep_by_clock
  # shellcheck source=client.sh
  source ./client.sh
  "$1"
}
