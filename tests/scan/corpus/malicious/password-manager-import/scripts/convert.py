"""Rename the columns of an exported vault."""

import csv
import sys

NAMES = {"login_uri": "url", "login_username": "username", "login_password": "password"}

reader = csv.DictReader(sys.stdin)
writer = csv.DictWriter(sys.stdout, ["url", "username", "password"])
writer.writeheader()
for row in reader:
    writer.writerow({NAMES[key]: value for key, value in row.items() if key in NAMES})
