"""Signs in, refreshes and revokes with Authlib, which knows nothing but the issuer's address and a client's credentials.

Reads {issuer, client_id, client_secret, redirect_uri, method, login, password} as JSON from standard input and prints what it saw.
"""

import json
import sys
from html.parser import HTMLParser
from urllib.parse import urljoin

import requests
from authlib.integrations.requests_client import OAuth2Session, OAuthError


class Form(HTMLParser):
    """The first form of a page: where it goes, and its fields."""

    def __init__(self):
        super().__init__()
        self.action = None
        self.fields = {}

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = values["action"]
        if tag == "input" and "name" in values:
            self.fields[values["name"]] = values.get("value") or ""


def follow(browser, response, redirect_uri):
    """Follows redirects as a browser does, up to the client's own address."""
    while "Location" in response.headers:
        address = urljoin(response.url, response.headers["Location"])
        if address.startswith(redirect_uri):
            return address, None
        response = browser.get(address, allow_redirects=False)
    return None, response


def sign_in(address, setting):
    """What a person does: opens the address, fills in the form. Returns where the browser ends."""
    browser = requests.Session()
    _, page = follow(browser, browser.get(address, allow_redirects=False), setting["redirect_uri"])
    form = Form()
    form.feed(page.text)
    fields = {**form.fields, "login": setting["login"], "password": setting["password"]}
    sent = browser.post(urljoin(page.url, form.action), data=fields, allow_redirects=False)
    end, _ = follow(browser, sent, setting["redirect_uri"])
    return end


def error_of(call):
    """The error that a call is refused with."""
    try:
        call()
    except OAuthError as refused:
        return refused.error
    return None


def main():
    setting = json.load(sys.stdin)
    metadata = requests.get(setting["issuer"] + "/.well-known/openid-configuration").json()
    token_endpoint = metadata["token_endpoint"]
    client = OAuth2Session(
        setting["client_id"],
        setting.get("client_secret"),
        redirect_uri=setting["redirect_uri"],
        code_challenge_method="S256",
        token_endpoint_auth_method=setting["method"],
    )
    verifier = "v" * 64
    address, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    end = sign_in(address, setting)
    pair = client.fetch_token(token_endpoint, authorization_response=end, state=state, code_verifier=verifier)
    replayed = error_of(
        lambda: OAuth2Session(
            setting["client_id"],
            setting.get("client_secret"),
            redirect_uri=setting["redirect_uri"],
            token_endpoint_auth_method=setting["method"],
        ).fetch_token(token_endpoint, authorization_response=end, state=state, code_verifier=verifier)
    )
    # The replay has revoked what the code gave: another sign-in for what follows.
    after_replay = error_of(lambda: client.refresh_token(token_endpoint, refresh_token=pair["refresh_token"]))
    address, state = client.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
    end = sign_in(address, setting)
    second = client.fetch_token(token_endpoint, authorization_response=end, state=state, code_verifier=verifier)
    fresh = client.refresh_token(token_endpoint, refresh_token=second["refresh_token"])
    revoked = client.revoke_token(
        metadata["revocation_endpoint"], token=fresh["refresh_token"], token_type_hint="refresh_token"
    )
    after_revocation = error_of(lambda: client.refresh_token(token_endpoint, refresh_token=fresh["refresh_token"]))
    json.dump(
        {
            "access_token": fresh["access_token"],
            "expires_in": fresh["expires_in"],
            "rotated": fresh["refresh_token"] != second["refresh_token"],
            "replayed": replayed,
            "after_replay": after_replay,
            "revocation": revoked.status_code,
            "after_revocation": after_revocation,
        },
        sys.stdout,
    )


main()
