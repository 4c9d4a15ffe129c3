"""Hosts as a scan sees them: known installers, places that data is dropped at, bare addresses. Pure.

An installer that thousands pipe into a shell is no finding; the same line with a host that nobody has
heard of is one. The list is a matter of judgement and can be added to with a suppression.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

# Hosts whose own documentation says to run what they serve. A leading dot means any host below.
_INSTALLERS = """
aka.ms aliyuncli.alicdn.com app.warp.dev apt.llvm.org apt.releases.hashicorp.com astral.sh
awscli.amazonaws.com bazel.build bootstrap.pypa.io bun.com bun.sh chocolatey.org claude.ai
cli-assets.heroku.com cli.codecov.io cli.doppler.com cli.github.com cli.nexus.xyz cli.run.pieces.app
code-server.dev coder.com community.chocolatey.org cursor.com dapr.io deb.nodesource.com deno.land
developer.arm.com dist.ipfs.tech dl.google.com dl.k8s.io docs.temporal.io dot.net
dotnet.microsoft.com fluxcd.io fly.io fnm.vercel.app get-ghcup.haskell.org get.activated.sh
get.docker.com get.gravitational.com get.haskellup.org get.helm.sh get.jenv.be get.jetify.com
get.k3s.io get.modular.com get.nexte.st get.please.build get.pnpm.io get.pulumi.com get.rvm.io
get.scoop.sh get.sdkman.io get.volta.sh git.io/install-zinit go.dev golang.org heroku.com
install.determinate.systems install.duckdb.org install.julialang.org install.meteor.com
install.microsoft.com install.python-poetry.org istio.io julialang.org just.systems linkerd.io
micro.mamba.pm mise.jdx.dev mise.run netlify.com nixos.org nodejs.org ollama.ai ollama.com
opam.ocaml.org packagecloud.io packages.cloud.google.com pipx.pypa.io pixi.sh pkg.cloudflare.com
pkgs.tailscale.com prefix.dev pyenv.run railway.app railway.com
raw.githubusercontent.com/ajeetdsouza raw.githubusercontent.com/anchore
raw.githubusercontent.com/aquasecurity raw.githubusercontent.com/asdf-vm
raw.githubusercontent.com/astral-sh raw.githubusercontent.com/cilium
raw.githubusercontent.com/conda-forge raw.githubusercontent.com/dapr
raw.githubusercontent.com/docker raw.githubusercontent.com/fluxcd raw.githubusercontent.com/github
raw.githubusercontent.com/golangci raw.githubusercontent.com/google
raw.githubusercontent.com/grafana raw.githubusercontent.com/helm raw.githubusercontent.com/Homebrew
raw.githubusercontent.com/jesseduffield raw.githubusercontent.com/jetify-com
raw.githubusercontent.com/junegunn raw.githubusercontent.com/k3d-io
raw.githubusercontent.com/kubernetes raw.githubusercontent.com/microsoft
raw.githubusercontent.com/nektos raw.githubusercontent.com/nvm-sh raw.githubusercontent.com/ohmyzsh
raw.githubusercontent.com/pyenv raw.githubusercontent.com/rancher raw.githubusercontent.com/tfutils
raw.githubusercontent.com/trufflesecurity raw.githubusercontent.com/zplug releases.hashicorp.com
repo.anaconda.com rpm.nodesource.com run.linkerd.io rustup.rs sdk.cloud.google.com semgrep.dev
sentry.io sh.jbang.dev sh.rustup.rs sh.vector.dev sonarcloud.io starship.rs static.rust-lang.org
supabase.com tailscale.com temporal.download toolbelt.treasuredata.com uploader.codecov.io
vercel.com www.python.org www.sqlite.org
"""
INSTALLERS = frozenset(_INSTALLERS.split())

# Places that take whatever is sent, from anybody, for whoever reads it there.
DROPS = re.compile(
    r"(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net|io)|requestcatcher\.com|pipedream\.net|"
    r"m\.pipedream\.net|"
    r"ngrok\.io|ngrok\.app|ngrok-free\.app|ngrok-free\.dev|trycloudflare\.com|loca\.lt|serveo\.net|"
    r"localhost\.run|"
    r"oast\.\w+|oastify\.com|interact\.sh|interactsh\.com|burpcollaborator\.net|dnslog\.cn|ceye\.io|"
    r"beeceptor\.com|"
    r"pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.\w+|rentry\.co|dpaste\.\w+|transfer\.sh|file\.io|"
    r"0x0\.st|"
    r"gofile\.io|anonfiles\.\w+|temp\.sh|paste\.rs|catbox\.moe|uguu\.se|tmpfiles\.org|privatebin\.net|"
    r"controlc\.com|pastes\.io|bashupload\.com|termbin\.com|ix\.io|hookbin\.com|postb\.in|"
    r"\w+\.onion|api\.telegram\.org|discord(?:app)?\.com)$",
    re.I,
)
# Of these nobody sends anything to for another reason.
ONLY_FOR_DROPPING = re.compile(
    r"(?:^|\.)(?:oast\.(?:fun|live|me|online|pro|site|us)|oastify\.com|interact\.sh|interactsh\.com|"
    r"burpcollaborator\.net|dnslog\.cn|ceye\.io|[a-z2-7]{16,56}\.onion)$",
    re.I,
)
URL = re.compile(r"""(?:https?|ftp|wss?)://[^\s"'<>`)\]}|;，。）]+""", re.I)
_SHORT = re.compile(
    r"^(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|cutt\.ly|rb\.gy|shorturl\.at|git\.io)$", re.I
)


def host_of(url: str) -> str:
    """The host of a URL, in small letters and without a port; empty where there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_installer(url: str) -> bool:
    """Whether running what this URL gives is what its makers tell everybody to do."""
    host = host_of(url)
    if not url.lower().startswith("https://"):
        return False
    owner = urlsplit(url).path.split("/")[1:2]
    below = f"{host}/{owner[0]}" if owner else host
    if host == "raw.githubusercontent.com":
        return below in INSTALLERS
    if host in ("github.com", "gitlab.com"):
        return "/releases/" in url or "/archive/" in url
    return host in INSTALLERS or host.removeprefix("www.") in INSTALLERS


def is_own(host: str) -> bool:
    """Whether a host is this machine, or an address or name of a private network."""
    if host in ("localhost", "") or host.endswith((".local", ".internal", ".localhost", ".lan", ".svc")):
        return True
    if "." not in host and ":" not in host:
        return True  # a name of a compose file or a cluster
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    private = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16")
    if address.version == 6:
        return address.is_private or address.is_loopback
    return address.is_unspecified or any(address in ipaddress.ip_network(each) for each in private)


def is_bare_address(host: str) -> bool:
    """Whether a host is an IP address of the open network, written as digits."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return not is_own(host)


def is_odd(url: str) -> bool:
    """Whether data sent there goes to nobody in particular: a bare address, a drop, a shortened link."""
    host = host_of(url)
    return is_bare_address(host) or DROPS.search(host) is not None or _SHORT.search(host) is not None


# Services that many people use under their own account: a request there is not to a stranger.
_KNOWN = re.compile(
    r"(?:^|[.@])(?:github(?:usercontent|copilot)?\.com|figma\.com|gitlab\.com|bitbucket\.org|"
    r"codeberg\.org|gitee\.com|googleapis\.com|google\.com|"
    r"openai\.com|anthropic\.com|deepseek\.com|mistral\.ai|huggingface\.co|openrouter\.ai|groq\.com|"
    r"together\.xyz|aliyuncs\.com|"
    r"slack\.com|atlassian\.(?:com|net)|amazonaws\.com|azure\.com|windows\.net|microsoft\.com|"
    r"office\.com|live\.com|"
    r"microsoftonline\.com|stripe\.com|paypal\.com|notion\.(?:so|com)|linear\.app|pypi\.org|"
    r"npmjs\.(?:com|org)|docker\.(?:com|io)|"
    r"crates\.io|sentry\.io|datadoghq\.com|cloudflare\.com|vercel\.com|netlify\.com|twilio\.com|"
    r"sendgrid\.(?:com|net)|"
    r"feishu\.cn|dingtalk\.com|qq\.com|weixin\.com|baidu\.com|deepl\.com|wikipedia\.org|zoom\.us|"
    r"trello\.com|asana\.com|"
    r"airtable\.com|hubspot\.com|shopify\.com|mailchimp\.com|hc-ping\.com|healthchecks\.io|w3\.org|"
    r"apache\.org|mozilla\.org)$",
    re.I,
)
_MAIL = re.compile(
    r"(?<!from )(?<!from `)(?<!as )(?<!von )(?<![\w/.:@+-])"
    r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[a-z]{2,24}\b(?![\w:/])",
    re.I,
)
_BARE = re.compile(r"(?<![\w./@-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")


def foreign_places(text: str) -> list[str]:
    """The addresses in a text to which something may be sent, not of this machine or network."""
    urls = [each for each in URL.findall(text) if not is_own(host_of(each))]
    bare = [each for each in _BARE.findall(text) if is_bare_address(each)]
    return [*urls, *_MAIL.findall(text), *bare]


def is_known(place: str) -> bool:
    """Whether an address is one of a service that people have accounts at, and no place to drop things."""
    host = host_of(place) if "//" in place else place.rpartition("@")[2].lower()
    if "@" in place and "//" not in place:
        return False
    return _KNOWN.search(host) is not None and DROPS.search(host) is None
