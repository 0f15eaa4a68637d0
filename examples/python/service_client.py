"""A client of the Order and Fulfillment Service: products, orders, fulfillments and their labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote, urlencode

from http_exchange import AnswerLost, exchange
from service_session import PAUSES, ServiceError, ServiceSession


@dataclass(frozen=True)
class Order:
    id: str
    status: str
    consumer_id: str

    @classmethod
    def of(cls, record: dict[str, Any]) -> Self:
        return cls(record["id"], record["status"], record["consumer"]["id"])

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
    def __init__(self, session: ServiceSession, placed: set[str] | None = None) -> None:
        """placed: the ids of the orders on record, by which one whose answer was lost is told from those before it."""
        self._session = session
        self._placed = set() if placed is None else placed

    def products(self) -> list[dict[str, Any]]:
        return list(self._session.call("GET", "/v2/products")["client_products"])

    def create_order(self, order: dict[str, Any]) -> Order:
        """Whatever the status of the order that comes back: it was taken."""
        made = self._made_once(order)
        self._placed.add(made.id)
        return made

    def _made_once(self, order: dict[str, Any]) -> Order:
        """One that failed may be stored all the same: it is looked for before it is sent again."""
        failure: ServiceError | AnswerLost
        for pause in PAUSES:
            try:
                return Order.of(self._session.call("POST", "/v2/orders", order, pauses=())["order"])
            except (ServiceError, AnswerLost) as error:
                if isinstance(error, ServiceError) and error.is_refusal:
                    raise
                failure = error
            self._session.sleep(pause)
            try:
                stored = self._stored(order["consumer"])
            except (ServiceError, AnswerLost):
                raise failure from None
            if stored:
                return stored
            # One whose answer is lost may be under way yet: whoever places it decides what then.
            if isinstance(failure, AnswerLost):
                break
        raise failure

    def _stored(self, consumer: dict[str, Any]) -> Order | None:
        """Among the newest orders the consumer's that is not on record."""
        names = ("id",) if "id" in consumer else ("first_name", "last_name")
        for order in self._session.call("GET", "/v2/orders")["orders"]:
            is_theirs = all(order["consumer"].get(name) == consumer.get(name) for name in names)
            if is_theirs and order["id"] not in self._placed:
                return Order.of(order)
        return None

    def order_fulfillments(self, order_id: str) -> list[Fulfillment]:
        answer = self._session.call("GET", f"/v2/orders/{quote(order_id)}/fulfillments")
        return [Fulfillment.of(record) for record in answer["fulfillments"]]

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
