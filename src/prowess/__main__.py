"""`python -m prowess`: the command line."""

from prowess.cli import main

raise SystemExit(main())
