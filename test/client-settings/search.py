"""Runs one search in each place of a file, with the settings there, by each kind of client.

The file has the places by kind. Prints the errors by kind, as JSON.
"""

import asyncio
import json
import os
import sys

from trawl import AsyncTrawl, Trawl, UsageError, async_search_tool, langchain, llamaindex, search_tool


def search(call):
    with Trawl.from_settings() as client:
        client.search("tidal power", call)


def search_by_tool(call):
    tool = search_tool(search=call)
    with tool.client:
        tool.call({"query": "tidal power"})


async def search_in_asyncio(call):
    async with AsyncTrawl.from_settings() as client:
        await client.search("tidal power", call)


async def search_by_tool_in_asyncio(call):
    tool = async_search_tool(search=call)
    async with tool.client:
        await tool.call({"query": "tidal power"})


def search_by_langchain(call):
    langchain.TrawlRetriever(search=call).invoke("tidal power")


async def search_by_llamaindex(call):
    await llamaindex.search_tool(search=call).acall(query="tidal power")


KINDS = {
    "sync": search,
    "asyncio": lambda call: asyncio.run(search_in_asyncio(call)),
    "tool": search_by_tool,
    "langchain": search_by_langchain,
    "llamaindex": lambda call: asyncio.run(search_by_llamaindex(call)),
    "asyncio-tool": lambda call: asyncio.run(search_by_tool_in_asyncio(call)),
}


def error_of(kind, place):
    os.chdir(place["directory"])
    os.environ.clear()
    os.environ.update(place["environment"])
    try:
        KINDS[kind](place.get("call"))
    except UsageError as error:
        return str(error)
    return None


with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
errors = {kind: [error_of(kind, place) for place in places] for kind, places in given.items()}
print(json.dumps(errors))
