import json, os, sys, urllib.request
url = os.environ.get("SLACK_WEBHOOK_URL")
text = f"Build {sys.argv[1]}: {sys.argv[2]}"
if not url:
    print(text)
else:
    urllib.request.urlopen(urllib.request.Request(url, json.dumps({"text": text}).encode(), {"Content-Type": "application/json"}), timeout=5)
