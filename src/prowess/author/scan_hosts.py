"""Hosts as a scan sees them: known installers, places that data is dropped at, bare addresses. Pure.

An installer that thousands pipe into a shell is no finding; the same line with a host that nobody has
heard of is one. The list is a matter of judgement and can be added to with a suppression.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

# Hosts whose own documentation says to run what they serve. A leading dot means any host below.
INSTALLERS = frozenset(
    """
    get.docker.com astral.sh sh.rustup.rs rustup.rs static.rust-lang.org install.python-poetry.org bun.sh bun.com
    deno.land fnm.vercel.app get.pnpm.io get.volta.sh get.sdkman.io starship.rs mise.run mise.jdx.dev just.systems
    get.k3s.io get.helm.sh fly.io cli.doppler.com get.pulumi.com sh.vector.dev ollama.com ollama.ai claude.ai
    cursor.com cli.github.com deb.nodesource.com rpm.nodesource.com packagecloud.io apt.llvm.org nixos.org
    install.determinate.systems get.nexte.st community.chocolatey.org chocolatey.org get.scoop.sh
    install.microsoft.com aka.ms pkg.cloudflare.com pkgs.tailscale.com tailscale.com sdk.cloud.google.com
    dl.google.com packages.cloud.google.com awscli.amazonaws.com dl.k8s.io releases.hashicorp.com
    apt.releases.hashicorp.com dotnet.microsoft.com dot.net pyenv.run get.rvm.io get.jenv.be bootstrap.pypa.io
    install.duckdb.org get.haskellup.org get-ghcup.haskell.org opam.ocaml.org julialang.org install.julialang.org
    cli.run.pieces.app app.warp.dev get.activated.sh linkerd.io run.linkerd.io istio.io fluxcd.io dapr.io
    semgrep.dev raw.githubusercontent.com/Homebrew raw.githubusercontent.com/nvm-sh raw.githubusercontent.com/helm
    raw.githubusercontent.com/ohmyzsh raw.githubusercontent.com/pyenv raw.githubusercontent.com/junegunn
    raw.githubusercontent.com/dapr raw.githubusercontent.com/k3d-io raw.githubusercontent.com/aquasecurity
    raw.githubusercontent.com/anchore raw.githubusercontent.com/golangci raw.githubusercontent.com/rancher
    raw.githubusercontent.com/tfutils raw.githubusercontent.com/asdf-vm raw.githubusercontent.com/nektos
    raw.githubusercontent.com/astral-sh raw.githubusercontent.com/github raw.githubusercontent.com/kubernetes
    raw.githubusercontent.com/docker raw.githubusercontent.com/microsoft raw.githubusercontent.com/google
    raw.githubusercontent.com/grafana raw.githubusercontent.com/cilium raw.githubusercontent.com/fluxcd
    raw.githubusercontent.com/jesseduffield raw.githubusercontent.com/ajeetdsouza raw.githubusercontent.com/zplug
    raw.githubusercontent.com/conda-forge raw.githubusercontent.com/trufflesecurity raw.githubusercontent.com/jetify-com
    get.jetify.com git.io/install-zinit repo.anaconda.com micro.mamba.pm www.sqlite.org go.dev golang.org nodejs.org
    www.python.org developer.arm.com install.meteor.com railway.app railway.com cli.nexus.xyz supabase.com vercel.com
    netlify.com heroku.com cli-assets.heroku.com toolbelt.treasuredata.com dist.ipfs.tech sh.jbang.dev get.please.build
    bazel.build github.com gitlab.com pipx.pypa.io pixi.sh prefix.dev coder.com code-server.dev get.gravitational.com
    uploader.codecov.io cli.codecov.io sentry.io sonarcloud.io get.modular.com docs.temporal.io temporal.download
    """.split()
)

# Places that take whatever is sent, from anybody, for whoever reads it there.
DROPS = re.compile(
    r"(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net|io)|requestcatcher\.com|pipedream\.net|m\.pipedream\.net|"
    r"ngrok\.io|ngrok\.app|ngrok-free\.app|ngrok-free\.dev|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|"
    r"oast\.\w+|oastify\.com|interact\.sh|interactsh\.com|burpcollaborator\.net|dnslog\.cn|ceye\.io|beeceptor\.com|"
    r"pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.\w+|rentry\.co|dpaste\.\w+|transfer\.sh|file\.io|0x0\.st|"
    r"gofile\.io|anonfiles\.\w+|temp\.sh|bashupload\.com|termbin\.com|ix\.io|hookbin\.com|postb\.in|"
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
_SHORT = re.compile(r"^(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|cutt\.ly|rb\.gy|shorturl\.at|git\.io)$", re.I)


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
    return host == "0.0.0.0" or any(address in ipaddress.ip_network(each) for each in private)


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
