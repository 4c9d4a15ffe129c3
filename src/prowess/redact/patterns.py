"""What secret tokens and personal data look like: one row a kind.

A row names the literal texts without which it cannot match, so that most texts cost a few substring
searches, and a pattern is compiled only when one of its literals first turns up. All quantifiers are
bounded or end at the first other character: time grows with the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from prowess.redact.placeholder import placeholder
from prowess.redact.shown import MASK


class Kind(NamedTuple):
    """One kind of secret: its name, the literals of which one must be present, and the pattern.

    Where the pattern has a group named `secret`, only that part is the secret.
    """

    name: str
    literals: tuple[str, ...]
    pattern: str


# No kind of TOKENS matches a shorter text, but for a password in a URL.
SHORTEST_TOKEN = 15

# No letter or digit before a token: it does not begin in the middle of a word, a digest or base64.
_START = r"(?<![A-Za-z0-9+])"

TOKENS: tuple[Kind, ...] = (
    Kind("aws-access-key", ("AKIA", "ASIA"), r"A[KS]IA[0-9A-Z]{16}(?![0-9A-Za-z])"),
    Kind("github", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    Kind("github-fine-grained", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{50,255}"),
    Kind("gitlab", ("gl",), r"gl(?:pat|rt|dt|ptt|oas|cbt|ft|imt|agent|soat)-[A-Za-z0-9_.-]{20,300}"),
    Kind("slack", ("xox", "xapp-"), r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9.-]{10,300}"),
    Kind("slack-webhook", ("hooks.slack.com/",),
         r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,200}"),
    Kind("stripe", ("_live_", "_test_"), r"(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,247}"),
    Kind("webhook-secret", ("whsec_",), r"whsec_[A-Za-z0-9+/=]{24,200}"),
    Kind("sk-token", ("sk-",), r"sk-(?:ant-|proj-|svcacct-|admin-|or-|lf-)?[A-Za-z0-9_-]{20,300}"),
    Kind("google-api-key", ("AIza",), r"AIza[A-Za-z0-9_-]{35}"),
    Kind("google-oauth", ("ya29.", "GOCSPX-"),
         r"(?:ya29\.[A-Za-z0-9_.-]{20,2000}|GOCSPX-[A-Za-z0-9_-]{20,60})"),
    Kind("npm", ("npm_",), r"npm_[A-Za-z0-9]{36}"),
    Kind("pypi", ("pypi-AgE",), r"pypi-AgE[A-Za-z0-9_-]{50,1000}"),
    Kind("hugging-face", ("hf_",), r"hf_[A-Za-z0-9]{30,60}"),
    Kind("sendgrid", ("SG.",), r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    Kind("twilio", ("SK",), r"SK[0-9a-f]{32}(?![0-9A-Za-z])"),
    Kind("mailgun", ("key-",), r"key-[0-9a-f]{32}(?![0-9A-Za-z])"),
    Kind("digitalocean", ("_v1_",), r"do[opr]_v1_[0-9a-f]{64}"),
    Kind("databricks", ("dapi",), r"dapi[0-9a-f]{32}(?:-[0-9])?(?![0-9A-Za-z])"),
    Kind("jwt", ("eyJ",), r"eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{4,8000}\.[A-Za-z0-9_-]{8,2000}"),
    Kind("discord", (".",), r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w-])"),
    Kind("telegram", (":AA",), r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}(?![\w-])"),
    Kind("shopify", ("shp",), r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    Kind("square", ("sq0",), r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,50}"),
    Kind("linear", ("lin_",), r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    Kind("notion", ("ntn_", "secret_"), r"(?:ntn_|secret_)[A-Za-z0-9]{40,60}"),
    Kind("atlassian", ("ATATT3", "ATCTT3"), r"AT[AC]TT3[A-Za-z0-9_=-]{50,300}"),
    Kind("vault", ("hvs.", "hvb.", "hvr."), r"hv[sbr]\.[A-Za-z0-9_-]{24,300}"),
    Kind("doppler", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{36,80}"),
    Kind("postman", ("PMAK-",), r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    Kind("new-relic", ("NRAK-",), r"NRAK-[A-Z0-9]{27}"),
    Kind("grafana", ("glsa_", "glc_"), r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,400})"),
    Kind("sentry", ("sntry",), r"sntry[su]_[A-Za-z0-9+/=_-]{40,300}"),
    Kind("docker", ("dckr_",), r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,64}"),
    Kind("supabase", ("sbp_", "sb_secret_"), r"(?:sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{24,64})"),
    Kind("figma", ("fig",), r"fig(?:d|o|u|or|oh|uh)_[A-Za-z0-9_-]{36,64}"),
    Kind("airtable", ("pat",), r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    Kind("terraform", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}"),
    Kind("tailscale", ("tskey-",), r"tskey-[a-z]+-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}"),
    Kind("age", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    Kind("model-host", ("gsk_", "xai-", "r8_", "pplx-", "tvly-", "fw_"),
         r"(?:gsk_|xai-|r8_|pplx-|tvly-|fw_)[A-Za-z0-9]{24,100}"),
    Kind("rubygems", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    Kind("planetscale", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
    Kind("azure-key", ("Key=", "sig="),
         r"(?:AccountKey|SharedAccessKey|sig)=(?P<secret>[A-Za-z0-9+/%]{40,200}={0,2})"),
    Kind("private-key", ("PRIVATE KEY",),
         r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}"
         r"(?:-----END [A-Z ]{0,60}-----)?"),
    Kind("url-password", ("://",),
         r"[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s/:@\"'<>]{0,200}:(?P<secret>[^\s/@\"'<>]{1,300})@"),
)  # fmt: skip

PERSONAL: tuple[Kind, ...] = (
    Kind("email", ("@",),
         r"(?<![\w./%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])"),
    Kind("phone-international", ("+",),
         r"(?<![\w+.])\+[1-9][0-9]{0,2}(?:[ .()-]{0,2}[0-9]){6,12}(?![\w.-]*[0-9])"),
    Kind("phone-china", ("1",), r"(?<![\w.-])1[3-9][0-9](?:[ -]?[0-9]{4}){2}(?![\w.-]*[0-9])"),
    Kind("phone-us", ("-", ")", "."),
         r"(?<![\w.-])(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-.])[2-9][0-9]{2}[-.][0-9]{4}"
         r"(?![\w.-]*[0-9])"),
    Kind("id-us", ("-",), r"(?<![\w-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![\w-])"),
    Kind("id-china", ("19", "20"),
         r"(?<![\w-])[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]"
         r"|3[01])[0-9]{3}[0-9Xx](?![\w-])"),
    Kind("id-uk", ("A", "B", "C", "D"),
         r"(?<![\w-])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?![\w-])"),
    Kind("internal-ip", ("10.", "172.", "192.168."),
         r"(?<![\w.])(?:10(?:\.[0-9]{1,3}){3}|192\.168(?:\.[0-9]{1,3}){2}|172\.(?:1[6-9]|2[0-9]"
         r"|3[01])(?:\.[0-9]{1,3}){2})(?![\w.]*[0-9])"),
)  # fmt: skip


@cache
def _compiled(kind: Kind) -> re.Pattern[str]:
    return re.compile(kind.pattern if kind in PERSONAL else _START + kind.pattern)


def _found(text: str, kinds: tuple[Kind, ...]) -> Iterator[re.Pattern[str]]:
    """The patterns of those kinds whose literal part the text holds."""
    for kind in kinds:
        for literal in kind.literals:  # plain loops: this runs for every string of every call
            if literal in text:
                yield _compiled(kind)
                break


def _too_short(text: str) -> bool:
    """Whether no token can be in the text: so it is with most values of env, headers and results."""
    return len(text) < SHORTEST_TOKEN and "://" not in text


def holds_token(text: str) -> bool:
    """Whether a secret token stands anywhere in the text; a token written as an example is none."""
    if _too_short(text):
        return False
    return any(
        not placeholder(_secret(match))
        for pattern in _found(text, TOKENS)
        for match in pattern.finditer(text)
    )


def mask_kinds(text: str, kinds: tuple[Kind, ...]) -> str:
    """The text with everything masked that looks like one of those kinds."""
    if kinds is TOKENS and _too_short(text):
        return text
    for pattern in _found(text, kinds):
        text = pattern.sub(_masked, text)
    return text


def _secret(match: re.Match[str]) -> str:
    return match["secret"] if "secret" in match.re.groupindex else match[0]


def _masked(match: re.Match[str]) -> str:
    whole, secret = match[0], _secret(match)
    if placeholder(secret):
        return whole
    if len(secret) == len(whole):
        return MASK
    at = match.start("secret") - match.start()
    return whole[:at] + MASK + whole[at + len(secret) :]
