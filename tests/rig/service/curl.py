"""As much of curl as the docs print, so that tests need no other."""

import shutil
import sys
import urllib.request

options = {"-X": "GET", "-d": None, "-o": None}
headers, url, words = {}, "", iter(sys.argv[1:])
for word in words:
    if word == "-H":
        name, _, value = next(words).partition(":")
        headers[name] = value.strip()
    elif word in options:
        options[word] = next(words)
    elif not word.startswith("-"):
        url = word
data = options["-d"] and options["-d"].encode()
request = urllib.request.Request(url, data, headers, method=options["-X"])
with urllib.request.urlopen(request, timeout=90) as reply:
    if options["-o"]:
        with open(options["-o"], "wb") as file:
            shutil.copyfileobj(reply, file)
    else:
        shutil.copyfileobj(reply, sys.stdout.buffer)
