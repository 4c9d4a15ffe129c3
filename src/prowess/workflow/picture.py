"""A definition as a Mermaid flowchart, and a run of it with the state of every step.

Every text of a definition is a label in quotation marks, with whatever Mermaid or a page would read in it
written as a character's number; the names of nodes are our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prowess.redact import printable
from prowess.workflow.definition import Branch, Call, Nested, Parallel, Step, Wait, Workflow
from prowess.workflow.templates import written

LONGEST = 80  # characters of one line of a label
STATES = {
    "completed": "fill:#d9f2dc,stroke:#2b7a39",
    "running": "fill:#d9e8fb,stroke:#1f5fa8",
    "waiting": "fill:#fdf3d1,stroke:#9a7400",
    "failed": "fill:#fadbd8,stroke:#a93226",
    "skipped": "fill:#eeeeee,stroke:#888888,color:#888888",
    "attention": "fill:#f6d7f3,stroke:#8e2485",
}
"""The states that a step can be drawn in; any other is drawn as if there were none."""

# Letters, digits, marks and the blanks between them; everything else becomes its number.
_PLAIN = frozenset(" .,:+-*/()=_?!@")


def picture(workflow: Workflow, states: Mapping[str, str] | None = None) -> str:
    """Mermaid text. `states` has the state of steps by their ids, for a run."""
    drawing = _Drawing(states or {})
    after = drawing.steps(workflow.steps, [_End(drawing.node("((", "start", "))"))])
    drawing.join(after, drawing.node("((", "end", "))"))
    return "\n".join(["flowchart TD", *drawing.lines, *drawing.classes()]) + "\n"


@dataclass(frozen=True, slots=True)
class _End:
    """Where an arrow begins, and what is written on it."""

    node: str
    word: str = ""


class _Drawing:
    def __init__(self, states: Mapping[str, str]) -> None:
        self.lines: list[str] = []
        self._states = states
        self._count = 0
        self._in_state: dict[str, list[str]] = {}

    def node(self, before: str, label: str, after: str, state: str = "") -> str:
        """A node with a name of ours."""
        name = f"n{self._count}"
        self._count += 1
        self.lines.append(f'  {name}{before}"{label}"{after}')
        if state in STATES:
            self._in_state.setdefault(state, []).append(name)
        return name

    def join(self, ends: Sequence[_End], node: str, arrow: str = "-->") -> None:
        """Arrows from `ends` to a node."""
        for each in ends:
            word = f'|"{each.word}"|' if each.word else ""
            self.lines.append(f"  {each.node} {arrow}{word} {node}")

    def classes(self) -> Iterator[str]:
        """The lines that colour the nodes of a run."""
        for state, nodes in self._in_state.items():
            yield f"  classDef {state} {STATES[state]}"
            yield f"  class {','.join(nodes)} {state}"

    def steps(self, steps: Sequence[Step], ends: list[_End]) -> list[_End]:
        """Draw steps one after the other; where the arrows to the next one begin."""
        for step in steps:
            ends = self._step(step, ends)
        return ends

    def _step(self, step: Step, ends: list[_End]) -> list[_End]:
        around: list[_End] = []
        if step.when is not None:
            asked = self.node("{", label(step.when.text), "}")
            self.join(ends, asked)
            ends, around = [_End(asked, "yes")], [_End(asked, "no")]
        if step.approve is not None:
            person = self.node("[/", label(f"approve: {written(step.approve)}"), "/]")
            self.join(ends, person)
            ends = [_End(person)]
        if isinstance(step.action, Parallel):
            after = self._branches(step, step.action.branches, ends)
        else:
            node = self._action(step)
            self.join(ends, node)
            after = [_End(node)]
        if step.on_error.step is not None:
            self._compensation(step.on_error.step, after)
        return [*after, *around]

    def _branches(self, step: Step, branches: Sequence[Branch], ends: list[_End]) -> list[_End]:
        fork = self.node("{{", label(step.title), "}}", self._state(step))
        self.join(ends, fork)
        after: list[_End] = []
        for branch in branches:
            after += self.steps(branch.steps, [_End(fork, label(branch.name))])
        join = self.node("{{", "all ended", "}}")
        self.join(after, join)
        return [_End(join)]

    def _compensation(self, step: Step, after: list[_End]) -> None:
        node = self._action(step)
        self.join([_End(each.node, "on error") for each in after], node, "-.->")

    def _action(self, step: Step) -> str:
        state = self._state(step)
        match step.action:
            case Call(skill=name, version=version):
                return self.node("[", self._lines(step, f"{name}@{version}" if version else name), "]", state)
            case Nested(workflow=name, version=version):
                return self.node(
                    "[[", self._lines(step, f"{name}@{version}" if version else name), "]]", state
                )
            case Wait() as wait:
                return self.node("([", self._lines(step, waiting(wait)), "])", state)
        return self.node("[", self._lines(step, step.title), "]", state)

    def _state(self, step: Step) -> str:
        return self._states.get(step.id, "")

    def _lines(self, step: Step, what: str) -> str:
        """What a node says: its id, what it does, and how often."""
        lines = [f"{step.id}: {what}" if step.named else what]
        if step.for_each is not None:
            at_once = f", {step.for_each.concurrency} at a time" if step.for_each.concurrency > 1 else ""
            lines.append(f"for each of {written(step.for_each.items)}{at_once}")
        if step.retry is not None:
            lines.append(f"at most {step.retry.attempts} attempts")
        if step.on_error.action == "continue":
            lines.append("goes on after an error")
        if self._state(step):
            lines.append(self._state(step))
        return "<br/>".join(label(each) for each in lines)


def waiting(wait: Wait) -> str:
    """What a step waits for, in words."""
    if wait.event is not None:
        return f"wait for event {written(wait.event)}"
    if wait.until is not None:
        return f"wait until {written(wait.until)}"
    return f"wait {written(wait.seconds)} s" if wait.seconds is not None else "wait"


def label(text: str) -> str:
    """A text as a part of a label: one line, bounded, nothing in it has a meaning to Mermaid or HTML."""
    one_line = printable(" ".join(text.split()), LONGEST)
    return "".join(each if each.isalnum() or each in _PLAIN else f"#{ord(each)};" for each in one_line)
