"""Signs Schemathesis in to a demonstration shop, and lets half of the valid requests name what exists there at its current version."""

import os
import re
import zlib
from urllib.parse import urlsplit

import requests
import schemathesis
from schemathesis import GenerationMode

SHOP = os.environ["SHOP_ORIGIN"]
# An account of the demonstration's identity provider; empty for a guest.
ACCOUNT = os.environ["SHOP_ACCOUNT"]
# The roles of those accounts that have another name.
ROLES = {"shopper": "customer", "super-admin": "super_admin"}
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
# Their rows are made by calls: at first there are none.
EMPTY_AT_FIRST = ("/admin/orders/drafts", "/admin/settings/webhooks")

# Of the last sign-in.
cookies = {}
# The values of fields on pages of staff, as they were when the page first had some.
known = {}


def sign_in():
    """From here on, all calls are those of an adult who has just signed in."""
    global cookies
    browser = requests.Session()
    browser.post(f"{SHOP}/api/verify-age", json={"birth_date": "1980-05-17"}).raise_for_status()
    if ACCOUNT:
        page = browser.get(f"{SHOP}/auth/login?return_to=/account")
        query, provider = urlsplit(page.url).query, page.url.partition("/authorize")[0]
        form = {"request": query, "account": f"demo-{ACCOUNT}"}
        browser.post(f"{provider}/sign-in", form, headers={"origin": provider}).raise_for_status()
        # The page after a sign-in that failed is answered with 200, too.
        me = browser.get(f"{SHOP}/api/me")
        me.raise_for_status()
        role, wanted = me.json()["role"], ROLES.get(ACCOUNT, ACCOUNT)
        if role != wanted:
            raise RuntimeError(f"signed in as {role} and not as {wanted}")
    cookies = {name: browser.cookies[name] for name in ("session", "age") if name in browser.cookies}
    return cookies


# If it fails, so does the run: as a guest it would be content, for 401 is a documented answer.
sign_in()


@schemathesis.auth(refresh_interval=SIGN_IN_SECONDS)
class SignIn:
    def get(self, case, context):
        return sign_in()

    def set(self, case, data, context):
        # There may have been a sign-in after that of `data`.
        case.cookies = {**(case.cookies or {}), **cookies}
        # The shop rejects changes from other sites.
        case.headers["origin"] = SHOP


@schemathesis.hook
def after_call(context, case, response):
    """The list of sessions names the one that asks, which is then ended like the others: the calls after it would be a guest's."""
    if ACCOUNT and case.method == "DELETE" and case.operation.path.startswith("/api/me") and response.status_code < 300:
        sign_in()


def page(path):
    """A page's data, or why there is none: not every role may see it, and what it is about may be gone."""
    answer = requests.get(f"{SHOP}{path}/_payload.json", cookies=cookies)
    if answer.status_code == 401 or answer.status_code >= 500:
        answer.raise_for_status()
    return answer


def existing(path, name):
    """The values of a field on a page of staff; none if the role may not see it."""
    if (path, name) not in known:
        answer = page(path)
        values = sorted(set(re.findall(rf'"{name}":"([^"/]+)"', answer.text)))
        if answer.status_code == 403 or not values and path in EMPTY_AT_FIRST:
            return []
        if not values:
            raise RuntimeError(f"{path} has nothing with '{name}': {answer.status_code}")
        known[path, name] = values
    return known[path, name]


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
    version = re.search(r'"version":(\d+)', page(shown).text)
    if version and isinstance(case.body, dict) and "version" in case.body:
        case.body = {**case.body, "version": int(version[1])}
