"""Runs one search in each place of a file, with the settings there. Prints the errors as JSON."""

import asyncio
import json
import os
import sys

from trawl import AsyncTrawl, Trawl, UsageError


def search(call):
    with Trawl.from_settings() as client:
        client.search("tidal power", call)


async def search_in_asyncio(call):
    async with AsyncTrawl.from_settings() as client:
        await client.search("tidal power", call)


kind, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    places = json.load(file)
errors = []
for place in places:
    os.chdir(place["directory"])
    os.environ.clear()
    os.environ.update(place["environment"])
    try:
        call = place.get("call")
        search(call) if kind == "sync" else asyncio.run(search_in_asyncio(call))
        errors.append(None)
    except UsageError as error:
        errors.append(str(error))
print(json.dumps(errors))
