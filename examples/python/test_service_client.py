"""What the client does when the service says no, or not yet: by its results, and by what the sandbox received."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from conftest import Sandbox
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
