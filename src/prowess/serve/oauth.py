"""Tokens of an authorization server: JSON Web Tokens, checked here (RFC 7519, RFC 8725, RFC 9068).

PyJWT checks signature, issuer, audience and times. Here is what is ours to decide: only algorithms that
are configured and asymmetric, only a key that is meant for that algorithm, no token that is bound to a
key of the client's (it would have to prove that), and which claim is the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.host.serving import OAUTH, OAuthSection
from prowess.serve.auth import ScopeMissing, Shown, TokenRefused
from prowess.serve.oauth_keys import Keys

LONGEST_NAME = 512
_TYPES = frozenset({"", "jwt", "at+jwt", "application/at+jwt"})
_FAMILIES = {"RS": "RSA", "PS": "RSA", "ES": "EC", "Ed": "OKP"}


class AuthorizationServer:
    """Verifies the tokens of the one issuer of `[serve.oauth]`."""

    def __init__(self, section: OAuthSection, keys: Keys | None = None) -> None:
        self._section = section
        self._keys = keys or Keys(section.issuer, section.jwks_uri)

    async def verify(self, token: str) -> Shown | None:
        """Who shows it; None for what is no JWT. Raises TokenRefused, ScopeMissing and KeysAway."""
        if token.count(".") != 2:
            return None
        algorithm, kid = _header(token, self._section.algorithms)
        candidates = await self._keys.find(kid, lambda key: _fits(key, algorithm))
        if not candidates:
            raise TokenRefused("the token is signed with a key that is not known")
        claims = self._claims(token, algorithm, candidates)
        return self._shown(claims)

    def _claims(self, token: str, algorithm: str, candidates: list[Mapping[str, Any]]) -> Mapping[str, Any]:
        import jwt

        refused = "the token is not good"
        for key in candidates:
            try:
                claims: dict[str, Any] = jwt.decode(
                    token,
                    jwt.PyJWK(dict(key), algorithm),
                    algorithms=[algorithm],
                    audience=self._section.audience,
                    issuer=self._section.issuer,
                    leeway=self._section.skew_seconds,
                    options={"require": ["exp", "iss", "aud"], "enforce_minimum_key_length": True},
                )
            except jwt.ExpiredSignatureError:
                refused = "the token has expired"
            except jwt.InvalidAudienceError:
                refused = "the token is for another audience"
            except jwt.InvalidIssuerError:
                refused = "the token is of another issuer"
            except Exception:  # noqa: BLE001, S112  # boundary: whatever is wrong with a token, it lets nobody in
                continue
            else:
                return claims
        raise TokenRefused(refused)

    def _shown(self, claims: Mapping[str, Any]) -> Shown:
        if "cnf" in claims:
            raise TokenRefused("the token is bound to a key, and was shown without proof of it")
        who = claims.get(self._section.principal_claim)
        if not isinstance(who, str) or not 0 < len(who) <= LONGEST_NAME:
            raise TokenRefused("the token does not say who shows it")
        scopes = _scopes(claims)
        if not set(self._section.required_scopes) <= set(scopes):
            raise ScopeMissing
        expires = float(claims["exp"]) + self._section.skew_seconds
        return Shown(principal=OAUTH + who, scopes=scopes, expires=expires)


def _header(token: str, algorithms: tuple[str, ...]) -> tuple[str, str | None]:
    """The algorithm and the key's name, which nobody has signed yet. Raises TokenRefused."""
    import jwt

    try:
        header = jwt.get_unverified_header(token)
    except Exception:  # noqa: BLE001  # boundary: as above
        raise TokenRefused("the token cannot be read") from None
    algorithm, kid, kind = header.get("alg"), header.get("kid"), header.get("typ", "")
    if algorithm not in algorithms:
        raise TokenRefused("the token is signed in a way that is not accepted")
    if not isinstance(kind, str) or kind.lower() not in _TYPES or "crit" in header:
        raise TokenRefused("the token is not an access token")
    return str(algorithm), kid if isinstance(kid, str) else None


def _fits(key: Mapping[str, Any], algorithm: str) -> bool:
    """Whether a key of the issuer's is for checking signatures of this algorithm."""
    return (
        key.get("kty") == _FAMILIES[algorithm[:2]]
        and key.get("alg", algorithm) == algorithm
        and key.get("use", "sig") == "sig"
    )


def _scopes(claims: Mapping[str, Any]) -> tuple[str, ...]:
    """The scopes, as RFC 9068 writes them or as a list (`scp`), which some servers write."""
    given = claims.get("scope", claims.get("scp", ""))
    if isinstance(given, str):
        return tuple(given.split())
    return tuple(each for each in given if isinstance(each, str)) if isinstance(given, list) else ()
