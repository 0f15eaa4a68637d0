"""A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote, urlencode

from http_exchange import ResponseLost, exchange
from service_session import RETRY_DELAYS, ServiceError, ServiceSession


@dataclass(frozen=True)
class Order:
    id: str
    status: str
    consumer_id: str

    @classmethod
    def of(cls, record: dict[str, Any]) -> Self:
        return cls(record["id"], record["status"], record["consumer"]["id"])

    @property
    def needs_packaging_approval(self) -> bool:
        """The order is stored and waits for the operator to approve its packaging. Do not send it again."""
        return self.status == "Needs Changes"


@dataclass(frozen=True)
class Fulfillment:
    id: str
    order_id: str
    status_id: str
    label_url: str

    @classmethod
    def of(cls, record: dict[str, Any]) -> Self:
        return cls(*(record[name] for name in ("id", "order_id", "status_id", "label_url")))


class ServiceClient:
    def __init__(self, session: ServiceSession, placed: set[str] | None = None) -> None:
        """placed: ids of the orders placed so far. An order whose response was lost is not in the set."""
        self._session = session
        self._placed = set() if placed is None else placed

    def products(self) -> list[dict[str, Any]]:
        return list(self._session.call("GET", "/v2/products")["client_products"])

    def create_order(self, order: dict[str, Any]) -> Order:
        """Returns the stored order, whatever its status. Do not create it again."""
        created = self._create_once(order)
        self._placed.add(created.id)
        return created

    def _create_once(self, order: dict[str, Any]) -> Order:
        """A failed request may have stored the order, so look for it before you send it again."""
        failure: ServiceError | ResponseLost
        for delay in RETRY_DELAYS:
            try:
                return Order.of(self._session.call("POST", "/v2/orders", order, delays=())["order"])
            except (ServiceError, ResponseLost) as error:
                if isinstance(error, ServiceError) and error.is_client_error:
                    raise
                failure = error
            self._session.sleep(delay)
            try:
                stored = self._find_stored(order["consumer"])
            except (ServiceError, ResponseLost):
                raise failure from None
            if stored:
                return stored
            # Without a response, the service may still be processing the order. Let the caller decide.
            if isinstance(failure, ResponseLost):
                break
        raise failure

    def _find_stored(self, consumer: dict[str, Any]) -> Order | None:
        """Finds the consumer's order among the newest orders, without those in `placed`."""
        names = ("id",) if "id" in consumer else ("first_name", "last_name")
        for order in self._session.call("GET", "/v2/orders")["orders"]:
            is_same_consumer = all(order["consumer"].get(name) == consumer.get(name) for name in names)
            if is_same_consumer and order["id"] not in self._placed:
                return Order.of(order)
        return None

    def order_fulfillments(self, order_id: str) -> list[Fulfillment]:
        response = self._session.call("GET", f"/v2/orders/{quote(order_id)}/fulfillments")
        return [Fulfillment.of(record) for record in response["fulfillments"]]

    def fulfillment(self, fulfillment_id: str) -> Fulfillment:
        response = self._session.call("GET", f"/v2/fulfillments/{quote(fulfillment_id)}")
        return Fulfillment.of(response["fulfillment"])

    def fulfillments(self, **query: str | int) -> Iterator[Fulfillment]:
        """Iterates over all fulfillments. Requests the next page when it is needed."""
        while True:
            page = self._session.call("GET", f"/v2/fulfillments?{urlencode(query)}")
            yield from map(Fulfillment.of, page["fulfillments"])
            # A missing next_cursor raises a KeyError: more pages may follow.
            if page["next_cursor"] is None:
                return
            query = {**query, "cursor": page["next_cursor"]}

    def label(self, fulfillment: Fulfillment) -> bytes:
        """Downloads the label as a PDF. If the URL has expired, reads the fulfillment again for a fresh one."""
        response = exchange("GET", fulfillment.label_url)  # a signed URL needs no token
        if response.status == 403:
            response = exchange("GET", self.fulfillment(fulfillment.id).label_url)
        if response.status != 200:
            raise ServiceError(response)
        return response.content
