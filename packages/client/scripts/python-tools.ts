import * as z from 'zod/v4';
import { fetchDescription, QUERY_OR_QUERIES, searchDescription } from '../src/text/descriptions.ts';
import { FetchToolInput, SearchToolInput } from '../src/tools/inputs.ts';

const MADE =
  'Made from those of the TypeScript client by `npm run generate -w @trawl/client`; not to be edited.';

/** Names, descriptions and arguments of the Python client's tools. */
export function pythonTools(): string {
  const tools = {
    web_search: {
      description: searchDescription('web_fetch'),
      parameters: parametersOf(SearchToolInput),
    },
    web_fetch: {
      description: fetchDescription('web_search'),
      parameters: parametersOf(FetchToolInput),
    },
  };
  return [
    `"""Tools for models. ${MADE}"""\n`,
    'from typing import Any\n',
    `QUERY_OR_QUERIES = ${literal(QUERY_OR_QUERIES)}\n`,
    `TOOLS: dict[str, dict[str, Any]] = ${literal(tools)}\n`,
  ].join('\n');
}

/**
 * Hosts refuse a whole session over a keyword that they do not know; the API checks what is left
 * out here.
 */
function parametersOf(input: z.ZodType): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.format;
      delete jsonSchema.pattern;
      // zod's bound of a safe integer is of no use to a model
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}

/** A value of JSON without null and booleans as Python writes it. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}    `;
  const lines = (items: readonly string[]): string =>
    items.map((item) => `${inner}${item},\n`).join('');
  if (Array.isArray(value))
    return `[\n${lines(value.map((item) => literal(item, inner)))}${indent}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${literal(each, inner)}`,
  );
  return `{\n${lines(members)}${indent}}`;
}
