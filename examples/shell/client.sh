# shellcheck shell=bash
# A client of the Order and Fulfillment Service in bash, curl and jq, to be sourced.
#
# Settings, exported: SERVICE_BASE_URL, SERVICE_USERNAME, SERVICE_PASSWORD. Tokens are kept in files of the folder SERVICE_STATE, so
# that calls in subshells and pipes share them; without it a fresh one is made. Each function prints its result, or tells on
# standard error why there is none and fails.
: "${SERVICE_BASE_URL:?}" "${SERVICE_USERNAME:?}" "${SERVICE_PASSWORD:?}"
SERVICE_STATE=${SERVICE_STATE:-$(mktemp -d)}
SERVICE_SLEEP=${SERVICE_SLEEP:-sleep} # the command or function that waits; it gets the seconds

service_products() { service_pick '.client_products[]' GET /v2/products; }

# ORDER (JSON): whatever the status of the order that comes back, it was taken and is not sent again.
service_order() { service_pick .order POST /v2/orders "$1"; }

service_fulfillment() { service_pick .fulfillment GET "/v2/fulfillments/$1"; }

# [QUERY]: all fulfillments, one per line, page after page.
service_fulfillments() {
  local query=${1:-limit=20} cursor='' page
  while true; do
    page=$(service_call GET "/v2/fulfillments?$query${cursor:+&cursor=$cursor}") || return
    jq -c '.fulfillments[]' <<<"$page"
    # A page without the key is no last page: better an error than half a list.
    cursor=$(jq -r 'if has("next_cursor") then .next_cursor // "" | @uri else error("no next_cursor") end' <<<"$page") || return
    [[ -n $cursor ]] || return 0
  done
}

# FULFILLMENT (JSON) FILE: downloads its label. A label_url that the storage has refused is not asked again.
service_label() {
  local fresh status
  status=$(service_download "$1" "$2") || return
  if [[ $status == 403 ]]; then
    fresh=$(service_fulfillment "$(jq -r .id <<<"$1")") || return
    status=$(service_download "$fresh" "$2") || return
  fi
  service_accepted "$status" "from the storage of the label"
}

# The URL is signed by itself: it takes no token.
service_download() {
  local status
  status=$(curl -sS --max-time 30 -o "$2.part" -w '%{http_code}' "$(jq -r .label_url <<<"$1")") || return
  if [[ $status == 200 ]]; then mv "$2.part" "$2"; else rm "$2.part"; fi
  echo "$status"
}

# FILTER METHOD PATH [BODY]: what jq's filter picks from the answer, one per line.
service_pick() {
  local answer
  answer=$(service_call "${@:2}") && jq -c "$1" <<<"$answer"
}

# METHOD PATH [BODY]
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
  service_send POST /v2/authentication/token "$(jq -n '{username: env.SERVICE_USERNAME, password: env.SERVICE_PASSWORD}')" || return
  service_accepted "$STATUS" "$BODY" || return
  jq '{refresh_token}' <<<"$BODY" >"$SERVICE_STATE/refresh"
  service_keep_access
}

service_refresh() {
  service_send POST /v2/authentication/refresh-token "$(<"$SERVICE_STATE/refresh")" || return
  [[ $STATUS == 200 ]] && service_keep_access
}

service_keep_access() { jq -r '"Authorization: Bearer " + .access_token' <<<"$BODY" >"$SERVICE_STATE/access"; }

# METHOD PATH [BODY] [FILE WITH THE TOKEN'S HEADER]: sets STATUS and BODY of service_call. It waits where the rate limit says so: a call
# that met it had no effect, so any may be sent again. Secrets go by files and pipes, because everybody can read arguments.
service_send() {
  local answer headers=$SERVICE_STATE/headers.$BASHPID tries wait
  local options=(-sS --max-time 30 -X "$1" -D "$headers" -w '\n%{http_code}')
  [[ -z ${3:-} ]] || options+=(-H 'Content-Type: application/json' --data-binary @-)
  [[ -z ${4:-} ]] || options+=(-H "@$4")
  for tries in {1..6}; do
    answer=$(curl "${options[@]}" "${SERVICE_BASE_URL%/}$2" <<<"${3:-}") || return
    STATUS=${answer##*$'\n'} BODY=${answer%$'\n'*}
    [[ $STATUS == 429 && $tries -lt 6 ]] || return 0
    wait=$(grep -i '^retry-after:' "$headers" | tr -dc 0-9)
    "$SERVICE_SLEEP" "${wait:-60}"
  done
}

# STATUS TEXT
service_accepted() { [[ $1 == 2?? ]] || { printf '%s %s\n' "$1" "$2" >&2; return 1; }; }
