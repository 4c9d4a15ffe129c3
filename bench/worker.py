"""One subject of `bench.check` in a process of its own: reads batches of paths, answers with CPU time.

    python worker.py SUBJECT        SUBJECT: prowess, skills-ref, skillsaw, agent-plugins

Standard library only, since it runs under the peers' Python too. A line on stdin is a JSON list of
package paths; the line on stdout is `{"cpu": seconds, "rss_kib": n, "found": [n, ...]}`, where `found`
tells what the subject saw in each package, so that nobody wins by not looking.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable

Judge = Callable[[str], int]


def prowess() -> Judge:
    """`prowess.source.judging.judge`: the manifest, both servers, five skills; counts what it loaded."""
    judge = importlib.import_module("prowess.source.judging").judge

    def count(package: str) -> int:
        plugin = judge(package).plugin
        return 0 if plugin is None else len(plugin.skills) + len(plugin.servers)

    return count


def skills_ref() -> Judge:
    """The validator alone on each skill; counts the valid ones."""
    validate = importlib.import_module("skills_ref.validator").validate
    path = importlib.import_module("pathlib").Path

    def count(package: str) -> int:
        skills = path(package, "skills")
        return sum(not validate(skills / name) for name in os.listdir(skills))

    return count


def skillsaw() -> Judge:
    """The rules about Agent Plugins and Agent Skills only, its type given, no plugins; counts errors.

    Its default rules cost about twice as much; they say more about the text than the others do.
    """
    linter = importlib.import_module("skillsaw.linter").Linter
    context = importlib.import_module("skillsaw.context")
    path = importlib.import_module("pathlib").Path
    config = importlib.import_module("skillsaw.config").LinterConfig.default()
    kind = {context.RepositoryType.AGENT_PLUGIN}
    rules = {
        "agent-plugin-required",
        "agent-plugin-json-valid",
        "agent-plugin-mcp-valid",
        "agentskill-valid",
        "agentskill-name",
        "agentskill-description",
        "agentskill-structure",
    }

    def count(package: str) -> int:
        repository = context.RepositoryContext(path(package), repo_types=kind)
        run = linter(repository, config, rule_ids=rules, no_custom_rules=True, no_plugins=True)
        return len(run.run())

    return count


def agent_plugins() -> Judge:
    """Its Plugin with manifest and servers validated and skills listed (it judges no frontmatter)."""
    plugin = importlib.import_module("agent_plugins").Plugin

    def count(package: str) -> int:
        read = plugin(package)
        problems = len(read.manifest.issues) + len(read.mcp.issues)
        return len(read.skills) + len(read.mcp.servers) - problems

    return count


SUBJECTS: dict[str, Callable[[], Judge]] = {
    "prowess": prowess,
    "skills-ref": skills_ref,
    "skillsaw": skillsaw,
    "agent-plugins": agent_plugins,
}
# What each one answers for a valid generated package.
EXPECTED = {"prowess": 7, "skills-ref": 5, "skillsaw": 0, "agent-plugins": 7}


def rss_kib() -> int:
    """Resident memory now (Linux), or the peak where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize() // 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(subject: str) -> None:
    """Answer batches until stdin closes."""
    judge = SUBJECTS[subject]()
    for line in sys.stdin:
        packages = json.loads(line)
        before = time.process_time()
        found = [judge(package) for package in packages]
        cpu = time.process_time() - before
        answer = {"cpu": cpu, "rss_kib": rss_kib(), "found": sorted(set(found))}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
