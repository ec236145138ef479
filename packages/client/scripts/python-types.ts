import { componentsOf, DOCUMENT, type Document, operationsOf, type Schema } from './openapi.ts';

const MADE = 'Made from the contract by `npm run generate -w @trawl/client`; not to be edited.';
const LINE = 100;
/** Words that cannot be the name of a member of a class. */
const KEYWORDS = new Set(['from', 'import', 'class', 'in', 'is', 'not', 'or', 'and', 'global']);

/**
 * The types of the Python client and its table of routes, as the contract's OpenAPI document has
 * them.
 */
export function generatedPython(): { readonly types: string; readonly _routes: string } {
  const schemas = [...componentsOf(DOCUMENT), ...variants(DOCUMENT)];
  const isClass = ([, schema]: readonly [string, Schema]): boolean =>
    schema.properties !== undefined;
  const types = [
    `"""Requests and answers of the HTTP API. ${MADE}"""\n`,
    'from __future__ import annotations\n',
    'from typing import Any, Literal, Optional, TypedDict, Union\n',
    'JsonObject = dict[str, Any]\n\n',
    ...schemas.filter(isClass).map(([name, schema]) => classText(name, schema)),
    // an alias needs the classes that it names
    ...schemas
      .filter((each) => !isClass(each))
      .map(([name, schema]) => `${name} = ${typeText(schema)}\n${docText(schema, '')}`),
  ];
  return {
    types: types
      .join('\n')
      .replaceAll(/\n{4,}/g, '\n\n\n')
      .replace(/\n+$/, '\n'),
    _routes: routesText(DOCUMENT),
  };
}

/** Types that are narrower than those of the document: a search answers with search runs. */
function variants({ components: { schemas } }: Document): readonly (readonly [string, Schema])[] {
  const changed = (name: string, properties: Record<string, Schema>, description: string) => {
    const { [name]: schema = {} } = schemas;
    return { ...schema, description, properties: { ...schema.properties, ...properties } };
  };
  const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
  const run = (output: string, description: string): Schema =>
    changed(
      'PreprocessorRun',
      {
        output_payload: {
          description: 'null when the run failed.',
          oneOf: [ref(output), { type: 'null' }],
        },
      },
      description,
    );
  const answer = (of: string, description: string): Schema =>
    changed(
      'InteractionResponse',
      { preprocessor_runs: { type: 'array', items: ref(of), description: 'Its runs.' } },
      description,
    );
  const place = {
    provider: { type: 'string', description: 'Who found it.' },
    rank: { type: 'integer', description: 'Place in its run, from 1; set without the field too.' },
    query: { type: 'string', description: 'The query that it answers.' },
    batch_index: { type: 'integer', description: 'Which query of the batch, from 0.' },
    run_id: { type: 'string', description: 'The run that has it.' },
  };
  const { user_input: _, ...rest } = schemas.SearchRequest?.properties ?? {};
  const query = { type: 'string', description: 'What to search for.' };
  return [
    ['SearchRun', run('SearchOutput', 'The run of one query on one provider.')],
    ['FetchRun', run('FetchOutput', 'The run of a fetch.')],
    ['SearchAnswer', answer('SearchRun', 'The answer of a search. Providers may have failed.')],
    ['FetchAnswer', answer('FetchRun', 'The answer of a fetch: one run with all pages.')],
    [
      'FoundRow',
      {
        ...changed('ResultRow', place, 'A row with its provider, query and run.'),
        required: Object.keys(place),
      },
    ],
    [
      'PerCallOptions',
      changed(
        'SearchOptions',
        {
          auto_routing: {
            enum: ['accuracy', 'off'],
            description: '`off` overrides the settings of `Trawl.from_settings()`.',
          },
        },
        'The `search` block of one call.',
      ),
    ],
    [
      'QueryRequest',
      {
        description: 'A search with one query at the top instead of `user_input`.',
        properties: { query, ...rest },
        required: ['query'],
      },
    ],
  ];
}

function routesText(document: Document): string {
  const routes = operationsOf(document).map(({ method, path, operation }) => {
    const query = (operation.parameters ?? [])
      .filter((each) => each.in === 'query')
      .map(({ name }) => `"${name}", `)
      .join('');
    const needsKey = operation.security === undefined ? 'True' : 'False';
    const values = [`"${method.toUpperCase()}"`, `"${path}"`, needsKey, `(${query.trimEnd()})`];
    return `    "${snake(operation.operationId)}": Route(${values.join(', ')}),`;
  });
  return [
    `"""The routes of the HTTP API. ${MADE}"""\n`,
    'from typing import NamedTuple\n\n',
    'class Route(NamedTuple):',
    '    method: str',
    '    path: str',
    '    needs_key: bool',
    '    query: tuple[str, ...]',
    '    """Names of its parameters."""\n\n',
    'ROUTES: dict[str, Route] = {',
    ...routes,
    '}',
    '',
  ].join('\n');
}

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Members that may be missing need a class of their own: Python before 3.11 lacks `NotRequired`.
 */
function classText(name: string, schema: Schema): string {
  const members = Object.entries(schema.properties ?? {});
  const isRequired = ([key]: readonly [string, Schema]): boolean =>
    schema.required?.includes(key) ?? false;
  const required = members.filter(isRequired);
  const optional = members.filter((member) => !isRequired(member));
  const keyword = members.find(([key]) => KEYWORDS.has(key));
  if (keyword) {
    if (optional.length > 0) throw new Error(`${name}: ${keyword[0]} with optional members`);
    const fields = members.map(([key, each]) => `        "${key}": "${typeText(each)}",`);
    return `${name} = TypedDict(\n    "${name}",\n    {\n${fields.join('\n')}\n    },\n)\n${docText(schema, '')}\n`;
  }
  const doc = docText(schema, '    ');
  if (optional.length === 0) return `class ${name}(TypedDict):\n${doc}${membersText(required)}\n`;
  if (required.length === 0) {
    return `class ${name}(TypedDict, total=False):\n${doc}${membersText(optional)}\n`;
  }
  return [
    `class _${name}(TypedDict):\n${membersText(required)}\n`,
    `class ${name}(_${name}, total=False):\n${doc}${membersText(optional)}\n`,
  ].join('\n');
}

const membersText = (members: readonly (readonly [string, Schema])[]): string =>
  members
    .map(([key, schema]) => `    ${fieldText(key, typeText(schema))}\n${docText(schema, '    ')}`)
    .join('');

/** A long list of words has one word in a line. */
function fieldText(key: string, type: string): string {
  const line = `${key}: ${type}`;
  if (line.length + 4 <= LINE) return line;
  return line.replaceAll(/(?<=[[ ])("\w+")(,|(?=\]))/g, '\n        $1,').replaceAll(/ +$/gm, '');
}

function docText({ description }: Schema, indent: string): string {
  if (!description) return '';
  const text = description
    .replaceAll('\\', '\\\\')
    .replaceAll('"', "'")
    .split('\n')
    .map((line, index) => (index === 0 || line === '' ? line : `${indent}${line}`))
    .join('\n');
  return `${indent}"""${text}"""\n\n`;
}

function typeText(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace(/.*\//, '');
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return union([words(schema.enum), ...nullIn(schema.enum)]);
  const { 'x-extensible-enum': known, type, ...rest } = schema;
  if (known) return union([words(known), 'str', ...(Array.isArray(type) ? ['None'] : [])]);
  if (typeof type === 'object') {
    return union(type.map((each) => typeText({ ...rest, type: each })));
  }
  if (schema.oneOf) return union(schema.oneOf.map(typeText));
  return plainText(schema);
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function plainText({ type, items = {}, additionalProperties }: Schema): string {
  if (type === 'array') return `list[${typeText(items)}]`;
  if (type === 'object') {
    return typeof additionalProperties === 'object'
      ? `dict[str, ${typeText(additionalProperties)}]`
      : 'JsonObject';
  }
  return (typeof type === 'string' && PLAIN[type]) || 'Any';
}

function union(parts: readonly string[]): string {
  const kinds = [...new Set(parts)].filter((part) => part !== 'None');
  const [only = 'None'] = kinds;
  const all = kinds.length > 1 ? `Union[${kinds.join(', ')}]` : only;
  return parts.includes('None') && kinds.length > 0 ? `Optional[${all}]` : all;
}

const nullIn = (values: readonly unknown[]): readonly string[] =>
  values.includes(null) ? ['None'] : [];

const words = (values: readonly (string | null)[]): string =>
  `Literal[${values
    .filter((value) => value !== null)
    .map(literal)
    .join(', ')}]`;

const literal = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};
