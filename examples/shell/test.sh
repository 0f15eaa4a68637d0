#!/usr/bin/env bash
# What client.sh does when the service says no, or not yet: one line per check, exit code 1 on a failure.
# shellcheck disable=SC2317 # the checks are called by their names
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")" || exit
# shellcheck source=sandbox.sh
source ./sandbox.sh

# NAME FUNCTION
check() {
  if (in_sandbox "$2"); then echo "ok - $1"; else echo "not ok - $1"; FAILED=1; fi
}

an_order() {
  service_products | jq -s 'map(select(.active)) | first | {
    consumer: {first_name: "Ada", last_name: "Lovelace", email: "ada@example.com", phone_number: "+15550100"},
    shipping_address: {address1: "1 Main Street", city: "Springfield", country_name: "United States"},
    order_lines: [{duration: 30, pouches: [{time_of_administration: "Morning", contents: [{client_product_id: .id, serving_size}]}]}]}'
}
status_of() { jq -r .status <<<"$1"; }

from_login_to_order() {
  local order made
  order=$(an_order) && made=$(service_order "$order") || exit
  same status "$(status_of "$made")" Pending
  received 1 '{"operation": "authentication.token"}'
  received 1 '{"operation": "orders.create"}'
}

expired_token() {
  local before after again
  before=$(service_products) && advance 86460 && after=$(service_products) && again=$(service_products) || exit
  same products "$after$again" "$before$before"
  received 1 '{"operation": "products.list", "status": 401}'
  received 1 '{"operation": "authentication.refresh", "status": 200}'
  received 1 '{"operation": "authentication.token"}'
}

expired_refresh_token() {
  local before after
  before=$(service_products) && advance 2678400 && after=$(service_products) || exit
  same products "$after" "$before"
  received 1 '{"operation": "authentication.refresh"}'
  received 2 '{"operation": "authentication.token"}'
}

lasting_401() {
  control POST faults '{"match": {"operation": "products.list"}, "status": 401}' >"$WORK/fault" || exit
  service_products 2>"$WORK/refusal" && exit 1
  same refusal "$(cut -c 1-3 "$WORK/refusal")" 401
  received 2 '{"operation": "products.list"}'
}

rate_limit() {
  local order made
  order=$(an_order) && switch '{"rate_limit": {"for_seconds": 90, "retry_after": 90}}' && made=$(service_order "$order") || exit
  same status "$(status_of "$made")" Pending
  same 'seconds waited' "$(<"$SERVICE_STATE/slept")" 90
  received 1 '{"operation": "orders.create", "status": 429}'
  received 2 '{"operation": "orders.create"}'
}

pages() {
  local paged whole
  paged=$(service_fulfillments limit=10 | jq .id) || exit
  received 3 '{"operation": "fulfillments.list"}'
  whole=$(service_fulfillments limit=100 | jq .id) || exit
  received 4 '{"operation": "fulfillments.list"}'
  same fulfillments "$paged" "$whole"
}

expired_label() {
  local known storage
  known=$(service_fulfillments | jq -sc first) && advance 960 && service_label "$known" "$SERVICE_STATE/label.pdf" || exit
  same 'first bytes' "$(head -c 5 "$SERVICE_STATE/label.pdf")" %PDF-
  storage="/_storage/labels/$(jq -r .id <<<"$known").pdf"
  received 1 "{\"path\": \"$storage\", \"status\": 403}"
  received 1 "{\"path\": \"$storage\", \"status\": 200}"
  received 1 '{"operation": "fulfillments.get"}'
}

needs_changes() {
  local order made
  order=$(an_order) && switch '{"inactive_pags": {"all": true}}' && made=$(service_order "$order") || exit
  same status "$(status_of "$made")" 'Needs Changes'
  received 1 '{"operation": "orders.create"}'
}

failing_call() {
  switch '{"server_error": {"burst": 2, "match": {"operation": "products.list"}}}' && service_products >"$WORK/products" || exit
  same 'seconds waited' "$(xargs <"$SERVICE_STATE/slept")" '0.2 0.4'
  received 2 '{"operation": "products.list", "status": 500}'
}

failing_login() {
  switch '{"server_error": {"burst": 1}}' && service_products >"$WORK/products" || exit
  same 'seconds waited' "$(<"$SERVICE_STATE/slept")" 0.2
  received 2 '{"operation": "authentication.token"}'
}

lost_answer() {
  switch '{"connection": {"drop": "mid_body", "burst": 1, "match": {"operation": "products.list"}}}' || exit
  service_products >"$WORK/products" 2>"$WORK/loss" || exit
  received 2 '{"operation": "products.list"}'
}

lasting_500() {
  switch '{"server_error": {"match": {"operation": "products.list"}}}' || exit
  service_products 2>"$WORK/failure" && exit 1
  same failure "$(cut -c 1-3 "$WORK/failure")" 500
  received 4 '{"operation": "products.list"}'
}

failing_page() {
  local list='{"operation": "fulfillments.list"}' ids queries
  control POST faults "{\"match\": $list, \"status\": 500, \"after\": 1, \"times\": 1}" >"$WORK/fault" || exit
  ids=$(service_fulfillments limit=10 | jq .id) || exit
  same 'each once' "$(sort <<<"$ids")" "$(sort -u <<<"$ids")"
  queries=$(control GET 'requests?operation=fulfillments.list' | jq -r '.requests[].query')
  same pages "$(wc -l <<<"$queries")" 4
  same 'the page again' "$(sed -n 3p <<<"$queries")" "$(sed -n 2p <<<"$queries")"
}

failing_order() {
  local order former made
  order=$(an_order) && former=$(service_order "$order") || exit
  switch '{"server_error": {"burst": 2, "match": {"operation": "orders.create"}}}' || exit
  made=$(service_order "$order" 2>"$WORK/failures") || exit
  [[ $(jq .id <<<"$made") != "$(jq .id <<<"$former")" ]] || exit
  received 2 '{"operation": "orders.list"}'
  received 2 '{"operation": "orders.create", "status": 201}'
}

lost_order() {
  local order former made id
  order=$(an_order) && former=$(service_order "$order") || exit
  switch '{"connection": {"drop": "after_processing", "burst": 1, "match": {"operation": "orders.create"}}}' || exit
  made=$(service_order "$order" 2>"$WORK/loss") || exit
  id=$(jq -r .id <<<"$made")
  [[ $id != "$(jq -r .id <<<"$former")" ]] || exit
  same accepted "$(status_of "$(control POST "orders/$id/accept")")" Accepted
  received 2 '{"operation": "orders.create"}'
}

missing_order() {
  local order fate=0
  order=$(an_order) || exit
  switch '{"connection": {"drop": "before_processing", "burst": 1, "match": {"operation": "orders.create"}}}' || exit
  service_order "$order" 2>"$WORK/loss" || fate=$?
  same 'exit code' "$fate" 3
  received 1 '{"operation": "orders.list"}'
  received 1 '{"operation": "orders.create"}'
}

unlisted_order() {
  local order fate=0
  order=$(an_order) && control PATCH assumptions '{"order_endpoints": "absent"}' >"$WORK/assumptions" || exit
  switch '{"server_error": {"burst": 1, "match": {"operation": "orders.create"}}}' || exit
  service_order "$order" 2>"$WORK/failures" || fate=$?
  same 'exit code' "$fate" 2
  received 1 '{"path": "/v2/orders", "status": 404}'
  received 1 '{"operation": "orders.create"}'
}

order_fulfillments() {
  local order id shipped
  order=$(an_order) && id=$(service_order "$order" | jq -r .id) || exit
  same 'before shipping' "$(service_order_fulfillments "$id")" ''
  control POST "orders/$id/accept" >"$WORK/order" && control POST "orders/$id/start_production" >"$WORK/order" || exit
  shipped=$(control POST "orders/$id/fulfillments" '{}') || exit
  same 'after shipping' "$(service_order_fulfillments "$id" | jq .id)" "$(jq .id <<<"$shipped")"
}

check 'from login to order' from_login_to_order
check 'an expired token is refreshed once' expired_token
check 'a refused refresh token leads to a fresh login' expired_refresh_token
check 'a 401 that stays is told' lasting_401
check 'Retry-After is waited out' rate_limit
check 'every page is read' pages
check 'an expired label URL is asked once' expired_label
check 'Needs Changes is a success' needs_changes
check 'a call that failed is made again after growing pauses' failing_call
check 'a login that failed is made again' failing_login
check 'a call whose answer is lost is made again' lost_answer
check 'a service that stays down is told' lasting_500
check 'a page that failed is asked for again by its cursor' failing_page
check 'an order that failed is looked for, and sent again where it is not stored' failing_order
check 'an order whose answer is lost is looked for, and not sent again' lost_order
check 'an order that is lost and not found is told' missing_order
check 'an order that cannot be looked for is not sent again' unlisted_order
check 'the fulfillments of an order are read' order_fulfillments
exit "${FAILED:-0}"
