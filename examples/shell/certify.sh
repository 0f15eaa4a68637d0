#!/usr/bin/env bash
# Runs the client under `sachet certify`: for each line of standard input it makes its calls, then prints the line back.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit
SERVICE_STATE=$(mktemp -d)
trap 'rm -rf "$SERVICE_STATE"' EXIT

# Does not wait a minute or more in real time: advances the sandbox's clock.
sleep_or_advance() {
  if [[ ${1%.*} -lt 60 ]]; then sleep "$1"; return; fi
  curl -sS --fail-with-body -o "$SERVICE_STATE/clock" "$SACHET_URL/_admin/sandboxes/$SACHET_SANDBOX/clock/advance" \
    -H 'Content-Type: application/json' -H @<(printf 'Authorization: Bearer %s' "$SACHET_ADMIN_KEY") --data "{\"seconds\": $1}"
}
SERVICE_SLEEP=sleep_or_advance
# shellcheck source=client.sh
source ./client.sh

order='{
  "consumer": {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com", "phone_number": "+15550100"},
  "shipping_address": {"address1": "1 Main Street", "city": "Springfield", "country_name": "United States"},
  "order_lines": [{"duration": 30, "pouches": [{"time_of_administration": "Morning",
    "contents": [{"client_product_id": "20000000-0000-4000-8000-000000000001", "serving_size": 1}]}]}]}'

# COMMAND…: while the service is down, tries again after one, two and four minutes.
until_it_answers() {
  local seconds code
  for seconds in 60 120 240; do
    code=0
    "$@" || code=$?
    [[ $code == 2 ]] || return "$code"
    "$SERVICE_SLEEP" "$seconds"
  done
  "$@"
}

# The client prints its failures, and the next call follows. Its results go to a file, because sachet reads standard output.
make_calls() {
  local order_placed id fulfillment
  until_it_answers service_products
  order_placed=$(service_order "$order") && service_order_fulfillments "$(jq -r .id <<<"$order_placed")"
  id=$(service_fulfillments limit=10 | jq -rs 'first.id // empty')
  [[ -z $id ]] || { fulfillment=$(service_fulfillment "$id") && service_label "$fulfillment" "$SERVICE_STATE/label.pdf"; }
} >"$SERVICE_STATE/results"

while read -r line; do
  # The sandbox is reset before each scenario, and its order ids repeat.
  [[ $line != 'before '* ]] || : >"$SERVICE_STATE/placed"
  make_calls
  echo "$line"
done
