# shellcheck shell=bash
# A client of the Order and Fulfillment Service in bash, curl and jq, to be sourced.
#
# Settings, exported: SERVICE_BASE_URL, SERVICE_USERNAME, SERVICE_PASSWORD. Tokens are kept in files of the folder SERVICE_STATE, so
# that calls in subshells and pipes share them; without it a fresh one is made. Each function prints its result, or tells on
# standard error why there is none and fails: by 1 where it was refused, by 2 where the service failed, by 3 where the answer is lost.
: "${SERVICE_BASE_URL:?}" "${SERVICE_USERNAME:?}" "${SERVICE_PASSWORD:?}"
SERVICE_STATE=${SERVICE_STATE:-$(mktemp -d)}
SERVICE_SLEEP=${SERVICE_SLEEP:-sleep} # the command or function that waits; it gets the seconds
SERVICE_PAUSES=(0.2 0.4 0.8)          # in seconds: what goes before each further try of a call that failed

service_products() { service_pick '.client_products[]' GET /v2/products; }

# ORDER (JSON): whatever the status of the order that comes back, it was taken and is not sent again. One that failed may be stored all
# the same, so that it is looked for before it is sent again.
service_order() {
  local made='' pause fate
  for pause in "${SERVICE_PAUSES[@]}"; do
    made=$(service_pick .order POST /v2/orders "$1") && break
    fate=$?
    [[ $fate != 1 ]] || return 1
    "$SERVICE_SLEEP" "$pause"
    made=$(service_stored "$1") || return "$fate"
    # One whose answer is lost may be under way yet: whoever places it decides what then.
    [[ -z $made && $fate == 2 ]] || break
  done
  [[ -n $made ]] || return "$fate"
  jq -r .id <<<"$made" >>"$SERVICE_STATE/placed"
  printf '%s\n' "$made"
}

# ORDER (JSON): among the newest orders the consumer's that is not on record in the file `placed`, where there is one.
service_stored() {
  local newest
  newest=$(service_call GET /v2/orders) || return
  : >>"$SERVICE_STATE/placed"
  jq -nc --rawfile placed "$SERVICE_STATE/placed" 'input.consumer as $wanted | input.orders
    | map(select(.id | IN($placed | splits("\n")) | not))
    | map(select(.consumer | if $wanted.id then .id == $wanted.id
        else [.first_name, .last_name] == [$wanted.first_name, $wanted.last_name] end))
    | first // empty' <<<"$1 $newest"
}

service_order_fulfillments() { service_pick '.fulfillments[]' GET "/v2/orders/$1/fulfillments"; }

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
  service_send "$1" "$2" "${3:-}" "$SERVICE_STATE/access"
  if [[ $STATUS == 401 ]]; then
    service_refresh || service_login || return
    service_send "$1" "$2" "${3:-}" "$SERVICE_STATE/access"
  fi
  service_accepted "$STATUS" "$BODY" && printf '%s\n' "$BODY"
}

service_login() {
  service_send POST /v2/authentication/token "$(jq -n '{username: env.SERVICE_USERNAME, password: env.SERVICE_PASSWORD}')"
  service_accepted "$STATUS" "$BODY" || return
  jq '{refresh_token}' <<<"$BODY" >"$SERVICE_STATE/refresh"
  service_keep_access
}

service_refresh() {
  service_send POST /v2/authentication/refresh-token "$(<"$SERVICE_STATE/refresh")"
  [[ $STATUS == 200 ]] && service_keep_access
}

service_keep_access() { jq -r '"Authorization: Bearer " + .access_token' <<<"$BODY" >"$SERVICE_STATE/access"; }

# METHOD PATH [BODY] [FILE WITH THE TOKEN'S HEADER]: sets STATUS and BODY of service_call. A call that met the rate limit had no effect, so
# that any may be sent again; one that failed may have had it, so that service_order looks first.
service_send() {
  local headers=$SERVICE_STATE/headers.$BASHPID waits=5 wait pauses=("${SERVICE_PAUSES[@]}")
  [[ "$1 $2" != 'POST /v2/orders' ]] || pauses=()
  while true; do
    service_exchange "$@"
    if [[ $STATUS == 429 && $waits -gt 0 ]]; then
      waits=$((waits - 1)) wait=$(grep -i '^retry-after:' "$headers" | tr -dc 0-9)
      "$SERVICE_SLEEP" "${wait:-60}"
    elif [[ ($STATUS == 5?? || $STATUS == 000) && ${#pauses[@]} -gt 0 ]]; then
      "$SERVICE_SLEEP" "${pauses[0]}"
      pauses=("${pauses[@]:1}")
    else
      return 0
    fi
  done
}

# As service_send, once; a lost answer has the status 000. Secrets go by files and pipes, because everybody can read arguments.
service_exchange() {
  local answer options=(-sS --max-time 30 -X "$1" -D "$headers" -w '\n%{http_code}')
  [[ -z ${3:-} ]] || options+=(-H 'Content-Type: application/json' --data-binary @-)
  [[ -z ${4:-} ]] || options+=(-H "@$4")
  if answer=$(curl "${options[@]}" "${SERVICE_BASE_URL%/}$2" <<<"${3:-}"); then
    STATUS=${answer##*$'\n'} BODY=${answer%$'\n'*}
  else
    STATUS=000 BODY='no answer'
  fi
}

# STATUS TEXT
service_accepted() {
  [[ $1 != 2?? ]] || return 0
  printf '%s %s\n' "$1" "$2" >&2
  case $1 in 5??) return 2 ;; 000) return 3 ;; *) return 1 ;; esac
}
