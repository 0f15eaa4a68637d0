"""A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote, urlencode

from http_exchange import exchange
from service_session import ServiceError, ServiceSession


@dataclass(frozen=True)
class Order:
    id: str
    status: str
    consumer_id: str

    @property
    def waits_for_operator(self) -> bool:
        """The order stands, and its packaging is to be approved: there is nothing to send again."""
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
    def __init__(self, session: ServiceSession) -> None:
        self._session = session

    def products(self) -> list[dict[str, Any]]:
        return list(self._session.call("GET", "/v2/products")["client_products"])

    def create_order(self, order: dict[str, Any]) -> Order:
        """Whatever the status of the order that comes back: it was taken."""
        made = self._session.call("POST", "/v2/orders", order)["order"]
        return Order(made["id"], made["status"], made["consumer"]["id"])

    def fulfillment(self, fulfillment_id: str) -> Fulfillment:
        answer = self._session.call("GET", f"/v2/fulfillments/{quote(fulfillment_id)}")
        return Fulfillment.of(answer["fulfillment"])

    def fulfillments(self, **query: str | int) -> Iterator[Fulfillment]:
        """All of them, page after page, as the caller goes on."""
        while True:
            page = self._session.call("GET", f"/v2/fulfillments?{urlencode(query)}")
            yield from map(Fulfillment.of, page["fulfillments"])
            # A page without the key is no last page: better a KeyError than half a list.
            if page["next_cursor"] is None:
                return
            query = {**query, "cursor": page["next_cursor"]}

    def label(self, known: Fulfillment) -> bytes:
        """The label, a PDF. A label_url that the storage has refused is not asked again."""
        answer = exchange("GET", known.label_url)  # signed by itself: it takes no token
        if answer.status == 403:
            answer = exchange("GET", self.fulfillment(known.id).label_url)
        if answer.status != 200:
            raise ServiceError(answer)
        return answer.content
