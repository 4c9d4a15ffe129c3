"""A corpus to measure redaction on, made at run time: fake tokens of many kinds, and text that holds none.

No token here was ever issued. Each is put together from pieces, so that this file holds nothing that looks
like one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import string
from collections.abc import Callable, Iterator
from random import Random

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
URLSAFE = ALNUM + "_-"
HEX = "0123456789abcdef"

Maker = Callable[[Random], str]


def some(random: Random, alphabet: str, length: int) -> str:
    return "".join(random.choice(alphabet) for _ in range(length))


def after(prefix: str, alphabet: str, length: int) -> Maker:
    """A token that is a prefix and then random characters."""
    return lambda random: prefix + some(random, alphabet, length)


def dotted(*parts: tuple[str, str, int]) -> Maker:
    """A token of several such parts with dots between."""
    return lambda random: ".".join(prefix + some(random, abc, length) for prefix, abc, length in parts)


def private_key(random: Random) -> str:
    lines = "\n".join(some(random, ALNUM + "+/", 64) for _ in range(6))
    kind = random.choice(["RSA ", "EC ", "OPENSSH ", ""])
    return f"-----BEGIN {kind}PRIVATE" + f" KEY-----\n{lines}\n-----END {kind}PRIVATE" + " KEY-----"


def bearer(random: Random) -> str:
    return "Bearer " + some(random, URLSAFE, random.randrange(24, 60))


def basic(random: Random) -> str:
    pair = f"{some(random, string.ascii_lowercase, 6)}:{some(random, ALNUM, 12)}"
    return "Basic " + base64.b64encode(pair.encode()).decode()


KINDS: dict[str, Maker] = {
    "aws access key": after("AK" + "IA", UPPER, 16),
    "aws session key": after("AS" + "IA", UPPER, 16),
    "github classic": lambda random: "gh" + random.choice("pousr") + "_" + some(random, ALNUM, 36),
    "github fine-grained": after("github" + "_pat_", ALNUM + "_", 82),
    "gitlab": after("glp" + "at-", URLSAFE, 20),
    "slack bot": lambda random: f"xo{'xb'}-{some(random, string.digits, 12)}-{some(random, ALNUM, 24)}",
    "slack app": lambda random: f"xa{'pp'}-1-A{some(random, UPPER, 10)}-{some(random, HEX, 40)}",
    "stripe": lambda random: random.choice("sr") + "k_" + "li" + "ve_" + some(random, ALNUM, 24),
    "webhook": after("wh" + "sec_", ALNUM, 32),
    "openai": after("sk" + "-proj-", URLSAFE, 74),
    "openai old": after("sk" + "-", ALNUM, 48),
    "anthropic": after("sk" + "-ant-api03-", URLSAFE, 93),
    "google api": after("AI" + "za", URLSAFE, 35),
    "google oauth": after("ya" + "29.", URLSAFE, 120),
    "google client": after("GOC" + "SPX-", URLSAFE, 28),
    "npm": after("np" + "m_", ALNUM, 36),
    "pypi": after("py" + "pi-AgE" + "IcHlwaS5vcmc", URLSAFE, 140),
    "hugging face": after("h" + "f_", ALNUM, 34),
    "sendgrid": dotted(("SG", "", 0), ("", URLSAFE, 22), ("", URLSAFE, 43)),
    "twilio": after("S" + "K", HEX, 32),
    "mailgun": after("ke" + "y-", HEX, 32),
    "digitalocean": after("do" + "p_v1_", HEX, 64),
    "databricks": after("da" + "pi", HEX, 32),
    "jwt": dotted(("ey" + "J", URLSAFE, 33), ("ey" + "J", URLSAFE, 90), ("", URLSAFE, 43)),
    "discord": dotted(("M", ALNUM, 25), ("", URLSAFE, 6), ("", ALNUM, 38)),
    "telegram": lambda random: some(random, "123456789", 10) + ":A" + "A" + some(random, URLSAFE, 33),
    "shopify": after("shp" + "at_", HEX, 32),
    "square": after("sq0" + "csp-", URLSAFE, 43),
    "linear": after("lin" + "_api_", ALNUM, 40),
    "notion": after("nt" + "n_", ALNUM, 46),
    "atlassian": after("ATAT" + "T3xFfGF0", URLSAFE, 180),
    "vault": after("hv" + "s.", URLSAFE, 90),
    "doppler": after("d" + "p.pt.", ALNUM, 43),
    "postman": lambda random: "PM" + "AK-" + some(random, HEX, 24) + "-" + some(random, HEX, 34),
    "new relic": after("NR" + "AK-", UPPER, 27),
    "grafana": lambda random: "gl" + "sa_" + some(random, ALNUM, 32) + "_" + some(random, HEX, 8),
    "docker": after("dck" + "r_pat_", URLSAFE, 27),
    "supabase": after("sb" + "p_", HEX, 40),
    "figma": after("fi" + "gd_", URLSAFE, 40),
    "airtable": dotted(("pa" + "t", ALNUM, 14), ("", HEX, 64)),
    "groq": after("gs" + "k_", ALNUM, 52),
    "private key": private_key,
    "bearer": bearer,
    "basic": basic,
    "url password": lambda random: f"postgres://app:{some(random, ALNUM, 14)}@db.internal:5432/main",
    "password": lambda random: (
        "password=" + some(random, ALNUM + "!$%^*", 14) + some(random, string.digits, 2)
    ),
    "aws secret key": lambda random: "aws_secret_access" + "_key = " + some(random, ALNUM + "/+", 40),
    "client secret": lambda random: '"client_' + 'secret": "' + some(random, ALNUM, 20) + '"',
}

CONTEXTS = [
    "{}",
    "2026-08-01T10:00:00Z ERROR request failed: {} (attempt 2)",
    "Authorization header was {}\n",
    "export SERVICE_VALUE='{}'",
    "https://api.internal/v1/items?first=10&key={}",
    "stderr: could not sign in with {}; giving up",
    "<td>{}</td>",
]


def secret_part(kind: str, token: str) -> str:
    """The part of a made token that must not be shown."""
    if kind == "url password":
        return token.split(":")[2].split("@")[0]
    if kind in {"bearer", "basic"}:
        return token.split(" ")[1]
    if kind == "client secret":
        return token.split('"')[3]
    if kind in {"password", "aws secret key"}:
        return token.split("=", 1)[1].strip()
    return token.split("\n")[1] if kind == "private key" else token


def secrets(each: int, seed: int = 7) -> Iterator[tuple[str, str, str]]:
    """Kind, text and the secret in it; `each` texts of every kind, in changing surroundings."""
    random = Random(seed)
    for kind, make in KINDS.items():
        for number in range(each):
            token = make(random)
            yield kind, CONTEXTS[number % len(CONTEXTS)].format(token), secret_part(kind, token)


# -- text without secrets


def uuid(random: Random) -> str:
    digits = some(random, HEX, 32)
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def digest(random: Random, name: str) -> str:
    return hashlib.new(name, random.randbytes(16), usedforsecurity=False).hexdigest()


def integrity(random: Random, name: str) -> str:
    raw = hashlib.new(name, random.randbytes(16), usedforsecurity=False).digest()
    return f"{name}-{base64.b64encode(raw).decode()}"


def image(random: Random) -> str:
    return "data:image/png;base64," + base64.b64encode(random.randbytes(random.randrange(200, 3000))).decode()


def identifiers(random: Random) -> list[str]:
    trace = f"00-{some(random, HEX, 32)}-{some(random, HEX, 16)}-01"
    when = f"2026-08-{random.randrange(10, 29)}T10:11:12.{some(random, string.digits, 6)}Z"
    return [
        uuid(random),
        f"run {uuid(random)} finished in {random.randrange(10, 9000)} ms",
        digest(random, "md5"),
        f"commit {digest(random, 'sha1')}",
        f"sha256:{digest(random, 'sha256')}",
        f"image: registry.internal/app@sha256:{digest(random, 'sha256')}",
        digest(random, "sha512"),
        f'  "integrity": "{integrity(random, "sha512")}",',
        f'<script src="app.js" integrity="{integrity(random, "sha384")}"></script>',
        f'ETag: W/"{some(random, HEX, 32)}"',
        f"traceparent: {trace}",
        f"01{some(random, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}",
        f"pod/web-{some(random, HEX, 10)}-{some(random, string.ascii_lowercase, 5)} 1/1 Running",
        f"order_{some(random, ALNUM, 14)} of customer cus_{some(random, ALNUM, 14)}",
        f"session file 20260801-{some(random, ALNUM, 22)}.jsonl",
        f"request id req_{some(random, ALNUM, 24)}",
        f"{when} INFO started job {some(random, string.digits, 12)}",
        f"arn:aws:iam::{some(random, string.digits, 12)}:role/reader",
        f"https://cdn.internal/assets/index-{some(random, URLSAFE, 8)}.js?v={some(random, HEX, 20)}",
        f"postgres://app@db.internal:5432/main?sslmode=require&n={random.randrange(99)}",
        f"cache key build-{some(random, HEX, 64)}",
        f"0x{some(random, HEX, 40)}",
        image(random),
        base64.b64encode(random.randbytes(60)).decode(),
        f"etag={some(random, URLSAFE, 22)}; path=/; max-age=3600",
        json.dumps(
            {"usage": {"input_tokens": random.randrange(9999), "output_tokens": random.randrange(9999)}}
        ),
        f'{{"nextPageToken": "{some(random, ALNUM, 30)}", "items": []}}',
        f"progressToken: {some(random, string.digits, 8)}",
    ]


SUBJECTS = ["the server", "a client", "this tool", "the gateway", "your plugin", "each request", "the loader"]
SENTENCES = [
    "Before a call, {0} refreshes its token when the token is about to expire.",
    "{0} needs a password: the one that you chose at installation.",
    "If {0} answers 401, the secret is wrong or has been rotated since.",
    "token: the access token that {0} sends; required.",
    "Keep the API key of {0} in a file with mode 0600, never in the package.",
    "Basic understanding of how {0} authenticates is assumed; bearer authentication is the usual way.",
    "Authorization: required for {0} in production.",
    "Cookie policy: {0} sets none.",
    "secret: kubernetes-service-account is mounted where {0} runs.",
    "const token = await getToken(); // {0}",
    "password = getpass.getpass('Password for {0}: ')",
    "client = Client(api_key=settings.api_key, token=self.token)  # {0}",
    "    api_key: str | None = None  # set by {0}",
    "DB_PASSWORD=${{DB_PASSWORD}}  # {0}",
    "API_KEY=<your-api-key>  # {0}",
    "Authorization: Bearer ${{TOKEN}}  # {0}",
    "OPENAI_API_KEY=sk-your-key-here-xxxxxxxxxxxxxxxx  # {0}",
    "max_tokens=4096 and stop_token=null for {0}",
    "The sk-learn package and the npm_config_registry variable concern {0}.",
    "{0} tokenises text; a token is about four characters, and secrets are masked.",
    '{{"name": "token", "type": "string", "description": "opaque to {0}"}}',
    '"required": ["token", "password"], "secret": true  // {0}',
    "--token TOKEN  the token of {0}",
    "GET /oauth/token?grant_type=client_credentials HTTP/1.1  # {0}",
    "密码：由管理员设置；{0} 的令牌每小时刷新一次。",
    "See https://docs.internal/guide:authentication@v2 for {0}.",
    "ssh://git@code.internal:2222/team/repo.git is cloned by {0}",
]


def benign(rounds: int, seed: int = 11) -> Iterator[str]:
    """Lines without a secret: identifiers, digests, images, prose and code about secrets."""
    random = Random(seed)
    for _ in range(rounds):
        yield from identifiers(random)
        subject = random.choice(SUBJECTS)
        yield from (sentence.format(subject) for sentence in SENTENCES)
        yield json.dumps({"id": uuid(random), "hash": digest(random, "sha256"), "n": random.random()})
