"""Skills as a Host has them: those of its plugins, and those that its servers serve.

Agent Skills, progressive disclosure; MCP extension `io.modelcontextprotocol/skills` (SEP-2640). A name
without a server's label is always a skill of a plugin. What servers serve is imported, and with it the
MCP SDK, when somebody asks for it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prowess.errors import NotFound, UsageError
from prowess.host.packages import LocalSkill, Package
from prowess.provider import Caller
from prowess.redact import printable
from prowess.spec.model import Skill

if TYPE_CHECKING:
    from prowess.host.activating import Activated, SkillFile
    from prowess.host.calling import Calling
    from prowess.host.remote_skills_consent import RemoteSkill
    from prowess.host.skill_watching import SkillWatching


class Skills:
    """The part of a Host that is about skills."""

    _watching: SkillWatching
    _calling: Calling
    _caller: Caller

    skill_notes: tuple[str, ...] = ()
    """What of local skills was left out when this Host was opened, and why."""

    @property
    def _packages(self) -> tuple[Package, ...]:
        """What this Host is of; skills that appeared or changed on disk are in it."""
        return self._watching.packages

    @_packages.setter
    def _packages(self, packages: tuple[Package, ...]) -> None:
        self._watching.packages = packages

    @property
    def skills_version(self) -> int:
        """Another number whenever the skills on disk are other ones than before."""
        return self._watching.version

    @property
    def has_local_folders(self) -> bool:
        """Whether there are folders of skills here, in which one may appear at any time."""
        return any(each.is_local for each in self._packages)

    async def look_again(self) -> None:
        """Know of skills on disk what they are now, and tell whoever listens, before it is looked anyway."""
        await self._watching.look_once()

    # -- of plugins --------------------------------------------------------------------------------

    @property
    def local_skills(self) -> tuple[LocalSkill, ...]:
        """The skills of the plugins here, by their names in this Host, and where their files are."""
        return tuple(
            LocalSkill(
                name=self._named(package, each),
                plugin=package.label,
                skill=each,
                source=package.source,
                profile=package.judgement.profile,
            )
            for package in self._packages
            for each in package.skills
        )

    def activate(self, skill: str, caller: Caller | None = None, *, anew: bool = False) -> Activated:
        """The skill's text for a model, wrapped with its name and directory; its files are listed only.

        A conversation gets a skill once; `anew` gives it again to one that has lost it. `skill` is
        the skill's name, or `plugin/skill`; for one that a server serves see `activate_skill`.
        """
        from prowess.call.deciding import chosen

        package, found = self._skill(skill)
        name = self._named(package, found)
        chosen(name)
        return self._calling.activations.activate(
            package.source, found, name, caller or self._caller, anew=anew
        )

    def read_skill_file(self, skill: str, path: str, caller: Caller | None = None) -> SkillFile:
        """One file of a skill, its digest noted. `path` is relative to the skill's directory."""
        package, found = self._skill(skill)
        return self._calling.activations.read(
            package.source, found, self._named(package, found), path, caller or self._caller
        )

    def end_conversation(self, caller: Caller | None = None) -> None:
        """The caller's conversation is over, or lost its context: no skill is active in it any more."""
        self._calling.forget(caller or self._caller)

    def read_skill(self, name: str) -> str:
        """The text of one skill below its frontmatter, read now; nothing is kept."""
        from prowess.source.reading import read_body

        package, skill = self._skill(name)
        return read_body(package.source, skill)

    def load_body(self, name: str) -> str:
        """Read one skill's text and keep it: its `loaded` says `body` from now on."""
        text = self.read_skill(name)
        package, skill = self._skill(name)
        plugin = package.judgement.accepted
        skills = tuple(replace(each, body=text) if each is skill else each for each in plugin.skills)
        judgement = replace(package.judgement, plugin=replace(plugin, skills=skills))
        loaded = replace(package, judgement=judgement)
        self._packages = tuple(loaded if each is package else each for each in self._packages)
        return text

    # -- of servers --------------------------------------------------------------------------------

    async def remote_skills(
        self, caller: Caller | None = None, *, anew: bool = False
    ) -> tuple[RemoteSkill, ...]:
        """The skills that connected servers list, under names that say whose they are.

        Nothing of them is read. `anew` asks again also where the last listing still holds.
        """
        return await self._calling.remote_skills.listed(caller or self._caller, anew=anew)

    @property
    def remote_skill_notes(self) -> tuple[str, ...]:
        """What was left out of the last listings of servers, and why."""
        return self._calling.remote_skills.notes

    async def activate_skill(
        self, name: str, caller: Caller | None = None, *, anew: bool = False
    ) -> Activated:
        """Activate a skill wherever it is from: of a plugin as `activate` does, or of a server.

        A server's skill is `label:name`, `label:path` or `label:uri`. It is used when it was approved as
        it is now, and what is read of it is verified. Raises SkillRefused, NotFound and UsageError,
        RequestFailed and ConnectionFailed.
        """
        if self._is_local(name):
            return self.activate(name, caller, anew=anew)
        from prowess.call.deciding import chosen

        activated = await self._calling.remote_skills.activate(name, caller or self._caller, anew=anew)
        chosen(activated.name)
        return activated

    async def skill_file(self, name: str, path: str, caller: Caller | None = None) -> SkillFile:
        """One file of a skill wherever it is from; of a server's only while it is active here."""
        if self._is_local(name):
            return self.read_skill_file(name, path, caller)
        return await self._calling.remote_skills.read(name, path, caller or self._caller)

    async def find_skill(self, name: str, caller: Caller | None = None) -> RemoteSkill:
        """The skill of a server that a name or URI means, as its server describes it; nothing is read."""
        return await self._calling.remote_skills.find(name, caller or self._caller)

    async def approve_skill(self, skill: RemoteSkill, caller: Caller | None = None) -> None:
        """A person approves a server's skill as it is listed here. Raises SkillRefused without digests."""
        await self._calling.remote_skills.approve(skill, caller or self._caller)

    async def is_approved(self, skill: RemoteSkill, caller: Caller | None = None) -> bool:
        """Whether a server's skill has been approved as it is listed."""
        return await self._calling.remote_skills.approved(skill, caller or self._caller)

    def acting_on(self, caller: Caller | None = None) -> tuple[RemoteSkill, ...]:
        """The servers' skills that are active in a conversation: what they ask for is not the user's wish.

        Whoever gives a model something that runs code asks a person while this is not empty.
        """
        return self._calling.acting_on(caller or self._caller)

    # -- names -------------------------------------------------------------------------------------

    def _is_local(self, name: str) -> bool:
        """A name of a plugin's skill always means that one; what has no server's label is meant to be one."""
        return ":" not in name or any(package.named_skills(name) for package in self._packages)

    def _named(self, package: Package, skill: Skill) -> str:
        return skill.name if len(self._packages) == 1 else f"{package.label}/{skill.name}"

    def _skill(self, name: str) -> tuple[Package, Skill]:
        found = [(package, skill) for package in self._packages for skill in package.named_skills(name)]
        if len(found) == 1:
            return found[0]
        if found:
            which = ", ".join(f"{package.label}/{skill.name}" for package, skill in found)
            raise UsageError(f"more than one plugin has a skill named {printable(name)}", hint=f"say {which}")
        names = [self._named(package, each) for package in self._packages for each in package.skills]
        known = printable(", ".join(names) or "none", 500)
        raise NotFound(f"no skill named {printable(name)}", hint=f"skills: {known}")
