import { openApiDocument } from '@trawl/contract';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Words of answers that stay as they are; every other list of words may grow. */
const CLOSED = new Set(['status', 'tier', 'content_format', 'cache_state', 'cost_kind']);
const REQUESTS = /Request$|Options$/;
/** What the client makes its own of, or does not show. */
const LEFT_OUT = new Set(['DetailError', 'ValidationError', 'TypedError']);

const HEADER =
  '// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.\n';

/** The client's types and its table of routes, as the contract's OpenAPI document has them. */
export function generated(): { readonly types: string; readonly routes: string } {
  const document = openApiDocument('0') as unknown as Document;
  const components = Object.entries(document.components.schemas)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, schema]) => component(name, schema));
  const queries = operationsOf(document).flatMap(({ operation }) => queryType(operation));
  const types = [
    HEADER,
    '/** A free-form object. */',
    'export type JsonObject = { readonly [key: string]: unknown };\n',
    '/** Any text: what stands beside it in a union is what is known today. */',
    'type Other = string & Record<never, never>;\n',
    ...components,
    ...queries,
  ];
  return { types: types.join('\n'), routes: routesText(document) };
}

function routesText(document: Document): string {
  const { tier, fields } = document.components.schemas.SearchOptions?.properties ?? {};
  const words = (schema: Schema | undefined) =>
    `[${(schema?.enum ?? []).map((word) => `'${word}'`).join(', ')}] as const`;
  return [
    HEADER,
    'export const ROUTES = {',
    ...operationsOf(document).map(
      ({ method, path, operation }) =>
        `  ${operation.operationId}: { method: '${method.toUpperCase()}', path: '${path}', needsKey: ${operation.security === undefined} },`,
    ),
    '} as const;\n',
    'export type RouteId = keyof typeof ROUTES;\n',
    `export const TIERS = ${words(withoutNull(tier))};\n`,
    `export const FIELDS = ${words(withoutNull(fields)?.items)};`,
    '',
  ].join('\n');
}

const withoutNull = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema;

const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );

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
  return [component(`${name}`, schema)];
}

function component(name: string, schema: Schema): string {
  const isRequest = REQUESTS.test(name) || name.endsWith('Query');
  return `${comment(schema)}export interface ${name} ${objectText(schema, isRequest)}\n`;
}

function objectText(schema: Schema, isRequest: boolean): string {
  const members = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const isRequired = schema.required?.includes(key) ?? false;
    const type = typeText(property, isRequest, key);
    const readonly = isRequest ? 'readonly ' : '';
    return `${comment(property)}${readonly}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'};`;
  });
  const isOpen = schema.additionalProperties && !isEmpty(schema);
  const open = isOpen ? ['readonly [key: string]: unknown;'] : [];
  return `{\n${[...members, ...open].join('\n')}\n}`;
}

const isEmpty = ({ properties }: Schema): boolean => Object.keys(properties ?? {}).length === 0;

function typeText(schema: Schema, isRequest: boolean, key: string): string {
  if (schema.$ref) return schema.$ref.replace(/.*\//, '');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) {
    const known = schema.enum.map(literal).join(' | ');
    return isRequest || CLOSED.has(key) ? known : `${known} | Other`;
  }
  const named = typeof schema.type === 'string' ? undefined : schema.type;
  if (named) return named.map((type) => typeText({ type }, isRequest, key)).join(' | ');
  if (schema.type === undefined && schema.anyOf) {
    const parts = schema.anyOf.map((part) => typeText(part, isRequest, key));
    return [...new Set(parts)].join(' | ');
  }
  return plainText(schema, isRequest, key);
}

function plainText(schema: Schema, isRequest: boolean, key: string): string {
  const { type, items = {}, additionalProperties } = schema;
  if (type === 'array')
    return `${isRequest ? 'readonly ' : ''}(${typeText(items, isRequest, key)})[]`;
  if (type === 'object') {
    if (!isEmpty(schema)) return objectText(schema, isRequest);
    const isMap = typeof additionalProperties === 'object';
    return isMap
      ? `{ readonly [name: string]: ${typeText(additionalProperties, isRequest, key)} }`
      : 'JsonObject';
  }
  if (type === 'integer' || type === 'number') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

const comment = ({ description }: Schema): string =>
  description ? `/** ${description.replaceAll('*/', '* /')} */\n` : '';
