# shellcheck shell=bash
# A client of the Order and Fulfillment Service in bash, curl and jq, to be sourced.
#
# Settings, exported: SERVICE_BASE_URL, SERVICE_USERNAME, SERVICE_PASSWORD. Tokens are kept in the folder SERVICE_STATE,
# a fresh one unless it is set, so that calls in subshells and pipes share them.
: "${SERVICE_BASE_URL:?}" "${SERVICE_USERNAME:?}" "${SERVICE_PASSWORD:?}"
SERVICE_STATE=${SERVICE_STATE:-$(mktemp -d)}
SERVICE_SLEEP=${SERVICE_SLEEP:-sleep} # the command that waits; gets the seconds

# Every function below prints its result, or tells on standard error why there is none and returns 1.

service_products() { service_call GET /v2/products | jq -c '.client_products[]'; }

# ORDER (JSON). Whatever the status of the order that comes back: it was taken, and is not sent again.
service_order() { service_call POST /v2/orders "$1" | jq -c '.order'; }

service_fulfillment() { service_call GET "/v2/fulfillments/$1" | jq -c '.fulfillment'; }

# [QUERY], such as limit=50: all fulfillments, one per line, page after page.
service_fulfillments() {
  local query=${1:-} cursor='' page
  while true; do
    page=$(service_call GET "/v2/fulfillments?$query${cursor:+&cursor=$cursor}") || return
    jq -c '.fulfillments[]' <<<"$page"
    # A page without the key is no last page: better an error than half a list.
    cursor=$(jq -re 'if has("next_cursor") then .next_cursor // "" | @uri else error("no next_cursor") end' <<<"$page") || return
    [[ -n $cursor ]] || return 0
  done
}

# FULFILLMENT (JSON) FILE. A label_url that the storage has refused is not asked again.
service_label() {
  local url status
  url=$(jq -r .label_url <<<"$1")
  status=$(service_download "$url" "$2") || return
  if [[ $status == 403 ]]; then
    url=$(service_fulfillment "$(jq -r .id <<<"$1")" | jq -r .label_url) || return
    status=$(service_download "$url" "$2") || return
  fi
  service_accepted "$status" "no label at the storage"
}

# URL FILE: prints the status. The URL is signed by itself: it takes no token.
service_download() {
  local status
  status=$(curl -sS -o "$2.part" -w '%{http_code}' "$1") || return
  if [[ $status == 200 ]]; then mv "$2.part" "$2"; else rm "$2.part"; fi
  echo "$status"
}

# METHOD PATH [BODY]: prints the answer's body.
service_call() {
  local STATUS='' BODY=''
  [[ -s $SERVICE_STATE/access ]] || service_login || return
  service_send "$1" "$2" "${3:-}" "$SERVICE_STATE/access" || return
  if [[ $STATUS == 401 ]]; then
    service_refresh || service_login || return
    service_send "$1" "$2" "${3:-}" "$SERVICE_STATE/access" || return
  fi
  service_accepted "$STATUS" "$BODY" && printf '%s\n' "$BODY"
}

service_login() {
  local STATUS='' BODY=''
  service_send POST /v2/authentication/token "$(jq -n '{username: env.SERVICE_USERNAME, password: env.SERVICE_PASSWORD}')" || return
  service_accepted "$STATUS" "$BODY" || return
  jq -r .refresh_token <<<"$BODY" >"$SERVICE_STATE/refresh"
  service_keep_access "$BODY"
}

service_refresh() {
  local STATUS='' BODY=''
  service_send POST /v2/authentication/refresh-token "$(jq -Rn '{refresh_token: input}' "$SERVICE_STATE/refresh")" || return
  [[ $STATUS == 200 ]] && service_keep_access "$BODY"
}

service_keep_access() { jq -r '"Authorization: Bearer " + .access_token' <<<"$1" >"$SERVICE_STATE/access"; }

# METHOD PATH [BODY] [FILE WITH THE HEADER OF THE TOKEN]: sets STATUS and BODY of its caller. Waits where the rate limit says so; a
# call that met it had no effect, so any may be sent again. Secrets go by files and pipes: arguments are seen by other processes.
service_send() {
  local options=(-sS -X "$1" -D "$SERVICE_STATE/headers.$BASHPID" -w '\n%{http_code}') answer wait
  [[ -z ${3:-} ]] || options+=(-H 'Content-Type: application/json' --data-binary @-)
  [[ -z ${4:-} ]] || options+=(-H "@$4")
  for _ in {1..5}; do
    answer=$(curl "${options[@]}" "${SERVICE_BASE_URL%/}$2" <<<"${3:-}") || return
    STATUS=${answer##*$'\n'} BODY=${answer%$'\n'*}
    [[ $STATUS == 429 ]] || return 0
    wait=$(sed -n 's/^retry-after: *\([0-9]*\).*/\1/Ip' "$SERVICE_STATE/headers.$BASHPID")
    "$SERVICE_SLEEP" "${wait:-60}"
  done
}

# STATUS TEXT
service_accepted() {
  ((${1:-0} >= 200 && $1 < 300)) || { printf '%s %s\n' "$1" "$2" >&2; return 1; }
}
