"""What a cassette says: the values that two readers of one file must agree on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Headers = list[tuple[str, str]]


class Refused(Exception):
    """The whole file says nothing that can be played."""


class Unusable(Exception):
    """A part of an interaction cannot be given, so that the interaction must never answer."""


@dataclass(frozen=True)
class Body:
    """The bytes of a body, or all that may be given if the format does not determine them."""

    choices: tuple[bytes, ...] = ()
    # A JSON value whose spelling the format did not keep.
    value: Any = None
    is_value: bool = False

    def __str__(self) -> str:
        if self.is_value:
            return f"the JSON value {self.value!r:.200}"
        return " or ".join(f"{len(choice)} bytes {choice[:80]!r}" for choice in self.choices)


@dataclass
class Exchange:
    """One request and its answer, as one reader reads them."""

    method: str = ""
    url: str = ""
    request_headers: Headers = field(default_factory=list)
    # None: there is no body, or it is not known.
    request_body: Body | None = None
    status: int | None = None
    headers: Headers = field(default_factory=list)
    body: Body | None = None
    # The domain and the code of a recorded error.
    failure: tuple[str, int] | None = None
    # Why the interaction can never answer; None if it can.
    unusable: str | None = None
    # Names of policies: for each, Rewind may refuse the interaction, but must not give other values.
    doubts: set[str] = field(default_factory=set)
    # Parts that cannot be compared, such as a request whose base64 is broken.
    skipped: set[str] = field(default_factory=set)
    # Why the body of the request is not known; None if it is.
    request_body_absence: str | None = None
    # The URL of the response, if it is another one than that of the request.
    response_url: str | None = None

    def title(self) -> str:
        return f"{self.method} {self.url if len(self.url) < 80 else self.url[:60] + '…'}"


@dataclass
class Recording:
    """All interactions of a file."""

    format: str
    exchanges: list[Exchange]
    # Names of policies for which Rewind may refuse the whole file.
    doubts: set[str] = field(default_factory=set)
    # Names of policies for which any reading is as good as this one.
    undetermined: set[str] = field(default_factory=set)
