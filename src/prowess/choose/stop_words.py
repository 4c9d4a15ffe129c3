"""Words that say nothing about what is wanted, and words that say little. English.

With few capabilities it is chance how often a common word stands in their descriptions, so how rare
it is there does not tell how much it says. `STOP_WORDS` are function words and never count; they are
compared after folding, before stemming. `WEAK_WORDS` are what requests and descriptions of any kind
are phrased with; they count, at a lower weight. Words of a task (create, file, search, check) are in
neither: with few capabilities they decide.
"""

from __future__ import annotations

_STOP = """
    a an and are as at be been being but by can could did do does doing for from had has have having
    he her hers him his how i if in into is it its itself just ll m me might must my no nor of off on
    or our ours s shall she should so some such t than that the their theirs them then there these
    they this those to too us ve very was we were what when where which while who whom whose why will
    with would you your yours d re don doesn isn
"""
_WEAK = """
    able about above actually after again all allow already also always another any anybody anyone
    anything around ask assist assistance assistant available away back based because before best
    better both bring capability certain come comprehensive curious current currently detail detailed
    different easily easy effective effectively efficient efficiently either else enable enhance
    ensure especially etc even ever every everything exact exactly example explain feature few find
    first following fully further general get getting give given go going good great handle happen
    happy hello help helpful here hey hi idea improve include including information insight instead
    interest interested interesting keep kind know latest let like little look looking lot love made
    make many may maybe mean more most much multiple near necessary need never new next nice now
    offer often once one only other otherwise out over own particular perfect perform please plugin
    possible possibly prefer properly provide put quick quickly quite rather really reason recent
    recommend recommendation related reliable request right same say see seem several show similar
    simple simply since small something soon sort specific specifically still suggest suggestion
    support sure take talk task tell thank thanks thing think through today together tool top toward
    try type under understand until up upon use used useful user using usually utilize valuable
    various variety via want way well whatever whenever whether within without wonder work yet
"""

STOP_WORDS = frozenset(_STOP.split())
WEAK_WORDS = frozenset(_WEAK.split())
