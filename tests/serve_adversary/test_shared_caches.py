"""What a caller was shown for its token is in no cache that others read from."""

from __future__ import annotations

import pytest
from tests.skills_mcp.packaging import Packages, request
from tests.skills_mcp.server_of_skills import ServerOfSkills

from prowess.host import Host
from prowess.host.storing import Store
from prowess.serve.skills import SkillsOffer

pytestmark = pytest.mark.anyio


@pytest.fixture
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    return Packages(tmp_path_factory.mktemp("packages"))


@pytest.mark.parametrize(("principal", "scope"), [("local", "public"), ("ann", "private")])
async def test_a_list_of_skills_for_a_token_is_private(
    packages: Packages, principal: str, scope: str
) -> None:
    docs = ServerOfSkills("docs")
    docs.skill("pdf", {})
    docs.ttl_ms = 2_000
    place = packages.package("books", {})
    async with Host.open(place, providers=[docs], store=Store.in_memory()) as host:
        result = await SkillsOffer(host).answer(request("skills/list", principal=principal))
    assert (result["ttlMs"], result["cacheScope"]) == (2_000, scope)
