# shellcheck shell=bash
# A client of the Order and Fulfillment Service in bash, curl and jq. Source this file.
#
# Export SERVICE_BASE_URL, SERVICE_USERNAME and SERVICE_PASSWORD first. The tokens are in files in the folder SERVICE_STATE, so that
# subshells and pipes share them; the default is a new temporary folder. Each function prints its result, or prints the error to
# standard error and returns 1 for a client error (4xx), 2 for a server error (5xx) or 3 for a lost response.
: "${SERVICE_BASE_URL:?}" "${SERVICE_USERNAME:?}" "${SERVICE_PASSWORD:?}"
SERVICE_STATE=${SERVICE_STATE:-$(mktemp -d)}
SERVICE_SLEEP=${SERVICE_SLEEP:-sleep} # the command or function that waits; its argument is the seconds
SERVICE_RETRY_DELAYS=(0.2 0.4 0.8)    # seconds before each retry of a failed request

service_products() { service_select '.client_products[]' GET /v2/products; }

# ORDER (JSON): places an order exactly once and prints the stored order, whatever its status. A failed request may have stored the
# order, so the function looks for it before it sends it again.
service_order() {
  local stored='' delay code
  for delay in "${SERVICE_RETRY_DELAYS[@]}"; do
    stored=$(service_select .order POST /v2/orders "$1") && break
    code=$?
    [[ $code != 1 ]] || return 1
    "$SERVICE_SLEEP" "$delay"
    stored=$(service_find_stored "$1") || return "$code"
    # Without a response, the service may still be processing the order. Let the caller decide.
    [[ -z $stored && $code == 2 ]] || break
  done
  [[ -n $stored ]] || return "$code"
  jq -r .id <<<"$stored" >>"$SERVICE_STATE/placed"
  printf '%s\n' "$stored"
}

# ORDER (JSON): prints the consumer's order among the newest orders, if its id is not in the file `placed`.
service_find_stored() {
  local newest
  newest=$(service_call GET /v2/orders) || return
  : >>"$SERVICE_STATE/placed"
  jq -nc --rawfile placed "$SERVICE_STATE/placed" 'input.consumer as $wanted | input.orders
    | map(select(.id | IN($placed | splits("\n")) | not))
    | map(select(.consumer | if $wanted.id then .id == $wanted.id
        else [.first_name, .last_name] == [$wanted.first_name, $wanted.last_name] end))
    | first // empty' <<<"$1 $newest"
}

service_order_fulfillments() { service_select '.fulfillments[]' GET "/v2/orders/$1/fulfillments"; }

service_fulfillment() { service_select .fulfillment GET "/v2/fulfillments/$1"; }

# [QUERY]: prints all fulfillments, one per line. Follows the pages.
service_fulfillments() {
  local query=${1:-limit=20} cursor='' page
  while true; do
    page=$(service_call GET "/v2/fulfillments?$query${cursor:+&cursor=$cursor}") || return
    jq -c '.fulfillments[]' <<<"$page"
    # A missing next_cursor is an error: more pages may follow.
    cursor=$(jq -r 'if has("next_cursor") then .next_cursor // "" | @uri else error("no next_cursor") end' <<<"$page") || return
    [[ -n $cursor ]] || return 0
  done
}

# FULFILLMENT (JSON) FILE: downloads the label. If the URL has expired, reads the fulfillment again for a fresh one.
service_label() {
  local fresh status
  status=$(service_download "$1" "$2") || return
  if [[ $status == 403 ]]; then
    fresh=$(service_fulfillment "$(jq -r .id <<<"$1")") || return
    status=$(service_download "$fresh" "$2") || return
  fi
  service_check_status "$status" "label download failed"
}

# FULFILLMENT (JSON) FILE: prints the status. The URL is signed, so the request needs no token.
service_download() {
  local status
  status=$(curl -sS --max-time 30 -o "$2.part" -w '%{http_code}' "$(jq -r .label_url <<<"$1")") || return
  if [[ $status == 200 ]]; then mv "$2.part" "$2"; else rm "$2.part"; fi
  echo "$status"
}

# FILTER METHOD PATH [BODY]: applies a jq filter to the response and prints one result per line.
service_select() {
  local response
  response=$(service_call "${@:2}") && jq -c "$1" <<<"$response"
}

# METHOD PATH [BODY]: sends a request with a valid token and prints the response body.
service_call() {
  local STATUS='' BODY=''
  [[ -s $SERVICE_STATE/access ]] || service_login || return
  service_send "$1" "$2" "${3:-}" "$SERVICE_STATE/access"
  if [[ $STATUS == 401 ]]; then
    service_refresh || service_login || return
    service_send "$1" "$2" "${3:-}" "$SERVICE_STATE/access"
  fi
  service_check_status "$STATUS" "$BODY" && printf '%s\n' "$BODY"
}

service_login() {
  service_send POST /v2/authentication/token "$(jq -n '{username: env.SERVICE_USERNAME, password: env.SERVICE_PASSWORD}')"
  service_check_status "$STATUS" "$BODY" || return
  jq '{refresh_token}' <<<"$BODY" >"$SERVICE_STATE/refresh"
  service_save_token
}

service_refresh() {
  service_send POST /v2/authentication/refresh-token "$(<"$SERVICE_STATE/refresh")"
  [[ $STATUS == 200 ]] && service_save_token
}

service_save_token() { jq -r '"Authorization: Bearer " + .access_token' <<<"$BODY" >"$SERVICE_STATE/access"; }

# METHOD PATH [BODY] [FILE WITH THE AUTHORIZATION HEADER]: sets STATUS and BODY in service_call, and retries. A rate-limited request had no
# effect, so even an order is safe to send again. A failed one may have had an effect, so service_order handles failed orders itself.
service_send() {
  local headers=$SERVICE_STATE/headers.$BASHPID retries=5 wait delays=("${SERVICE_RETRY_DELAYS[@]}")
  [[ "$1 $2" != 'POST /v2/orders' ]] || delays=()
  while true; do
    service_request "$@"
    if [[ $STATUS == 429 && $retries -gt 0 ]]; then
      retries=$((retries - 1)) wait=$(grep -i '^retry-after:' "$headers" | tr -dc 0-9)
      "$SERVICE_SLEEP" "${wait:-60}"
    elif [[ ($STATUS == 5?? || $STATUS == 000) && ${#delays[@]} -gt 0 ]]; then
      "$SERVICE_SLEEP" "${delays[0]}"
      delays=("${delays[@]:1}")
    else
      return 0
    fi
  done
}

# Sends one request, with the arguments of service_send. A lost response has the status 000. Secrets go through files and pipes, because
# every user of the machine can read command-line arguments.
service_request() {
  local response options=(-sS --max-time 30 -X "$1" -D "$headers" -w '\n%{http_code}')
  [[ -z ${3:-} ]] || options+=(-H 'Content-Type: application/json' --data-binary @-)
  [[ -z ${4:-} ]] || options+=(-H "@$4")
  if response=$(curl "${options[@]}" "${SERVICE_BASE_URL%/}$2" <<<"${3:-}"); then
    STATUS=${response##*$'\n'} BODY=${response%$'\n'*}
  else
    STATUS=000 BODY='no response'
  fi
}

# STATUS TEXT: unless the status is 2xx, prints both to standard error and returns the exit code.
service_check_status() {
  [[ $1 != 2?? ]] || return 0
  printf '%s %s\n' "$1" "$2" >&2
  case $1 in 5??) return 2 ;; 000) return 3 ;; *) return 1 ;; esac
}
