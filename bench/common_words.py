"""Writes `src/prowess/choose/common_words.py`: how common English stems are on the web at large.

The counts are those of the Web Trillion Word Corpus as `wordsegment` carries them, a peer from PyPI; words of
one stem are counted together. A class is a share of all words: at least one in `e**8`, in `e**9`, in `e**10`.

    python -m bench.common_words
"""

from __future__ import annotations

import math
import subprocess
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

from bench import peers
from prowess.choose.tokens import terms

FILE = Path(__file__).resolve().parents[1] / "src" / "prowess" / "choose" / "common_words.py"
FOUND = "import wordsegment, os; print(os.path.dirname(wordsegment.__file__))"
CLASSES = (8, 9, 10)
# Spam made these common in 2006; nobody misses them in a list that people read.
SPAM = (
    "anal ass blowjob cock cum cumshot dick fuck hentai milf phentermin porn porno pussi sexi tit viagra xxx"
)
RARE = 1e-7  # words below it do not lift a stem into a class
HEAD = '''"""How common a word is in English at large, by its stem: three classes, the commonest first.

At least one word in 3,000 of the web is of the first class, one in 8,100 of the second, one in 22,000 of
the third. In a few dozen descriptions it is chance how rare such a word is. Written by
`python -m bench.common_words`, which says where the counts come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

'''
TAIL = '''

@cache
def common_terms() -> Mapping[str, int]:
    """The class of each common term, from 0."""
    return {term: place for place, each in enumerate(CLASSES) for term in each.split()}
'''


def shares() -> dict[str, float]:
    """Each stem's share of all words, from 0 to 1."""
    folder = subprocess.check_output([str(peers.installed()), "-c", FOUND], text=True).strip()
    lines = Path(folder, "unigrams.txt").read_text(encoding="utf-8").splitlines()
    counts = {word: float(count) for word, count in (line.split("\t") for line in lines)}
    whole = sum(counts.values())
    found: dict[str, float] = defaultdict(float)
    for word, count in counts.items():
        if count / whole >= RARE and word.isalpha():
            for term in terms(word):
                found[term] += count / whole
    return found


def main() -> int:
    """Write the module, and say how many terms are in each class."""
    spam = set(SPAM.split())
    classes: list[list[str]] = [[] for _ in CLASSES]
    for term, share in sorted(shares().items()):
        place = next((at for at, limit in enumerate(CLASSES) if -math.log(share) < limit), None)
        if place is not None and term not in spam:
            classes[place].append(term)
    blocks = [textwrap.fill(" ".join(each), 108, break_long_words=False) for each in classes]
    body = "".join(f'    """\n{each}\n    """,\n' for each in blocks)
    FILE.write_text(f"{HEAD}CLASSES = (\n{body})\n{TAIL}", encoding="utf-8")
    print(f"{FILE.name}: {', '.join(str(len(each)) for each in classes)} terms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
