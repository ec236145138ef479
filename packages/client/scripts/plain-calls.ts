import { ROUTES, type Route, type RouteId } from '@trawl/contract';
import { DOCUMENT, type Operation, type Schema } from './openapi.ts';
import { ADMIN_METHODS, METHODS } from './plain-methods.ts';

const HEADER =
  '// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.\n';
const WIDTH = 100;

/** The classes of the methods that send their arguments to a route and return what it answers. */
export const plainCalls = (): string =>
  [
    HEADER,
    `import type * as Types from '../contract/types.ts';
     import type { CallOptions, PaidCallOptions } from '../http/call.ts';
     import type { Connection } from '../values/options.ts';
     import { pay, read } from './send.ts';\n`,
    classText('PlainCalls', METHODS),
    classText('PlainAdminCalls', ADMIN_METHODS),
  ].join('\n');

const classText = (name: string, methods: Readonly<Record<string, string>>): string =>
  `/** Methods that send what they are given to a route, and return what it answers. */
  export class ${name} {
    readonly #connection: Connection;

    /** @internal */
    constructor(connection: Connection) {
      this.#connection = connection;
    }

    ${Object.entries(methods)
      .map(([method, about]) => `${comment(about)}${methodText(method)}`)
      .join('\n\n')}
  }\n`;

function methodText(name: string): string {
  const isDryRun = name.endsWith('DryRun');
  const id = name.replace(/DryRun$/, '') as RouteId;
  const route: Route = ROUTES[id];
  const operation = DOCUMENT.paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`the document lacks ${id}`);
  const params = Object.keys(route.params?.shape ?? {});
  const query = isDryRun ? undefined : queryOf(operation);
  const bodyType = nameOf(schemaOf(operation.requestBody));
  const body = bodyArgument(bodyType);
  const pays = route.isRepeatable === true && !isDryRun;
  const given = [
    ...params.map((param) => `${argumentOf(param)}: string`),
    ...(route.body ? [`${body}: Types.${bodyType}`] : []),
    ...(query ? [query] : []),
    `options?: ${pays ? 'Paid' : ''}CallOptions`,
  ];
  const { 503: unavailable } = operation.responses;
  const call = [
    `endpoint: '${route.method} ${route.path}'`,
    ...params.map((param) => `params: { ${param}: ${argumentOf(param)} }`),
    ...(route.body ? [`body: ${body}`] : []),
    ...(query ? ['query'] : []),
    ...(isDryRun ? ['query: { dry_run: true }'] : []),
    // sent again without an answer, it would make another one
    ...(/^(?:create|rotate)/.test(id) && !isDryRun ? ['buys: true'] : []),
    ...(route.permission === null ? [route.readsKey ? 'mayLackKey: true' : 'isOpen: true'] : []),
    ...(unavailable && !unavailable.$ref ? ['alsoAnswers: 503'] : []),
    ...(pays ? [] : ['options']),
  ].join(', ');
  const send = pays
    ? `pay(this.#connection, { ${call} }, options)`
    : `read(this.#connection, { ${call} })`;
  return `${name}(${given.join(', ')}): Promise<${answerOf(operation, isDryRun)}> {
    return ${send};
  }`;
}

/** The last word of a type, or what is new: of `NewWatch` it is `watch`. */
const bodyArgument = (type: string): string =>
  type === 'FeedbackRequest' ? 'feedback' : type.replace(/^(?:New|.*(?=[A-Z]))/, '').toLowerCase();

const argumentOf = (param: string): string =>
  param === 'name'
    ? 'provider'
    : param.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const schemaOf = (part: Operation['responses'][string] | undefined): Schema | undefined =>
  part?.content?.['application/json']?.schema;

const nameOf = (schema: Schema | undefined): string =>
  schema?.$ref?.replace(/.*\//, '') ?? 'JsonObject';

/** A method reads JSON, so it takes no `format`. */
function queryOf({ operationId, parameters = [] }: Operation): string | undefined {
  const members = parameters.filter((each) => each.in === 'query' && each.name !== 'dry_run');
  if (members.length === 0) return undefined;
  const type = `Types.${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
  const isRequired = members.some(({ required }) => required);
  const hasFormat = members.some(({ name }) => name === 'format');
  return `query${isRequired ? '' : '?'}: ${hasFormat ? `Omit<${type}, 'format'>` : type}`;
}

/** Of a route with a dry run the document names both of its answers. */
function answerOf({ responses }: Operation, isDryRun: boolean): string {
  const [[status, answer] = []] = Object.entries(responses);
  if (status === '204') return 'void';
  const schema = schemaOf(answer);
  const both = DOCUMENT.components.schemas[nameOf(schema)]?.oneOf;
  return `Types.${nameOf(both ? both[isDryRun ? 1 : 0] : schema)}`;
}

/** In lines that are no wider than code may be. */
function comment(text: string): string {
  if (text === '') return '';
  if (`  /** ${text} */`.length <= WIDTH) return `/** ${text} */\n`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (`   * ${line} ${word}`.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `/**\n${lines.map((line) => `   * ${line}\n`).join('')}   */\n`;
}
