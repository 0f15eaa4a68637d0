"""What the client does when the service says no, or not yet: by its results, and by what the sandbox received."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from conftest import Sandbox
from http_exchange import AnswerLost
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


def test_from_login_to_order(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    made = client.create_order(order)
    assert made.status == "Pending" and not made.waits_for_operator
    assert sandbox.control("GET", f"orders/{made.id}")["consumer_id"] == made.consumer_id
    assert sandbox.received(operation="authentication.token") == 1
    assert sandbox.received(operation="orders.create") == 1


def test_an_expired_token_is_refreshed_once(client: ServiceClient, sandbox: Sandbox) -> None:
    products = client.products()
    sandbox.advance(DAY + MINUTE)
    assert client.products() == client.products() == products
    assert sandbox.received(operation="products.list", status=401) == 1
    assert sandbox.received(operation="authentication.refresh", status=200) == 1
    assert sandbox.received(operation="authentication.token") == 1


def test_threads_share_one_refresh(client: ServiceClient, sandbox: Sandbox) -> None:
    client.products()
    sandbox.advance(DAY + MINUTE)
    # Slow enough that all of them are under way before the first is told that its token has expired.
    sandbox.control("PATCH", "switches", {"latency": {"milliseconds": 300, "match": {"operation": "products.list"}}})
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: client.products(), range(4)))
    assert sandbox.received(operation="products.list", status=401) == 4
    assert sandbox.received(operation="authentication.refresh") == 1


def test_a_refused_refresh_token_leads_to_a_fresh_login(client: ServiceClient, sandbox: Sandbox) -> None:
    products = client.products()
    sandbox.advance(31 * DAY)
    assert client.products() == products
    assert sandbox.received(operation="authentication.refresh") == 1
    assert sandbox.received(operation="authentication.token") == 2


def test_a_401_that_stays_is_told(client: ServiceClient, sandbox: Sandbox) -> None:
    sandbox.control("POST", "faults", {"match": {"operation": "products.list"}, "status": 401})
    with pytest.raises(ServiceError, match="^401"):
        client.products()
    assert sandbox.received(operation="products.list") == 2


def test_retry_after_is_waited_out(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any], slept: list[float]) -> None:
    sandbox.control("PATCH", "switches", {"rate_limit": {"for_seconds": 90, "retry_after": 90}})
    assert client.create_order(order).status == "Pending"
    assert slept == [90]
    assert sandbox.received(operation="orders.create", status=429) == 1
    assert sandbox.received(operation="orders.create") == 2


def test_every_page_is_read(client: ServiceClient, sandbox: Sandbox) -> None:
    ids = [fulfillment.id for fulfillment in client.fulfillments(limit=10)]
    assert sandbox.received(operation="fulfillments.list") == 3
    assert ids == [fulfillment.id for fulfillment in client.fulfillments(limit=100)]
    assert len(ids) == len(set(ids)) > 20


def test_an_expired_label_url_is_asked_once(client: ServiceClient, sandbox: Sandbox) -> None:
    known = next(client.fulfillments())
    sandbox.advance(16 * MINUTE)
    assert client.label(known).startswith(b"%PDF-")
    storage = f"/_storage/labels/{known.id}.pdf"
    assert sandbox.received(path=storage, status=403) == 1
    assert sandbox.received(path=storage, status=200) == 1
    assert sandbox.received(operation="fulfillments.get") == 1


def test_needs_changes_is_a_success(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    sandbox.control("PATCH", "switches", {"inactive_pags": {"all": True}})
    made = client.create_order(order)
    assert made.waits_for_operator
    assert sandbox.received(operation="orders.create") == 1
    assert sandbox.control("POST", f"orders/{made.id}/approve_packaging")["status"] == "Pending"


def test_a_failed_call_is_made_again_after_growing_pauses(client: ServiceClient, sandbox: Sandbox, slept: list[float]) -> None:
    sandbox.control("PATCH", "switches", {"server_error": {"burst": 2, "match": {"operation": "products.list"}}})
    assert client.products()
    assert slept == [0.2, 0.4]
    assert sandbox.received(operation="products.list", status=500) == 2


def test_a_failed_login_is_made_again(client: ServiceClient, sandbox: Sandbox, slept: list[float]) -> None:
    sandbox.control("PATCH", "switches", {"server_error": {"burst": 1}})
    assert client.products()
    assert slept == [0.2]
    assert sandbox.received(operation="authentication.token") == 2


@pytest.mark.parametrize("drop", ["after_processing", "mid_body"])
def test_a_lost_answer_is_asked_for_again(client: ServiceClient, sandbox: Sandbox, drop: str) -> None:
    match = {"operation": "products.list"}
    sandbox.control("PATCH", "switches", {"connection": {"drop": drop, "burst": 1, "match": match}})
    assert client.products()
    assert sandbox.received(**match) == 2


def test_a_service_that_stays_down_is_told(client: ServiceClient, sandbox: Sandbox, slept: list[float]) -> None:
    sandbox.control("PATCH", "switches", {"server_error": {"match": {"operation": "products.list"}}})
    with pytest.raises(ServiceError, match="^500"):
        client.products()
    assert slept == [0.2, 0.4, 0.8]
    assert sandbox.received(operation="products.list") == 4


def test_a_failed_page_is_asked_for_again_by_its_cursor(client: ServiceClient, sandbox: Sandbox) -> None:
    match = {"operation": "fulfillments.list"}
    sandbox.control("POST", "faults", {"match": match, "status": 500, "after": 1, "times": 1})
    ids = [fulfillment.id for fulfillment in client.fulfillments(limit=10)]
    assert len(ids) == len(set(ids)) > 20
    pages = sandbox.control("GET", "requests?operation=fulfillments.list")["requests"]
    assert len(pages) == 4
    assert pages[2]["query"] == pages[1]["query"]


def test_a_failed_order_is_looked_for_and_sent_again_where_it_is_not_stored(
    client: ServiceClient, sandbox: Sandbox, order: dict[str, Any], slept: list[float]
) -> None:
    former = client.create_order(order)
    sandbox.control("PATCH", "switches", {"server_error": {"burst": 2, "match": {"operation": "orders.create"}}})
    assert client.create_order(order).id != former.id
    assert slept == [0.2, 0.4]
    assert sandbox.received(operation="orders.list") == 2
    assert sandbox.received(operation="orders.create", status=201) == 2


@pytest.mark.parametrize("drop", ["after_processing", "mid_body"])
def test_an_order_whose_answer_is_lost_is_looked_for_and_not_sent_again(
    client: ServiceClient, sandbox: Sandbox, order: dict[str, Any], drop: str
) -> None:
    former = client.create_order(order)
    match = {"operation": "orders.create"}
    sandbox.control("PATCH", "switches", {"connection": {"drop": drop, "burst": 1, "match": match}})
    made = client.create_order(order)
    assert made.id != former.id
    assert sandbox.control("POST", f"orders/{made.id}/accept")["status"] == "Accepted"
    assert sandbox.received(**match) == 2


def test_an_order_that_is_lost_and_not_found_is_told(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    match = {"operation": "orders.create"}
    sandbox.control("PATCH", "switches", {"connection": {"drop": "before_processing", "burst": 1, "match": match}})
    with pytest.raises(AnswerLost):
        client.create_order(order)
    assert sandbox.received(operation="orders.list") == 1
    assert sandbox.received(**match) == 1


def test_an_order_that_cannot_be_looked_for_is_not_sent_again(
    client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]
) -> None:
    sandbox.control("PATCH", "assumptions", {"order_endpoints": "absent"})
    sandbox.control("PATCH", "switches", {"server_error": {"burst": 1, "match": {"operation": "orders.create"}}})
    with pytest.raises(ServiceError, match="^500"):
        client.create_order(order)
    assert sandbox.received(path="/v2/orders", status=404) == 1
    assert sandbox.received(operation="orders.create") == 1


def test_the_fulfillments_of_an_order(client: ServiceClient, sandbox: Sandbox, order: dict[str, Any]) -> None:
    made = client.create_order(order)
    assert client.order_fulfillments(made.id) == []
    for action in ("accept", "start_production"):
        sandbox.control("POST", f"orders/{made.id}/{action}")
    shipped = sandbox.control("POST", f"orders/{made.id}/fulfillments", {})
    assert [known.id for known in client.order_fulfillments(made.id)] == [shipped["id"]]
