import json
import os
import sys
import urllib.request

repo = sys.argv[1]
req = urllib.request.Request(
    f"https://api.github.com/repos/{repo}/issues?state=open&labels=&per_page=50",
    headers={"Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
             "Accept": "application/vnd.github+json"})
for issue in json.load(urllib.request.urlopen(req, timeout=20)):
    if "pull_request" not in issue and not issue["labels"]:
        print(f"#{issue['number']:<6}{issue['title']}  ({issue['user']['login']})")
