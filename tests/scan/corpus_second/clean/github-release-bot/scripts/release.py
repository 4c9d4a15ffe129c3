#!/usr/bin/env python3
import json, os, sys, urllib.request

repo, tag, notes = sys.argv[1:4]
req = urllib.request.Request(
    f"https://api.github.com/repos/{repo}/releases",
    data=json.dumps({"tag_name": tag, "name": tag, "draft": True, "body": open(notes).read()}).encode(),
    headers={"Authorization": "Bearer " + os.environ["GITHUB_TOKEN"], "Accept": "application/vnd.github+json"})
print(json.load(urllib.request.urlopen(req))["html_url"])
