"""One host from its opening to its end: signs in when that is wanted, uses every tool on offer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.client_side.arguments import arguments_for, without_nulls
from conformance.client_side.person import SECONDS, Person, filled_in
from conformance.client_side.setting import Setting

from prowess import Host
from prowess.errors import CredentialFailed
from prowess.provider import Answered, Outcome, Refused

CALL_SECONDS = 60.0
TURNS_MAX = 5  # of refusal and correction; the product stops asking for a sign-in long before


async def drive(config: str, setting: Setting) -> list[str]:
    """Use what the server offers; what went wrong, in sentences."""
    async with Host.open(config, timeout=CALL_SECONDS, elicit=filled_in) as host:
        try:
            for _ in range(TURNS_MAX):
                if not await _signed_in(host):
                    break
        except CredentialFailed as error:
            return [error.message]
        (offer,) = host.offers
        if offer.status != "connected":
            return [offer.reason]
        print(f"connected, {len(offer.tools)} tools", *offer.notes, sep="\n  ")
        problems: list[str] = []
        for tool, arguments in _calls(setting, host):
            outcome = await _called(host, tool, arguments)
            print(f"{tool}: {outcome}")
            if not isinstance(outcome, Answered) and not _made_up(setting, outcome):
                problems.append(f"{tool}: {outcome}")
        return problems


def _calls(setting: Setting, host: Host) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The calls that the scenario asks for; else one of each tool."""
    if "toolCalls" in setting.context:
        yield from ((each["name"], each["arguments"]) for each in setting.context["toolCalls"])
        return
    tools = host.offers[0].tools
    yield from ((each.name, arguments_for(each, tools)) for each in tools)


def _made_up(setting: Setting, outcome: Outcome) -> bool:
    """Whether arguments were refused that nobody but `arguments_for` thought of."""
    invalid = isinstance(outcome, Refused) and outcome.code == "invalid-arguments"
    return invalid and "toolCalls" not in setting.context


async def _called(host: Host, tool: str, arguments: Mapping[str, Any]) -> Outcome:
    """Call, and do what a refusal asks for: sign in for more, or correct the arguments."""
    outcome: Outcome = Refused(reason="not called")
    for _ in range(TURNS_MAX):
        outcome = await host.call(tool, arguments, timeout=CALL_SECONDS)
        if not isinstance(outcome, Refused):
            break
        fewer = without_nulls(arguments, outcome.problems)
        if fewer == arguments and not await _signed_in(host):
            break
        arguments = fewer
    return outcome


async def _signed_in(host: Host) -> bool:
    """Sign in for whatever is wanted; whether anything was."""
    wanted = host.sign_ins.wanted()
    for credential, scope in wanted.items():
        print(f"signs in for {credential}", scope and f"with {scope}")
        person = Person()
        await host.sign_ins.sign_in(credential, person, seconds=SECONDS)
        await person.done()
    return bool(wanted)
