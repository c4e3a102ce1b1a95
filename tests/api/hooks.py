"""Signs Schemathesis in to a demonstration shop, and lets half of the valid requests name what exists there at its current version."""

import functools
import os
import re
import time
import zlib
from urllib.parse import urlsplit

import requests
import schemathesis
from schemathesis import GenerationMode

SHOP = os.environ["SHOP_ORIGIN"]
# An account of the demonstration's identity provider; empty for a guest.
ACCOUNT = os.environ["SHOP_ACCOUNT"]
# Staff must have signed in within the last 15 minutes.
SIGN_IN_SECONDS = 600
# Where staff see what an operation's first parameter names.
PAGES = {
    "/api/admin/orders/drafts/{number}": "/admin/orders/drafts",
    "/api/admin/orders/{number}": "/admin/orders",
    "/api/admin/products/{id}": "/admin/products",
    "/api/admin/users/{id}": "/admin/users",
    "/api/admin/categories/{id}": "/admin/products/groups",
    "/api/admin/collections/{id}": "/admin/products/groups",
    "/api/admin/settings/promotions/{id}": "/admin/settings/promotions",
    "/api/admin/settings/tax/rates/{id}": "/admin/settings/tax",
    "/api/admin/settings/compliance/rules/{id}": "/admin/settings/compliance",
    "/api/admin/settings/webhooks/{id}": "/admin/settings/webhooks",
}
HAVE_OWN_PAGE = ("/admin/orders", "/admin/orders/drafts", "/admin/products", "/admin/users", "/admin/settings/webhooks")


@functools.cache
def cookies(_period):
    """The cookies of an adult who has just signed in."""
    browser = requests.Session()
    browser.post(f"{SHOP}/api/verify-age", json={"birth_date": "1980-05-17"}).raise_for_status()
    if ACCOUNT:
        page = browser.get(f"{SHOP}/auth/login?return_to=/account")
        query, provider = urlsplit(page.url).query, page.url.partition("/authorize")[0]
        form = {"request": query, "account": f"demo-{ACCOUNT}"}
        browser.post(f"{provider}/sign-in", form, headers={"origin": provider}).raise_for_status()
    return {name: browser.cookies[name] for name in ("session", "age") if name in browser.cookies}


def current_cookies():
    return cookies(time.monotonic() // SIGN_IN_SECONDS)


@schemathesis.auth(refresh_interval=SIGN_IN_SECONDS)
class SignIn:
    def get(self, case, context):
        return current_cookies()

    def set(self, case, data, context):
        case.cookies = {**(case.cookies or {}), **data}
        # The shop rejects changes from other sites.
        case.headers["origin"] = SHOP


def page(path):
    return requests.get(f"{SHOP}{path}/_payload.json", cookies=current_cookies()).text


@functools.cache
def existing(path, name):
    """The values of a field on a page of staff."""
    return sorted(set(re.findall(rf'"{name}":"([^"/]+)"', page(path))))


@schemathesis.hook
def filter_case(context, case):
    """Unknown parameters are ignored, since links carry those of advertisers: no answer could be wrong."""
    return not any("unknown-property" in name for name in case.query or ())


@schemathesis.hook
def before_call(context, case, kwargs):
    if not case.meta or case.meta.generation.mode is not GenerationMode.POSITIVE or ACCOUNT in ("", "shopper"):
        return
    path = case.operation.path
    prefix = next((prefix for prefix in PAGES if path.startswith(prefix)), None)
    chance = zlib.crc32(repr((case.path_parameters, case.body)).encode())
    if prefix and chance % 2:
        shown, name = PAGES[prefix], prefix[prefix.index("{") + 1 : -1]
        values = existing(shown, name)
        if not values:
            return
        value = values[chance // 2 % len(values)]
        case.path_parameters = {**case.path_parameters, name: value}
        shown = f"{shown}/{value}" if shown in HAVE_OWN_PAGE else shown
    elif path.startswith("/api/admin/settings/") and chance % 2:
        shown = "/".join(path.split("/")[2:5])
        shown = f"/{shown}"
    else:
        return
    version = re.search(r'"version":(\d+)', page(shown))
    if version and isinstance(case.body, dict) and "version" in case.body:
        case.body = {**case.body, "version": int(version[1])}
