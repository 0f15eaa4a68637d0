#!/usr/bin/env bash
# Tests how client.sh handles errors. Prints one line per check; exits with 1 if a check fails.
# shellcheck disable=SC2317 # the checks are called by name
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit
# shellcheck source=sandbox.sh
source ./sandbox.sh

# NAME FUNCTION: runs a check in its own sandbox.
check() {
  if (in_sandbox "$2"); then echo "ok - $1"; else echo "not ok - $1"; FAILED=1; fi
}

new_order() {
  service_products | jq -s 'map(select(.active)) | first | {
    consumer: {first_name: "Ada", last_name: "Lovelace", email: "ada@example.com", phone_number: "+15550100"},
    shipping_address: {address1: "1 Main Street", city: "Springfield", country_name: "United States"},
    order_lines: [{duration: 30, pouches: [{time_of_administration: "Morning", contents: [{client_product_id: .id, serving_size}]}]}]}'
}
status_of() { jq -r .status <<<"$1"; }

placing_an_order() {
  local order placed
  order=$(new_order) && placed=$(service_order "$order") || exit
  expect_equal status "$(status_of "$placed")" Pending
  expect_received 1 '{"operation": "authentication.token"}'
  expect_received 1 '{"operation": "orders.create"}'
}

expired_token() {
  local before after again
  before=$(service_products) && advance 86400 && after=$(service_products) && again=$(service_products) || exit
  expect_equal products "$after$again" "$before$before"
  expect_received 1 '{"operation": "products.list", "status": 401}'
  expect_received 1 '{"operation": "authentication.refresh", "status": 200}'
  expect_received 1 '{"operation": "authentication.token"}'
}

expired_refresh_token() {
  local before after
  before=$(service_products) && advance 2592000 && after=$(service_products) || exit
  expect_equal products "$after" "$before"
  expect_received 1 '{"operation": "authentication.refresh"}'
  expect_received 2 '{"operation": "authentication.token"}'
}

repeated_401() {
  control POST faults '{"match": {"operation": "products.list"}, "status": 401}' >"$WORK/fault" || exit
  service_products 2>"$WORK/error" && exit 1
  expect_equal error "$(cut -c 1-3 "$WORK/error")" 401
  expect_received 2 '{"operation": "products.list"}'
}

rate_limit() {
  local order placed
  order=$(new_order) && switch '{"rate_limit": {"for_seconds": 90, "retry_after": 90}}' && placed=$(service_order "$order") || exit
  expect_equal status "$(status_of "$placed")" Pending
  expect_equal 'seconds waited' "$(<"$SERVICE_STATE/slept")" 90
  expect_received 1 '{"operation": "orders.create", "status": 429}'
  expect_received 2 '{"operation": "orders.create"}'
}

pages() {
  local paged whole
  paged=$(service_fulfillments limit=10 | jq .id) || exit
  expect_received 3 '{"operation": "fulfillments.list"}'
  whole=$(service_fulfillments limit=100 | jq .id) || exit
  expect_received 4 '{"operation": "fulfillments.list"}'
  expect_equal fulfillments "$paged" "$whole"
}

expired_label() {
  local fulfillment storage
  fulfillment=$(service_fulfillments | jq -sc first) && advance 900 && service_label "$fulfillment" "$SERVICE_STATE/label.pdf" || exit
  expect_equal 'first bytes' "$(head -c 5 "$SERVICE_STATE/label.pdf")" %PDF-
  storage="/_storage/labels/$(jq -r .id <<<"$fulfillment").pdf"
  expect_received 1 "{\"path\": \"$storage\", \"status\": 403}"
  expect_received 1 "{\"path\": \"$storage\", \"status\": 200}"
  expect_received 1 '{"operation": "fulfillments.get"}'
}

needs_changes() {
  local order placed
  order=$(new_order) && switch '{"inactive_pags": {"all": true}}' && placed=$(service_order "$order") || exit
  expect_equal status "$(status_of "$placed")" 'Needs Changes'
  expect_received 1 '{"operation": "orders.create"}'
}

failing_call() {
  switch '{"server_error": {"burst": 2, "match": {"operation": "products.list"}}}' && service_products >"$WORK/products" || exit
  expect_equal 'seconds waited' "$(xargs <"$SERVICE_STATE/slept")" '0.2 0.4'
  expect_received 2 '{"operation": "products.list", "status": 500}'
}

failing_login() {
  switch '{"server_error": {"burst": 1}}' && service_products >"$WORK/products" || exit
  expect_equal 'seconds waited' "$(<"$SERVICE_STATE/slept")" 0.2
  expect_received 2 '{"operation": "authentication.token"}'
}

lost_response() {
  switch '{"connection": {"drop": "mid_body", "burst": 1, "match": {"operation": "products.list"}}}' || exit
  service_products >"$WORK/products" 2>"$WORK/loss" || exit
  expect_received 2 '{"operation": "products.list"}'
}

repeated_500() {
  switch '{"server_error": {"match": {"operation": "products.list"}}}' || exit
  service_products 2>"$WORK/failure" && exit 1
  expect_equal failure "$(cut -c 1-3 "$WORK/failure")" 500
  expect_received 4 '{"operation": "products.list"}'
}

failing_page() {
  local list='{"operation": "fulfillments.list"}' ids queries
  control POST faults "{\"match\": $list, \"status\": 500, \"after\": 1, \"times\": 1}" >"$WORK/fault" || exit
  ids=$(service_fulfillments limit=10 | jq .id) || exit
  expect_equal 'ids without duplicates' "$(sort <<<"$ids")" "$(sort -u <<<"$ids")"
  queries=$(control GET 'requests?operation=fulfillments.list' | jq -r '.requests[].query')
  expect_equal pages "$(wc -l <<<"$queries")" 4
  expect_equal 'the page again' "$(sed -n 3p <<<"$queries")" "$(sed -n 2p <<<"$queries")"
}

failing_order() {
  local order earlier placed
  order=$(new_order) && earlier=$(service_order "$order") || exit
  switch '{"server_error": {"burst": 2, "match": {"operation": "orders.create"}}}' || exit
  placed=$(service_order "$order" 2>"$WORK/failures") || exit
  [[ $(jq .id <<<"$placed") != "$(jq .id <<<"$earlier")" ]] || exit
  expect_received 2 '{"operation": "orders.list"}'
  expect_received 2 '{"operation": "orders.create", "status": 201}'
}

lost_order() {
  local order earlier placed id
  order=$(new_order) && earlier=$(service_order "$order") || exit
  switch '{"connection": {"drop": "after_processing", "burst": 1, "match": {"operation": "orders.create"}}}' || exit
  placed=$(service_order "$order" 2>"$WORK/loss") || exit
  id=$(jq -r .id <<<"$placed")
  [[ $id != "$(jq -r .id <<<"$earlier")" ]] || exit
  expect_equal accepted "$(status_of "$(control POST "orders/$id/accept")")" Accepted
  expect_received 2 '{"operation": "orders.create"}'
}

missing_order() {
  local order code=0
  order=$(new_order) || exit
  switch '{"connection": {"drop": "before_processing", "burst": 1, "match": {"operation": "orders.create"}}}' || exit
  service_order "$order" 2>"$WORK/loss" || code=$?
  expect_equal 'exit code' "$code" 3
  expect_received 1 '{"operation": "orders.list"}'
  expect_received 1 '{"operation": "orders.create"}'
}

unlisted_order() {
  local order code=0
  order=$(new_order) && control PATCH assumptions '{"order_endpoints": "absent"}' >"$WORK/assumptions" || exit
  switch '{"server_error": {"burst": 1, "match": {"operation": "orders.create"}}}' || exit
  service_order "$order" 2>"$WORK/failures" || code=$?
  expect_equal 'exit code' "$code" 2
  expect_received 1 '{"path": "/v2/orders", "status": 404}'
  expect_received 1 '{"operation": "orders.create"}'
}

order_fulfillments() {
  local order id shipped
  order=$(new_order) && id=$(service_order "$order" | jq -r .id) || exit
  expect_equal 'before shipping' "$(service_order_fulfillments "$id")" ''
  control POST "orders/$id/accept" >"$WORK/order" && control POST "orders/$id/start_production" >"$WORK/order" || exit
  shipped=$(control POST "orders/$id/fulfillments" '{}') || exit
  expect_equal 'after shipping' "$(service_order_fulfillments "$id" | jq .id)" "$(jq .id <<<"$shipped")"
}

check 'places an order' placing_an_order
check 'refreshes an expired token once' expired_token
check 'logs in again if the refresh token is rejected' expired_refresh_token
check 'fails if the retry gets a 401, too' repeated_401
check 'waits for Retry-After' rate_limit
check 'reads all pages' pages
check 'requests an expired label URL once' expired_label
check 'treats Needs Changes as a success' needs_changes
check 'retries a failed request with growing delays' failing_call
check 'retries a failed login' failing_login
check 'retries a request after a lost response' lost_response
check 'fails after three retries' repeated_500
check 'retries a failed page with the same cursor' failing_page
check 'looks for a failed order, and sends it again if it is not stored' failing_order
check 'finds an order after a lost response, and does not send it again' lost_order
check 'fails if it does not find a lost order' missing_order
check 'does not send an order again if it cannot list the orders' unlisted_order
check 'reads the fulfillments of an order' order_fulfillments
exit "${FAILED:-0}"
