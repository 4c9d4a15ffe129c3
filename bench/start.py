"""Cold start: the CPU time of whole commands against `python -c pass` of the same interpreter.

User and system time of each child as the kernel counts it (`wait4`). The commands take turns; a ratio
to the bare interpreter is taken in each round and the median counts. Peers are shown, not judged.

    python -m bench.start [--rounds 20] [--no-peers] [--json]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import peers
from bench.packages import generate
from bench.result import Figure, Goal, Result

WITHIN = 5.0


@dataclass(slots=True, kw_only=True)
class Command:
    """A command, its interpreter's own start, and what both took, round by round."""

    name: str
    argv: list[str]
    bare: list[str]
    ours: bool = False
    seconds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def measure(self) -> None:
        """One round: the bare interpreter, then the command."""
        bare = cpu_of(self.bare)
        self.seconds.append(cpu_of(self.argv))
        self.ratios.append(self.seconds[-1] / bare)


def cpu_of(argv: Sequence[str]) -> float:
    """User and system seconds of a command that has to succeed; its output is thrown away."""
    quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
    # As users have it: installed packages carry bytecode, and a developer's PYTHON... variables are not set.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    child = os.posix_spawn(argv[0], list(argv), environment, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{' '.join(argv)}: exit status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime


def ours(package: Path) -> list[Command]:
    """The installed `prowess` beside this interpreter."""
    script = str(Path(sys.executable).with_name("prowess"))
    bare = [sys.executable, "-c", "pass"]
    return [
        Command(name="prowess check PKG", argv=[script, "check", str(package)], bare=bare, ours=True),
        Command(name="prowess --help", argv=[script, "--help"], bare=bare, ours=True),
    ]


def theirs(package: Path) -> list[Command]:
    """What the peers' own commands take for about the same questions."""
    python = peers.installed()
    bare = [str(python), "-c", "pass"]
    skill = sorted((package / "skills").iterdir())[0]
    lines = {
        "skills-ref: agentskills validate SKILL": ["agentskills", "validate", str(skill)],
        "skills-ref: agentskills --help": ["agentskills", "--help"],
        "skillsaw lint PKG": ["skillsaw", "lint", str(package)],
        "skillsaw --help": ["skillsaw", "--help"],
        "agent-plugins --help": ["agent-plugins", "--help"],
    }
    return [
        Command(name=name, argv=[str(python.with_name(words[0])), *words[1:]], bare=bare)
        for name, words in lines.items()
    ]


def run(rounds: int, *, with_peers: bool) -> Result:
    """Measure the commands in turn; the first round warms the caches and does not count."""
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as directory:
        package = generate(Path(directory), 1)[0]
        commands = ours(package) + (theirs(package) if with_peers else [])
        for command in commands:
            cpu_of(command.argv)
        for _ in range(rounds):
            for command in commands:
                command.measure()
    goals = [
        Goal(
            name=f"{command.name}, times `python -c pass`",
            value=statistics.median(command.ratios),
            limit=WITHIN,
            keep="at most",
        )
        for command in commands
        if command.ours
    ]
    return Result(
        bench="start", settings={"rounds": rounds}, rows=[row(each) for each in commands], goals=goals
    )


def row(command: Command) -> dict[str, Figure]:
    """One line of the table."""
    return {
        "command": command.name,
        "CPU ms": statistics.median(command.seconds) * 1000,
        "times python -c pass": statistics.median(command.ratios),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.start", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--no-peers", action="store_true", help="our own figures only")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.rounds, with_peers=not given.no_peers).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
