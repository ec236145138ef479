import {
  componentsOf,
  DOCUMENT,
  type Document,
  type Operation,
  operationsOf,
  type Schema,
} from './openapi.ts';

const HEADER =
  '// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.\n';

/** The client's types and its table of routes, as the contract's OpenAPI document has them. */
export function generated(): { readonly types: string; readonly routes: string } {
  const requests = requestNames(DOCUMENT);
  const components = componentsOf(DOCUMENT).map(([name, schema]) =>
    component(name, schema, requests.has(name)),
  );
  const queries = operationsOf(DOCUMENT).flatMap(({ operation }) => queryType(operation));
  const types = [
    HEADER,
    '/** A free-form object. */',
    'export type JsonObject = { readonly [key: string]: unknown };\n',
    '/** Any other string: the literals next to it in a union are those known today. */',
    'type Other = string & Record<never, never>;\n',
    ...components,
    ...queries,
  ];
  return { types: types.join('\n'), routes: routesText(DOCUMENT) };
}

function routesText(document: Document): string {
  const { UserInput, SearchOptions } = document.components.schemas;
  const { tier, fields, num_results } = SearchOptions?.properties ?? {};
  const batch = UserInput?.oneOf?.find(({ type }) => type === 'array');
  const words = (schema: Schema | undefined) =>
    `[${(schema?.enum ?? []).flatMap((word) => (word === null ? [] : [`'${word}'`])).join(', ')}] as const`;
  return [
    HEADER,
    '/** The routes of the API: method and path, with `{name}` for a parameter. */',
    'export type Endpoint =',
    ...operationsOf(document).map(({ method, path }) => `  | '${method.toUpperCase()} ${path}'`),
    ';\n',
    `export const TIERS = ${words(tier)};\n`,
    `export const FIELDS = ${words(fields?.items)};\n`,
    '/** The most of each that one search may ask for. */',
    `export const LIMITS = { queries: ${batch?.maxItems}, results: ${num_results?.maximum} } as const;`,
    '',
  ].join('\n');
}

/** Names of all schemas that requests are made of. */
function requestNames(document: Document): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    const found = JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, name = ''] of found) {
      if (names.has(name)) continue;
      names.add(name);
      visit(document.components.schemas[name]);
    }
  };
  for (const { operation } of operationsOf(document)) visit(operation.requestBody);
  return names;
}

function queryType({ operationId, summary, parameters = [] }: Operation): string[] {
  const members = parameters.filter((each) => each.in === 'query' && each.name !== 'dry_run');
  if (members.length === 0) return [];
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  const schema: Schema = {
    description: `Parameters of: ${summary}`,
    type: 'object',
    properties: Object.fromEntries(members.map((each) => [each.name, each.schema])),
    required: members.filter(({ required }) => required).map((each) => each.name),
  };
  return [component(name, schema, true)];
}

function component(name: string, schema: Schema, isRequest: boolean): string {
  return schema.properties
    ? `${comment(schema)}export interface ${name} ${objectText(schema, isRequest)}\n`
    : `${comment(schema)}export type ${name} = ${typeText(schema, isRequest)};\n`;
}

function objectText(schema: Schema, isRequest: boolean): string {
  const members = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const isRequired = schema.required?.includes(key) ?? false;
    const type = typeText(property, isRequest);
    const readonly = isRequest ? 'readonly ' : '';
    return `${comment(property)}${readonly}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
  });
  const isOpen = schema.additionalProperties && !isEmpty(schema);
  const open = isOpen ? ['readonly [key: string]: unknown;'] : [];
  return `{\n${[...members, ...open].join('\n')}\n}`;
}

const isEmpty = ({ properties }: Schema): boolean => Object.keys(properties ?? {}).length === 0;

function typeText(schema: Schema, isRequest: boolean): string {
  if (schema.$ref) return schema.$ref.replace(/.*\//, '');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const { 'x-extensible-enum': words, type, ...rest } = schema;
  if (words) {
    const open = `${words.map(literal).join(' | ')} | Other`;
    return Array.isArray(type) ? `${open} | null` : open;
  }
  if (typeof type === 'object') {
    return type.map((each) => typeText({ ...rest, type: each }, isRequest)).join(' | ');
  }
  if (schema.oneOf) return schema.oneOf.map((part) => typeText(part, isRequest)).join(' | ');
  return plainText(schema, isRequest);
}

function plainText(schema: Schema, isRequest: boolean): string {
  const { type, items = {}, additionalProperties } = schema;
  if (type === 'array') return `${isRequest ? 'readonly ' : ''}(${typeText(items, isRequest)})[]`;
  if (type === 'object') {
    if (!isEmpty(schema)) return objectText(schema, isRequest);
    const isMap = typeof additionalProperties === 'object';
    return isMap
      ? `{ readonly [name: string]: ${typeText(additionalProperties, isRequest)} }`
      : 'JsonObject';
  }
  if (type === 'integer' || type === 'number') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

const comment = ({ description }: Schema): string =>
  description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
