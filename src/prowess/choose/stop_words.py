"""Words that say nothing about what is wanted: English function words and the forms of a request.

They are compared after folding and before stemming. Words of a task (make, find, create, file) are
not here: with few capabilities they decide.
"""

from __future__ import annotations

_WORDS = """
    a an and are as at be been being but by can could did do does doing for from had has have having
    he her hers him his how i if in into is it its itself just ll m me might must my no nor of off on
    or our ours s shall she should so some such t than that the their theirs them then there these
    they this those to too us ve very was we were what when where which while who whom whose why will
    with would you your yours d re don doesn isn
"""

STOP_WORDS = frozenset(_WORDS.split())
