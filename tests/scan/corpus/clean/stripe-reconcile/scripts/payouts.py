"""List the payouts since a time, as JSON lines."""

import json
import os
import sys
import urllib.request

since = int(sys.argv[1])
request = urllib.request.Request(
    f"https://api.stripe.com/v1/payouts?limit=100&created[gte]={since}",
    headers={"Authorization": f"Bearer {os.environ['STRIPE_API_KEY']}"},
)
with urllib.request.urlopen(request, timeout=30) as answer:
    for payout in json.load(answer)["data"]:
        print(json.dumps({"id": payout["id"], "amount": payout["amount"], "day": payout["arrival_date"]}))
