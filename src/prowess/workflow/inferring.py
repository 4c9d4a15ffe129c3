"""What an expression gives, told before a run from what is known of its names; and what is wrong with it.

An operation on a value that is known to be of no kind that it takes is a fault. So is a name that nothing
has, a step that has not run yet, and a member where all members are known. The rest is left to the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prowess.redact import printable
from prowess.workflow.evaluating import written
from prowess.workflow.fields import nearest
from prowess.workflow.functions import FUNCTIONS, kind_of
from prowess.workflow.language import (
    Applied,
    Arithmetic,
    Choice,
    Compared,
    ListOf,
    Literal,
    Logic,
    MappingOf,
    Member,
    Name,
    Negated,
    Not,
    Tested,
    Tree,
)
from prowess.workflow.types import UNKNOWN, Typed, either, list_of, of_kinds, typed, words

Tell = Callable[[str, str, str], None]
"""Takes a rule, a message and a hint."""

_HOLDERS = ("array", "object", "string")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a step can see. `steps` are the records of steps that have ended by then, by id.

    `order` are the ids of the steps at the top, `ids` those that the author gave, `extra` what is there only
    here (`item`, `index`, `error`).
    """

    input: Typed
    order: tuple[str, ...]
    ids: frozenset[str]
    steps: Mapping[str, Typed]
    extra: Mapping[str, Typed] = field(default_factory=dict)


def infer(tree: Tree, view: View, tell: Tell) -> Typed:
    """What `tree` gives for whoever sees `view`."""
    return _Inferring(view, tell).infer(tree)


class _Inferring:
    """`lenient` is where a member that is not there is asked for on purpose."""

    def __init__(self, view: View, tell: Tell, *, lenient: bool = False) -> None:
        self._view = view
        self._tell = tell
        self._lenient = lenient

    def infer(self, tree: Tree) -> Typed:
        """What the tree gives."""
        match tree:
            case Literal(value):
                return of_kinds(kind_of(value))
            case Name(name):
                return self._name(name)
            case Member(of, key):
                return self._member(tree, of, key)
            case ListOf(items):
                found = [self.infer(each) for each in items]
                return (
                    list_of(found[0])
                    if found and all(each == found[0] for each in found)
                    else of_kinds("array")
                )
            case MappingOf(pairs):
                for key, value in pairs:
                    self._wants(key, ("string",), "a key of a mapping")
                    self.infer(value)
                return of_kinds("object")
            case Logic(operator, left, right):
                self._wants(left, ("boolean",), operator)
                self._wants(right, ("boolean",), operator)
                return of_kinds("boolean")
            case Not(of):
                self._wants(of, ("boolean",), "not")
                return of_kinds("boolean")
            case Tested(test, of):
                (self._quietly if test == "defined" else self.infer)(of)
                return of_kinds("boolean")
            case Choice(test, then, otherwise):
                self._wants(test, ("boolean",), "if")
                return either(self.infer(then), self.infer(otherwise))
            case Compared(operator, left, right):
                return self._compared(operator, left, right)
            case Arithmetic(operator, left, right):
                return self._arithmetic(operator, left, right)
            case Negated(of):
                self._wants(of, ("number",), "-")
                return of_kinds("number")
            case Applied(function, of, arguments):
                return self._applied(function, of, arguments)

    # -- names and members

    def _name(self, name: str) -> Typed:
        view = self._view
        if name in view.extra:
            return view.extra[name]
        if name == "input":
            return view.input
        if name == "steps":
            self._reference("steps is not a value by itself", "steps[0].result, or steps.ID.result")
            return UNKNOWN
        if name in view.ids:
            return self._step(name)
        if name in ("item", "index", "error"):
            where = "the step that compensates" if name == "error" else "the params of a step with for_each"
            self._reference(f"{name} is there only in {where}", f"a property of the input: input.{name}")
            return UNKNOWN
        known = view.input.declared()
        if known is not None and name not in known:
            names = [*known, *view.steps, "input", "steps"]
            self._reference(f"nothing is called {printable(name, 60)}", nearest(name, names))
        elif known is None and name not in (said := view.input.named()) and said and not self._lenient:
            message = f"nothing says that the input has {printable(name, 60)}"
            self._tell("workflow-undeclared-member", message, nearest(name, said))
        return view.input.member(name)

    def _step(self, id: str) -> Typed:
        found = self._view.steps.get(id)
        if found is None:
            message = f"step {id} has not ended when this is needed"
            self._reference(
                message, "only steps that stand before this one, outside of other branches, can be used"
            )
            return UNKNOWN
        return found

    def _member(self, tree: Member, of: Tree, key: Tree) -> Typed:
        if of == Name("steps"):
            return self._numbered(key)
        holder = self.infer(of)
        if (
            not isinstance(key, Literal)
            or isinstance(key.value, bool)
            or not isinstance(key.value, str | int)
        ):
            self.infer(key)
            if holder.excludes(("array", "object")):
                self._type(f"{written(of)} is {holder.words}, which has no members")
            return UNKNOWN
        wanted = "object" if isinstance(key.value, str) else "array"
        if holder.excludes((wanted,)):
            self._reference(f"{written(tree)}: {written(of)} is {holder.words}, which has no such member", "")
            return UNKNOWN
        if isinstance(key.value, str):
            self._named_member(holder, key.value, tree, of)
        return holder.member(key.value)

    def _named_member(self, holder: Typed, name: str, tree: Member, of: Tree) -> None:
        known = holder.declared()
        if self._lenient:
            return
        if known is not None and name not in known:
            self._reference(
                f"{written(tree)} is never there", nearest(name, known) or f"{written(of)} has no members"
            )
        elif known is None and name not in (said := holder.named()) and said:
            message = f"{written(tree)}: nothing says that there is {printable(name, 60)}"
            self._tell("workflow-undeclared-member", message, nearest(name, said))

    def _numbered(self, key: Tree) -> Typed:
        """The record of `steps[0]` or `steps.ID`."""
        view = self._view
        if (
            not isinstance(key, Literal)
            or isinstance(key.value, bool)
            or not isinstance(key.value, str | int)
        ):
            self._reference("steps[...] needs a number or an id that is written out", "steps[0].result")
            return UNKNOWN
        if isinstance(key.value, str):
            if key.value in view.ids:
                return self._step(key.value)
            self._reference(
                f"there is no step {printable(key.value, 60)}", nearest(key.value, sorted(view.ids))
            )
            return UNKNOWN
        if not 0 <= key.value < len(view.order):
            hint = f"there are {len(view.order)}, counted from 0"
            self._reference(f"there is no step {key.value}", hint)
            return UNKNOWN
        return self._step(view.order[key.value])

    # -- operations

    def _wants(self, tree: Tree, kinds: tuple[str, ...], by: str) -> Typed:
        found = self.infer(tree)
        if found.excludes(kinds):
            self._type(f"{by} takes {words(kinds)}; {written(tree)} is {found.words}")
        return found

    def _compared(self, operator: str, left: Tree, right: Tree) -> Typed:
        one, other = self.infer(left), self.infer(right)
        if operator in ("<", "<=", ">", ">=") and not one.kinds & other.kinds & {"number", "string"}:
            self._type(f"{operator} compares two numbers or two texts, not {one.words} and {other.words}")
        elif operator in ("in", "not in") and other.excludes(_HOLDERS):
            self._type(
                f"{operator} looks into a list, a mapping or a text; {written(right)} is {other.words}"
            )
        return of_kinds("boolean")

    def _arithmetic(self, operator: str, left: Tree, right: Tree) -> Typed:
        one, other = self.infer(left), self.infer(right)
        takes = frozenset({"number", "string", "array"} if operator == "+" else {"number"})
        both = one.kinds & other.kinds & takes
        if not both:
            self._type(f"{operator} takes {words(takes)}, not {one.words} and {other.words}")
        return Typed(kinds=both or takes)

    def _applied(self, function: str, of: Tree, arguments: tuple[Tree, ...]) -> Typed:
        if function == "default":
            return either(self._quietly(of), self.infer(arguments[0]))
        known = FUNCTIONS[function]
        found = self._wants(of, known.takes, function) if known.takes else self.infer(of)
        for each in arguments:
            self.infer(each)
        if function in ("first", "last"):
            return (
                found.member(0)
                if function == "first"
                else found.item or typed(found.schema.get("items"), found.root)
            )
        return of_kinds(*known.gives)

    def _quietly(self, tree: Tree) -> Typed:
        """The same where a missing member is no fault; a step that has not run stays one."""
        return _Inferring(self._view, self._tell, lenient=True).infer(tree)

    def _reference(self, message: str, hint: str) -> None:
        self._tell("workflow-reference", message, hint)

    def _type(self, message: str) -> None:
        self._tell("workflow-type", message, "")
