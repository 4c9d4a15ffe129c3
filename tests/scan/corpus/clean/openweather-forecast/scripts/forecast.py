"""Print a forecast for one city."""

import json
import os
import sys
import urllib.parse
import urllib.request

key = os.environ.get("OPENWEATHER_API_KEY")
if not key:
    sys.exit("Set OPENWEATHER_API_KEY first.")
query = urllib.parse.urlencode({"q": sys.argv[1], "appid": key, "units": "metric"})
with urllib.request.urlopen("https://api.openweathermap.org/data/2.5/forecast?" + query, timeout=20) as answer:
    for entry in json.load(answer)["list"][:4]:
        print(entry["dt_txt"], entry["main"]["temp"], entry["weather"][0]["description"])
