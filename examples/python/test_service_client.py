"""How the client handles errors, checked by its results and by the requests that the sandbox received."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_sachet import Sandbox

from http_exchange import ResponseLost
from service_client import ServiceClient
from service_session import ServiceError

MINUTE = 60
DAY = 24 * 60 * MINUTE


@pytest.fixture
def order(client: ServiceClient) -> dict[str, Any]:
    product = next(product for product in client.products() if product["active"])
    contents = [{"client_product_id": product["id"], "serving_size": product["serving_size"]}]
    return {
        "consumer": {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com", "phone_number": "+15550100"},
        "shipping_address": {"address1": "1 Main Street", "city": "Springfield", "country_name": "United States"},
        "order_lines": [{"duration": 30, "pouches": [{"time_of_administration": "Morning", "contents": contents}]}],
    }


def test_places_an_order(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    created = client.create_order(order)
    assert created.status == "Pending" and not created.needs_packaging_approval
    assert sandbox.control("GET", f"orders/{created.id}")["consumer_id"] == created.consumer_id
    assert sandbox.received(operation="authentication.token") == 1
    assert sandbox.received(operation="orders.create") == 1


def test_refreshes_an_expired_token_once(client: ServiceClient, sandbox: Sandbox) -> None:
    products = client.products()
    sandbox.advance(DAY)
    assert client.products() == client.products() == products
    assert sandbox.received(operation="products.list", status=401) == 1
    assert sandbox.received(operation="authentication.refresh", status=200) == 1
    assert sandbox.received(operation="authentication.token") == 1


def test_shares_one_refresh_between_threads(client: ServiceClient, sandbox: Sandbox) -> None:
    client.products()
    sandbox.advance(DAY)
    # Slow, so that all four are sent before the first one gets its 401.
    sandbox.switches(latency={"milliseconds": 300, "match": {"operation": "products.list"}})
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: client.products(), range(4)))
    assert sandbox.received(operation="products.list", status=401) == 4
    assert sandbox.received(operation="authentication.refresh") == 1


def test_logs_in_again_if_the_refresh_token_is_rejected(client: ServiceClient, sandbox: Sandbox) -> None:
    products = client.products()
    sandbox.advance(30 * DAY)
    assert client.products() == products
    assert sandbox.received(operation="authentication.refresh") == 1
    assert sandbox.received(operation="authentication.token") == 2


def test_raises_if_the_retry_gets_a_401(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.control("POST", "faults", {"match": {"operation": "products.list"}, "status": 401})
    with pytest.raises(ServiceError, match="^401"):
        client.products()
    assert sandbox.received(operation="products.list") == 2


def test_waits_for_retry_after(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any], slept: list[float]) -> None:
    sandbox.switches(rate_limit={"for_seconds": 90, "retry_after": 90})
    assert client.create_order(order).status == "Pending"
    assert slept == [90]
    assert sandbox.received(operation="orders.create", status=429) == 1
    assert sandbox.received(operation="orders.create") == 2


def test_reads_all_pages(client: ServiceClient, sandbox: Sandbox) -> None:
    ids = [fulfillment.id for fulfillment in client.fulfillments(limit=10)]
    assert sandbox.received(operation="fulfillments.list") == 3
    assert ids == [fulfillment.id for fulfillment in client.fulfillments(limit=100)]
    assert len(ids) == len(set(ids)) > 20


def test_requests_an_expired_label_url_once(client: ServiceClient, sandbox: Sandbox) -> None:
    fulfillment = next(client.fulfillments())
    sandbox.advance(15 * MINUTE)
    assert client.label(fulfillment).startswith(b"%PDF-")
    storage = f"/_storage/labels/{fulfillment.id}.pdf"
    assert sandbox.received(path=storage, status=403) == 1
    assert sandbox.received(path=storage, status=200) == 1
    assert sandbox.received(operation="fulfillments.get") == 1


def test_treats_needs_changes_as_a_success(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    sandbox.switches(inactive_pags={"all": True})
    created = client.create_order(order)
    assert created.needs_packaging_approval
    assert sandbox.received(operation="orders.create") == 1
    assert sandbox.control("POST", f"orders/{created.id}/approve_packaging")["status"] == "Pending"


def test_retries_a_failed_request_with_growing_delays(client: ServiceClient, sandbox: Sandbox, slept: list[float]) -> None:
    sandbox.switches(server_error={"burst": 2, "match": {"operation": "products.list"}})
    assert client.products()
    assert slept == [0.2, 0.4]
    assert sandbox.received(operation="products.list", status=500) == 2


def test_retries_a_failed_login(client: ServiceClient, sandbox: Sandbox, slept: list[float]) -> None:
    sandbox.switches(server_error={"burst": 1})
    assert client.products()
    assert slept == [0.2]
    assert sandbox.received(operation="authentication.token") == 2


@pytest.mark.parametrize("drop", ["after_processing", "mid_body"])
def test_retries_after_a_lost_response(client: ServiceClient, sandbox: Sandbox, drop: str) -> None:
    match = {"operation": "products.list"}
    sandbox.switches(connection={"drop": drop, "burst": 1, "match": match})
    assert client.products()
    assert sandbox.received(**match) == 2


def test_raises_after_three_retries(client: ServiceClient, sandbox: Sandbox, slept: list[float]) -> None:
    sandbox.switches(server_error={"match": {"operation": "products.list"}})
    with pytest.raises(ServiceError, match="^500"):
        client.products()
    assert slept == [0.2, 0.4, 0.8]
    assert sandbox.received(operation="products.list") == 4


def test_retries_a_failed_page_with_the_same_cursor(client: ServiceClient, sandbox: Sandbox) -> None:
    match = {"operation": "fulfillments.list"}
    sandbox.control("POST", "faults", {"match": match, "status": 500, "after": 1, "times": 1})
    ids = [fulfillment.id for fulfillment in client.fulfillments(limit=10)]
    assert len(ids) == len(set(ids)) > 20
    pages = sandbox.requests(operation="fulfillments.list")
    assert len(pages) == 4
    assert pages[2]["query"] == pages[1]["query"]


def test_looks_for_a_failed_order_and_sends_it_again_if_it_is_not_stored(
    client: ServiceClient, sandbox: Sandbox, order: dict[str, Any], slept: list[float]
) -> None:
    earlier = client.create_order(order)
    sandbox.switches(server_error={"burst": 2, "match": {"operation": "orders.create"}})
    assert client.create_order(order).id != earlier.id
    assert slept == [0.2, 0.4]
    assert sandbox.received(operation="orders.list") == 2
    assert sandbox.received(operation="orders.create", status=201) == 2


@pytest.mark.parametrize("drop", ["after_processing", "mid_body"])
def test_finds_an_order_after_a_lost_response_and_does_not_send_it_again(
    client: ServiceClient, sandbox: Sandbox, order: dict[str, Any], drop: str
) -> None:
    earlier = client.create_order(order)
    match = {"operation": "orders.create"}
    sandbox.switches(connection={"drop": drop, "burst": 1, "match": match})
    created = client.create_order(order)
    assert created.id != earlier.id
    assert sandbox.control("POST", f"orders/{created.id}/accept")["status"] == "Accepted"
    assert sandbox.received(**match) == 2


def test_raises_if_it_does_not_find_a_lost_order(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    match = {"operation": "orders.create"}
    sandbox.switches(connection={"drop": "before_processing", "burst": 1, "match": match})
    with pytest.raises(ResponseLost):
        client.create_order(order)
    assert sandbox.received(operation="orders.list") == 1
    assert sandbox.received(**match) == 1


@pytest.mark.sandbox(assumptions={"order_endpoints": "absent"})
def test_does_not_send_an_order_again_if_it_cannot_list_the_orders(
    client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]
) -> None:
    sandbox.switches(server_error={"burst": 1, "match": {"operation": "orders.create"}})
    with pytest.raises(ServiceError, match="^500"):
        client.create_order(order)
    assert sandbox.received(path="/v2/orders", status=404) == 1
    assert sandbox.received(operation="orders.create") == 1


def test_reads_the_fulfillments_of_an_order(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    created = client.create_order(order)
    assert client.order_fulfillments(created.id) == []
    for action in ("accept", "start_production"):
        sandbox.control("POST", f"orders/{created.id}/{action}")
    shipped = sandbox.control("POST", f"orders/{created.id}/fulfillments", {})
    assert [fulfillment.id for fulfillment in client.order_fulfillments(created.id)] == [shipped["id"]]
