"""The client as `sachet certify` walks it: for each line that comes one round of what it does, then the same line."""

import os
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from http_exchange import AnswerLost, exchange
from service_client import ServiceClient
from service_session import ServiceError, ServiceSession, Settings

ORDER = {
    "consumer": {"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.com", "phone_number": "+15550100"},
    "shipping_address": {"address1": "1 Main Street", "city": "Springfield", "country_name": "United States"},
    "order_lines": [
        {
            "duration": 30,
            "pouches": [
                {
                    "time_of_administration": "Morning",
                    "contents": [{"client_product_id": "20000000-0000-4000-8000-000000000001", "serving_size": 1}],
                }
            ],
        }
    ],
}
CLOCK = f"{os.environ['SACHET_URL']}/_admin/sandboxes/{os.environ['SACHET_SANDBOX']}/clock/advance"
Result = TypeVar("Result")


def sleep(seconds: float) -> None:
    """A wait of a minute or more goes by the sandbox's clock."""
    if seconds < 60:
        time.sleep(seconds)
    else:
        exchange("POST", CLOCK, {"seconds": seconds}, os.environ["SACHET_ADMIN_KEY"])


def step(name: str, act: Callable[[], Result]) -> Result | None:
    """What fails is told, and the round goes on."""
    try:
        return act()
    except (ServiceError, AnswerLost) as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return None


def one_round(client: ServiceClient) -> None:
    step("products", client.products)
    order = step("order", lambda: client.create_order(ORDER))
    if order:
        step("the order's fulfillments", lambda: client.order_fulfillments(order.id))
    by_id = step("fulfillments", lambda: {known.id: known for known in client.fulfillments(limit=10)})
    if by_id:
        step("label", lambda: client.label(client.fulfillment(next(iter(by_id)))))


def main() -> None:
    placed: set[str] = set()
    client = ServiceClient(ServiceSession(Settings.from_environment(), sleep), placed)
    for line in sys.stdin:
        # The sandbox is as new before each scenario, and numbers its orders anew.
        if line.startswith("before "):
            placed.clear()
        one_round(client)
        print(line, end="", flush=True)


main()
