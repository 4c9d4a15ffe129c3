"""An approver for tests."""

from __future__ import annotations

from prowess.store.remembered import ApprovalRequest


class Person:
    """Answers as told, then yes, and remembers what was asked."""

    def __init__(self, *answers: bool) -> None:
        self.answers = list(answers)
        self.asked: list[ApprovalRequest] = []

    async def approve(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return self.answers.pop(0) if self.answers else True
