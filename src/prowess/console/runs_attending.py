"""What a person does about a run: yes or no to a step, cancel, go on, begin again from a step.

Every one is asked back before it is done. An answer is bound to the question that was shown: another
one of the same step is another question.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from prowess.console.console import console_of
from prowess.console.forms import Form, View, confirm, done, failure, writing
from prowess.console.language import Translate, translator
from prowess.console.pages import language_of
from prowess.console.shown import cut
from prowess.errors import NotFound
from prowess.host.run_desk import RunDesk
from prowess.spec.strict_json import Malformed, parse
from prowess.workflow.attending import Attended, Question

LONGEST = 50_000  # characters of JSON that somebody is asked about


def can_be_shown(text: str) -> bool:
    """Whether the page that asks shows all of it: nobody says yes to the rest."""
    return len(text) <= LONGEST and cut(text, 4 * LONGEST, frozenset("\n\t\r")) == text


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One thing to do: what is asked before it, what is told there, and the doing, which gives a run's id.

    `text` is what is too long for a detail.
    """

    question: str
    yes: str
    details: Sequence[tuple[str, object]]
    do: Callable[[], Awaitable[str]]
    text: str = ""


Fault = tuple[str, str]  # what is wrong with the form, and what to do
Make = Callable[[RunDesk, Attended, Form, Translate], Act | Fault]


def _acting(make: Make) -> View:
    """A view that looks the run up, asks back, and does it."""

    async def view(request: Request, form: Form) -> Response:
        try:
            desk = console_of(request).host.runs()
            one = await desk.run(request.path_params["run"])
        except NotFound as error:
            return failure(request, 404, error.message, error.hint or "")
        t = translator(language_of(request))
        act = make(desk, one, form, t)
        if isinstance(act, tuple):
            return failure(request, 409, *act)
        if not form.confirmed:
            details = [(t("Run"), f"{one.run.run} {one.run.title}"), *act.details]
            back = f"/runs/{one.run.run}"
            return confirm(
                request,
                form,
                question=act.question,
                details=details,
                text=act.text,
                yes=act.yes,
                back=back,
            )
        return done(f"/runs/{await act.do()}")

    view.__name__ = make.__name__
    return view


def _approve(desk: RunDesk, one: Attended, form: Form, t: Translate) -> Act | Fault:
    return _answer(desk, one, form, t, yes=True)


def _refuse(desk: RunDesk, one: Attended, form: Form, t: Translate) -> Act | Fault:
    return _answer(desk, one, form, t, yes=False)


def _answer(desk: RunDesk, one: Attended, form: Form, t: Translate, *, yes: bool) -> Act | Fault:
    asked = next((each for each in one.questions if named(each) == form.get("question")), None)
    if asked is None:
        return "Nothing waits for this answer any more", "Open the run again and see what it waits for."
    step = asked.step

    async def do() -> str:
        await (desk.approve if yes else desk.refuse)(one.run.run, step)
        return one.run.run

    return Act(
        question=t("Approve this step?") if yes else t("Refuse this step?"),
        yes=t("Approve") if yes else t("Refuse"),
        details=[(t("Step"), step), (t("It asks"), asked.text)],
        do=do,
    )


def named(question: Question) -> str:
    """A question by its step and its moment: the same step may ask again, and that is another one."""
    return f"{question.step} {question.since}"


def _cancel(desk: RunDesk, one: Attended, form: Form, t: Translate) -> Act:
    async def do() -> str:
        return (await desk.cancel(one.run.run)).run

    return Act(
        question=t("Cancel this run?"),
        yes=t("Cancel the run"),
        details=[
            (t("State"), t(one.run.state)),
            (t("What happens"), t("a call that must not be left halfway is seen to its end first")),
        ],
        do=do,
    )


def _resume(desk: RunDesk, one: Attended, form: Form, t: Translate) -> Act | Fault:
    how, result, text = form.get("how"), None, ""
    details: list[tuple[str, object]] = [(t("State"), t(one.run.state))]
    if how == "again":
        details.append((t("The step that may have acted"), t("is done once more")))
    elif how == "result":
        text = form.get("result")
        if not can_be_shown(text):
            return "That is too long to be shown whole before you say yes", "prowess runs resume takes it."
        read = parse(text.encode("utf-8", "replace"))
        if isinstance(read, Malformed):
            return "The result is not JSON", "Go back, and write what the step gave as JSON."
        result = {"value": read.value}
        details.append((t("The step that may have acted"), t("gave what stands below")))

    async def do() -> str:
        return (await desk.resume(one.run.run, again=how == "again", result=result)).run

    return Act(
        question=t("Go on with this run?"),
        yes=t("Go on"),
        details=[*details, (t("What happens"), t("finished steps are not done again"))],
        do=do,
        text=text,
    )


def _retry(desk: RunDesk, one: Attended, form: Form, t: Translate) -> Act:
    step = form.get("step")

    async def do() -> str:
        return (await desk.retry(one.run.run, step)).run

    return Act(
        question=t("Begin a new run from this step?"),
        yes=t("Begin it"),
        details=[
            (t("Step"), step),
            (t("What happens"), t("it has what this run did before; the step and what follows is done anew")),
        ],
        do=do,
    )


_ACTS: dict[str, Any] = {
    "approve": _approve,
    "refuse": _refuse,
    "cancel": _cancel,
    "resume": _resume,
    "retry": _retry,
}

ROUTES: Sequence[BaseRoute] = [
    writing(f"/runs/{{run}}/{name}", _acting(make)) for name, make in _ACTS.items()
]
