"""All benchmarks, one after the other: `python -m bench`. Exit status 1 when a goal is missed."""

import sys

from bench import bring_up, call, check, choose, console, gateway, improve, start, units

# A list, not a generator: a missed goal does not keep the others from being measured.
BENCHES = (check, start, bring_up, call, units, choose, improve, gateway, console)
sys.exit(max([each.main([]) for each in BENCHES]))
