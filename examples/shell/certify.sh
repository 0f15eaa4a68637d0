#!/usr/bin/env bash
# The client as `sachet certify` walks it: for each line that comes one round of what it does, then the same line.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit
SERVICE_STATE=$(mktemp -d)
trap 'rm -rf "$SERVICE_STATE"' EXIT

# A wait of a minute or more goes by the sandbox's clock.
sleep_by_clock() {
  if [[ ${1%.*} -lt 60 ]]; then sleep "$1"; return; fi
  curl -sS --fail-with-body -o "$SERVICE_STATE/clock" "$SACHET_URL/_admin/sandboxes/$SACHET_SANDBOX/clock/advance" \
    -H 'Content-Type: application/json' -H @<(printf 'Authorization: Bearer %s' "$SACHET_ADMIN_KEY") --data "{\"seconds\": $1}"
}
SERVICE_SLEEP=sleep_by_clock
# shellcheck source=client.sh
source ./client.sh

order='{
  "consumer": {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com", "phone_number": "+15550100"},
  "shipping_address": {"address1": "1 Main Street", "city": "Springfield", "country_name": "United States"},
  "order_lines": [{"duration": 30, "pouches": [{"time_of_administration": "Morning",
    "contents": [{"client_product_id": "20000000-0000-4000-8000-000000000001", "serving_size": 1}]}]}]}'

# The client tells what fails, and the round goes on. What it prints is not for the one who waits for the line.
round() {
  local made known
  service_products
  made=$(service_order "$order") && service_order_fulfillments "$(jq -r .id <<<"$made")"
  known=$(service_fulfillments limit=10 | jq -rs 'first.id // empty')
  [[ -z $known ]] || { known=$(service_fulfillment "$known") && service_label "$known" "$SERVICE_STATE/label.pdf"; }
} >"$SERVICE_STATE/results"

while read -r line; do
  # The sandbox is as new before each scenario, and numbers its orders anew.
  [[ $line != 'before '* ]] || : >"$SERVICE_STATE/placed"
  round
  echo "$line"
done
