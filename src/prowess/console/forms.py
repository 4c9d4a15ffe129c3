"""A write: a form that one of our own pages sent, and the confirmation that comes before it takes effect.

A view of a write is made a route by `writing`, and by nothing else: there the token is checked. What
would change something asks `confirm` first; the form comes back from that page signed, and what was
shown is what is done, once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from prowess.console.console import console_of
from prowess.console.door import same
from prowess.console.guard import MOST_BYTES

TOKEN = "csrf"  # noqa: S105  # a field's name
CONFIRMED = "confirmed"
MOST_FIELDS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The fields that were sent, in their order, and whether a person has confirmed just these.

    `is_repeated` says that this confirmation was sent before.
    """

    fields: tuple[tuple[str, str], ...]
    confirmed: bool
    is_repeated: bool = False

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field."""
        return next((value for key, value in self.fields if key == name), default)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field."""
        return tuple(value for key, value in self.fields if key == name)


View = Callable[[Request, Form], Awaitable[Response]]


def writing(path: str, view: View) -> Route:
    """A route for POST whose form carries this session's token; 403 where it does not."""

    async def endpoint(request: Request) -> Response:
        try:
            form = await read(request)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read more
        if form is None:
            return failure(
                request, 403, "This form has expired", "Open the page again and send it once more."
            )
        if form.is_repeated:
            return failure(
                request,
                409,
                "This was confirmed before",
                "It is done, or under way. Look what came of it before you do it again.",
            )
        return await view(request, form)

    endpoint.__qualname__ = endpoint.__name__ = f"writing_{getattr(view, '__name__', 'view')}"
    return Route(path, endpoint, methods=["POST"])


async def read(request: Request) -> Form | None:
    """The form of a request, or None where its token is not this session's."""
    console = console_of(request)
    sent = await request.form(max_files=0, max_fields=MOST_FIELDS, max_part_size=MOST_BYTES)
    pairs = [(name, value) for name, value in sent.multi_items() if isinstance(value, str)]
    session = request.state.session
    tokens = [value for name, value in pairs if name == TOKEN]
    if len(tokens) != 1 or not same(tokens[0], console.door.token(session)):
        return None
    fields = tuple((name, value) for name, value in pairs if name not in (TOKEN, CONFIRMED))
    given = next((value for name, value in pairs if name == CONFIRMED), "")
    said = console.door.confirmed(given, session, request.url.path, fields)
    return Form(fields=fields, confirmed=said == "yes", is_repeated=said == "again")


def confirm(
    request: Request,
    form: Form,
    *,
    question: str,
    details: Sequence[tuple[str, object]] = (),
    text: str = "",
    yes: str = "Confirm",
    back: str,
) -> Response:
    """The page that says what is about to happen; its button sends the same form once more, signed.

    `details` are pairs of a label and a value, `text` is long text (a diff); `back` is where no leads.
    """
    console = console_of(request)
    signed = console.door.confirmation(request.state.session, request.url.path, form.fields)
    return console.pages.page(
        request,
        "confirm.html",
        question=question,
        details=details,
        text=text,
        yes=yes,
        cancel=back,
        action=request.url.path,
        fields=form.fields,
        signed=signed,
    )


def failure(request: Request, status: int, what: str, hint: str = "") -> Response:
    """A page that says what went wrong and what to do."""
    return console_of(request).pages.page(request, "failure.html", status=status, what=what, hint=hint)


def done(path: str) -> Response:
    """After a write: on to a page that reading again does not repeat."""
    return RedirectResponse(path, 303)


def local(path: str) -> str:
    """`path` if it is one of this console, else its first page."""
    fine = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if fine and "\\" not in path else "/"
