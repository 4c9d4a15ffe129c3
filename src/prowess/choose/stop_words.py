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
    able about above actually after again all allow along already also always another any anybody
    anyone anything around ask aspect assist assistance assistant available away back based
    because before best better beyond both bring capability capable certain come comprehensive
    consider curious current currently depth desire detail detailed different easily easy
    effective effectively efficient efficiently either else enable enhance ensure especially
    essential etc even ever every everything exact exactly example experience explain extensive
    extra feature few find first following fully further gain general get getting give given go
    going good great handle happen happy hello help helpful here hey hi idea ideal importance
    important improve include including information insight instead intend interest interested
    interesting keep key kind know latest let like little look looking lot love made main make
    manner many may maybe mean more most much multiple named near necessary need never new next
    nice now offer often once one only option other otherwise out over own particular past per
    perfect perform please plugin popular possible possibly potential prefer properly provide
    purpose put quick quickly quite range rather really reason recent recommend recommendation
    reference regard related relevant reliable request require right same say see seem several
    show similar simple simply since situation small something soon sort specific specifically
    still suggest suggestion suitable support sure take talk task tell thank thanks thing think
    through today together tool top topic total toward try type under understand unique until up
    upon use used useful user using usually utilize valuable variety various via vital want way
    well whatever whenever whether wide within without wonder work year yet
"""

STOP_WORDS = frozenset(_STOP.split())
WEAK_WORDS = frozenset(_WEAK.split())
