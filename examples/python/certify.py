"""Runs the client under `sachet certify`: for each line of standard input it makes its calls, then prints the line back."""

import os
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from http_exchange import ResponseLost, exchange
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
    """Does not wait a minute or more in real time: advances the sandbox's clock."""
    if seconds < 60:
        time.sleep(seconds)
    else:
        exchange("POST", CLOCK, {"seconds": seconds}, os.environ["SACHET_ADMIN_KEY"])


def attempt(name: str, call: Callable[[], Result]) -> Result | None:
    """Prints a failure and continues with the next call."""
    try:
        return call()
    except (ServiceError, ResponseLost) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return None


def until_it_answers(call: Callable[[], Result]) -> Result:
    """While the service is down, tries again after one, two and four minutes."""
    for minutes in (1, 2, 4):
        try:
            return call()
        except ServiceError as error:
            if error.is_client_error:
                raise
        sleep(60 * minutes)
    return call()


def make_calls(client: ServiceClient) -> None:
    attempt("products", lambda: until_it_answers(client.products))
    order = attempt("order", lambda: client.create_order(ORDER))
    if order:
        attempt("the order's fulfillments", lambda: client.order_fulfillments(order.id))
    by_id = attempt("fulfillments", lambda: {fulfillment.id: fulfillment for fulfillment in client.fulfillments(limit=10)})
    if by_id:
        attempt("label", lambda: client.label(client.fulfillment(next(iter(by_id)))))


def main() -> None:
    placed: set[str] = set()
    client = ServiceClient(ServiceSession(Settings.from_environment(), sleep), placed)
    for line in sys.stdin:
        # The sandbox is reset before each scenario, and its order ids repeat.
        if line.startswith("before "):
            placed.clear()
        make_calls(client)
        print(line, end="", flush=True)


main()
