"""Who asks: bearer tokens and the users they stand for (kube-apiserver's ``--token-auth-file``)."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Final

from crdkit.access.user import ANONYMOUS, AUTHENTICATED, User
from crdkit.meta.status import Refusal, failure

TOO_MANY_BLANKS: Final = "the provided Authorization header contains extra space before the bearer token, and is ignored"
FEWEST_COLUMNS: Final = 3


class TokenFileError(ValueError):
    """A token file cannot be read; the text says where it is wrong."""


def unauthorized() -> Refusal:
    return Refusal(failure(401, "Unauthorized", "Unauthorized"))


class Authenticator:
    """Knows users by their bearer tokens.

    Tokens are looked up by a digest under a key that is made at start: how long that takes tells nothing about a token.
    """

    def __init__(self, tokens: Mapping[str, User]) -> None:
        self._key = os.urandom(32)
        self._users = {self._digest(token): _authenticated(user) for token, user in tokens.items()}

    def authenticate(self, authorization: str, warnings: list[str]) -> User:
        """The user whom an Authorization header names. Raises `Refusal` (401) for a token that nobody has.

        A header without a bearer token is no credential: whoever sends it is anonymous.
        """
        if not authorization:
            return ANONYMOUS
        scheme, *rest = authorization.strip().split(" ", 2)
        if not rest or scheme.lower() != "bearer":
            return ANONYMOUS
        if not rest[0]:
            warnings.append(TOO_MANY_BLANKS)
            return ANONYMOUS
        user = self.user_of(rest[0])
        if user is None:
            raise unauthorized()
        return user

    def user_of(self, token: str) -> User | None:
        """The user whose token this is."""
        return self._users.get(self._digest(token))

    def _digest(self, token: str) -> bytes:
        return blake2b(token.encode("utf-8", "surrogateescape"), key=self._key, digest_size=32).digest()


def _authenticated(user: User) -> User:
    if AUTHENTICATED in user.groups:
        return user
    return replace(user, groups=(*user.groups, AUTHENTICATED))


def read_token_file(path: Path) -> dict[str, User]:
    """The users of a file of lines ``token,user,uid,"group,group"``. Raises `TokenFileError`."""
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            return parse_tokens(lines, str(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        msg = f"token file '{path}' cannot be read: {error}"
        raise TokenFileError(msg) from error


def parse_tokens(lines: Iterable[str], path: str) -> dict[str, User]:
    """The users of the lines of a token file; of a token given twice, the last counts."""
    users: dict[str, User] = {}
    for record in csv.reader(lines):
        if not record:
            continue
        if len(record) < FEWEST_COLUMNS:
            msg = f"token file '{path}' must have at least 3 columns (token, user name, user uid), found {len(record)}"
            raise TokenFileError(msg)
        token, name, uid, *groups = record
        if token:
            users[token] = User(name, tuple(groups[0].split(",")) if groups else (), uid)
    return users
