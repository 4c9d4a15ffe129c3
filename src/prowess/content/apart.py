"""A function of somebody's, called in a thread of its own that nobody has to wait for.

The pool that everything else shares is small: a few calls that never come back would fill it, and the
process could not end before they do. Here a thread is left behind, and dies with the process. How many
may be left is bounded. What the function is for is not known here.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from prowess.errors import Unreadable

MOST = 64  # threads at once, those that were left behind included

T = TypeVar("T")

_room = threading.BoundedSemaphore(MOST)


async def apart(function: Callable[[], T], most: threading.BoundedSemaphore = _room) -> T:
    """What `function` gives or raises. Raises Unreadable when as many as may be are running."""
    if not most.acquire(blocking=False):
        raise Unreadable("too many functions of content are running, and do not come back")
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: T | None, error: BaseException | None) -> None:
        if not answer.done():
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(value)  # type: ignore[arg-type]  # it is one where there is no error

    def run() -> None:
        value: T | None = None
        fault: BaseException | None = None
        try:
            value = context.run(function)
        except StopIteration:  # which a Future does not take
            fault = RuntimeError("StopIteration")
        except (Exception, SystemExit) as error:  # noqa: BLE001  # boundary: whoever waits is told
            fault = error
        finally:
            most.release()
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, value, fault)

    threading.Thread(target=run, name="content", daemon=True).start()
    return await answer
