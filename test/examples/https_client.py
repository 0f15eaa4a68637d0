"""Logs in, places an order and downloads a label over HTTPS. The argument is the file of a ready record."""

import json
import sys

import requests

with open(sys.argv[1], encoding="utf-8") as file:
    ready = json.load(file)
url = ready["url"]
assert url.startswith("https://"), url

try:
    requests.Session().get(f"{url}/health", verify="/etc/ssl/certs/ca-certificates.crt", timeout=10)
except requests.exceptions.SSLError:
    pass
else:
    raise AssertionError("a client without the CA trusted the certificate")

session = requests.Session()
login = session.post(
    f"{url}/v2/authentication/token",
    json={"username": ready["username"], "password": ready["password"]},
    timeout=10,
)
login.raise_for_status()
session.headers["Authorization"] = f"Bearer {login.json()['access_token']}"

order = {
    "consumer": {"first_name": "Ada", "last_name": "Lovelace"},
    "shipping_address": {"address1": "1 Main Street", "city": "Springfield", "country_name": "United States"},
    "order_lines": [
        {
            "duration": 30,
            "pouches": [{"contents": [{"client_product_id": "20000000-0000-4000-8000-000000000001", "serving_size": 1}]}],
        }
    ],
}
placed = session.post(f"{url}/v2/orders", json=order, timeout=10)
assert placed.status_code == 201, placed.text

label_url = session.get(f"{url}/v2/fulfillments", timeout=10).json()["fulfillments"][0]["label_url"]
label = requests.get(label_url, timeout=10)
assert label.content.startswith(b"%PDF-"), label.text
