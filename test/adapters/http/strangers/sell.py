"""Sells all four products with Python's standard library, as the partner's guide says."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone

API, CHANNEL = os.environ["API"], os.environ["CHANNEL_LINK"]
CREDENTIALS = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}
RUN = uuid.uuid4().hex[:8]  # In a shop: the number of the order.
TODAY = datetime.now(timezone(timedelta(hours=-3)))  # "Today" is the day in São Paulo.

token = None


class Refused(Exception):
    """An answer of 400 and above. Programs decide by its code."""

    def __init__(self, status, headers, body):
        super().__init__(f"{status} {headers.get('X-Error-Code')}")
        self.status, self.headers, self.body = status, headers, body
        self.code = headers.get("X-Error-Code")


def day(offset):
    return (TODAY + timedelta(days=offset)).strftime("%Y-%m-%d")


def read_json(text):
    """A proxy in between answers with a page: nothing in it is of use."""
    try:
        return json.loads(text)
    except ValueError:
        return {}


def exchange(method, path, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data, headers or {}, method=method)
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.headers, read_json(error.read())) from None


def log_in():
    global token
    _, _, body = exchange("POST", "/seguros/auth/token", CREDENTIALS)
    token = body["access_token"]


def call(method, path, body=None):
    """Sends a request until it has an answer; `body` names its sale, so that it sells once."""
    has_logged_in = False
    for attempt in range(6):
        try:
            return exchange(method, path, body, {"Authorization": f"Bearer {token}"})
        except Refused as refused:
            retry_after = refused.headers.get("Retry-After")
            if refused.status == 401 and not has_logged_in:
                has_logged_in = True
                log_in()
                continue
            may_repeat = refused.status in (429, 500, 502, 503, 504) or (
                refused.status == 409 and retry_after is not None
            )
            if not may_repeat or attempt == 5:
                raise
            time.sleep(int(retry_after) if retry_after else 2 ** (attempt + 1))
        except (urllib.error.URLError, TimeoutError, ConnectionError, ValueError):
            if attempt == 5:
                raise
            time.sleep(2 ** (attempt + 1))


def ticket_sale(name, **changes):
    return {
        "externalSaleId": f"{RUN}-{name}", "productId": ids["INGRESSO"], "channelLink": CHANNEL,
        "nomeCompleto": "Maria da Silva", "cpfCnpj": "52998224725",
        "dataNascimento": "1990-05-17", "email": "maria@example.com", "telefone": "11987654321",
        "logradouro": "Rua das Flores, 100", "bairro": "Centro", "cidade": "São Paulo",
        "uf": "SP", "cep": "01001000", "dataPagamento": day(0), "formaPagamento": "pix",
        "tipoIngresso": "inteira", "numeroIngresso": "ABC-123", "dataEvento": day(30),
        "valorIngresso": 1886.00, "valorSeguro": 188.60, **changes,
    }  # fmt: skip


def card(number):
    return {"flag": "visa", "number": number, "cvv": "123", "expiryMonth": "12", "expiryYear": "39"}


def phone_sale(name, **changes):
    return {
        "externalSaleId": f"{RUN}-{name}", "productId": ids["CELULAR"], "channelLink": CHANNEL,
        "plan": {"code": "ANUAL"}, "nameOrRazao": "Maria da Silva", "cpfOrCnpj": "52998224725",
        "email": "maria@example.com", "phone": "11987654321", **changes,
    }  # fmt: skip


def wait_for(status, path):
    for _ in range(300):
        _, _, body = call("GET", path)
        if body["data"]["status"] == status:
            return
        time.sleep(0.1)
    raise TimeoutError(f"{path} did not become {status}")


log_in()
print("logged in")

_, _, products = call("GET", "/private/integration/products")
ids = {product["code"]: product["id"] for product in products["data"]}
print("products", " ".join(sorted(ids)))

INGRESSO = "/seguros/ingresso-protegido/create"
_, _, ticket = call("POST", INGRESSO, ticket_sale("ticket"))
print("INGRESSO", ticket["data"]["status"])

_, headers, again = call("POST", INGRESSO, ticket_sale("ticket"))
same = again["data"]["transaction_id"] == ticket["data"]["transaction_id"]
print("repeated", headers["Idempotent-Replayed"], "the same sale" if same else "another sale")

try:
    call("POST", INGRESSO, ticket_sale("corrected", cpfCnpj="52998224726"))
except Refused as refused:
    print("faulty", refused.status, refused.headers["X-Error-Fields"])
_, _, corrected = call("POST", INGRESSO, ticket_sale("corrected"))
print("corrected", corrected["data"]["status"])

iof_rate = next(each["iof_rate"] for each in products["data"] if each["code"] == "ARTISTA")
artist = {
    "externalSaleId": f"{RUN}-artist", "productId": ids["ARTISTA"], "channelLink": CHANNEL,
    "nameOrRazao": "Maria da Silva", "cpfOrCnpj": "52998224725", "birthDate": "1990-05-17",
    "email": "maria@example.com", "phone": "11987654321", "eventName": "Festival",
    "venueName": "Parque", "eventDescription": "Apresentação musical",
    "assemblyStartDate": day(10), "eventStartDate": day(11), "eventEndDate": day(12),
    "disassemblyEndDate": day(13), "standArea": 20, "lossLimit": 10000.00,
    "premiumNet": 100.00, "premiumTaxes": round(100 * iof_rate / 100, 2),
    "address": {
        "street": "Rua das Flores", "number": "100", "district": "Centro", "city": "São Paulo",
        "state": "SP", "postcode": "01001000", "ibgeCode": "3550308",
    },
    "payment": {
        "modeCode": "2", "totalInstallmentNumber": 1, "creditCard": card("4111111111111111"),
    },
}  # fmt: skip
_, _, artist_answer = call("POST", "/seguros/artista-protegido/create", artist)
print("ARTISTA", artist_answer["response"]["data"]["status"])

CELULAR = "/seguros/seguro-celular/create"
_, _, phone = call("POST", CELULAR, phone_sale("phone-link"))
print("CELULAR", phone["data"]["status"])
form = urllib.parse.urlencode({"action": "pay", "method": "pix"}).encode()
urllib.request.urlopen(phone["link"], form).close()  # Only in the test environment.
wait_for("issued", f"/seguros/seguro-celular/status/{RUN}-phone-link")
print("CELULAR issued, paid at the link")

try:
    declined = phone_sale("phone-declined", creditCard=card("4000000000000002"))
    call("POST", CELULAR, declined)
except Refused as refused:
    print("declined", refused.status, refused.code)
_, _, phone = call("POST", CELULAR, phone_sale("phone-card", creditCard=card("4111111111111111")))
print("CELULAR", phone["data"]["status"], "by card")

trip = {
    "externalSaleId": f"{RUN}-trip", "product": {"code": "LUA_DE_MEL"},
    "insured": {
        "name": "Maria da Silva", "cpfOrCnpj": "52998224725", "email": "maria@example.com",
    },
    "coverage": {"startDate": day(20), "endDate": day(34)},
    "payment": {"status": "paid", "method": "pix"},
}  # fmt: skip
_, _, sold = call("POST", "/private/integration/sale", trip)
print("LUA_DE_MEL", sold["data"]["status"])

CANCEL = f"/private/integration/sale/{RUN}-trip/cancel"
_, _, preview = call("POST", CANCEL, {"preview": True})
refund = preview["response"]["data"]["cancellation"]["refund"]["total"]
_, _, cancelled = call("POST", CANCEL, {"refundTotal": refund})
is_all = refund == sold["data"]["amounts"]["total"]
print(cancelled["response"]["data"]["status"], "everything goes back" if is_all else refund)

seen, after = {}, ""
for _ in range(300):
    query = urllib.parse.urlencode({"limit": 200, **({"after": after} if after else {})})
    _, _, feed = call("GET", f"/private/integration/events?{query}")
    for event in feed["data"]:
        name = event["data"].get("external_sale_id") or ""
        if name.startswith(RUN):
            seen.setdefault(name[len(RUN) + 1 :], []).append(event["type"])
    after = feed["next_cursor"]
    if "sale.cancelled" in seen.get("trip", []):
        break
    if not feed["has_more"]:
        time.sleep(0.1)
print("feed", " ".join(sorted(seen)))
