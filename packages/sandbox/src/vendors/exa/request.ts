import {
  anyObject,
  bool,
  type Check,
  integer,
  isoDate,
  listOf,
  members,
  objectOr,
  oneOf,
  text,
  textLike,
} from '../../check.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../json.ts';
import { contents } from './contents.ts';
import { outputSchema } from './output-schema.ts';

/** Why a body is refused: a tag of https://exa.ai/docs/reference/error-codes and a sentence. */
export interface Refusal {
  readonly tag: string;
  readonly message: string;
}

const DEEP_TYPES: readonly string[] = ['deep-lite', 'deep', 'deep-reasoning'];
const TYPES = ['auto', 'lite', 'fast', 'instant', ...DEEP_TYPES, 'neural', 'keyword', 'hybrid'];
const CATEGORIES = [
  'company',
  'publication',
  'research paper',
  'news',
  'pdf',
  'github',
  'personal site',
  'financial report',
  'people',
];

const fewWords = textLike(/^\s*\S+(\s+\S+){0,4}\s*$/, 'a string of up to 5 words');
const words = listOf(fewWords, 1);
const domains = listOf(text(1), 1_200);

/** Parameters: https://exa.ai/docs/reference/search */
const PARAMETERS: Readonly<Record<string, Check>> = {
  query: textLike(/\S/, 'a non-empty string'),
  numResults: integer(1, Number.MAX_SAFE_INTEGER),
  type: oneOf(...TYPES),
  category: oneOf(...CATEGORIES),
  includeDomains: domains,
  excludeDomains: domains,
  startPublishedDate: isoDate,
  endPublishedDate: isoDate,
  startCrawlDate: isoDate,
  endCrawlDate: isoDate,
  includeText: words,
  excludeText: words,
  userLocation: textLike(/^[A-Za-z]{2}$/, 'a two-letter country code'),
  moderation: bool,
  additionalQueries: listOf(text(1), 5),
  systemPrompt: text(),
  outputSchema,
  stream: bool,
  compliance: oneOf('hipaa'),
  contents,
  context: objectOr(bool, anyObject),
  useAutoprompt: bool,
  livecrawl: oneOf('never', 'fallback', 'always', 'auto', 'preferred'),
  flags: listOf(text(1)),
};

const LITE_PARAMETERS = new Set(
  [
    'query numResults type category includeDomains excludeDomains startPublishedDate endPublishedDate',
    'userLocation moderation contents contents.text contents.highlights',
  ].flatMap((names) => names.split(' ')),
);

/** Filters that company and people searches refuse. */
const ENTITY_REFUSED = [
  'excludeDomains',
  'startPublishedDate',
  'endPublishedDate',
  'includeText',
  'excludeText',
];

const body = members(PARAMETERS, ['query']);

/** Undefined when the body is a valid search. */
export function refusalOf(
  value: unknown,
  headers: Readonly<Record<string, string>>,
): Refusal | undefined {
  if (!isObject(value)) return invalid('the request body must be a JSON object');
  const [problem] = body(value, []);
  if (problem) {
    const tag = problem.path[0] === 'outputSchema' ? 'INVALID_JSON_SCHEMA' : undefined;
    return invalid(`Invalid request body: ${problem.message}`, tag);
  }
  return numResultsRefusal(value) ?? liteRefusal(value) ?? combinationRefusal(value, headers);
}

function invalid(message: string, tag = 'INVALID_REQUEST_BODY'): Refusal {
  return { tag, message };
}

function namesSet(value: JsonObject): readonly string[] {
  return Object.keys(value).filter((name) => isSet(value[name]));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isDeep(value: JsonObject): boolean {
  return DEEP_TYPES.includes(textAt(value, 'type') ?? '');
}

function numResultsRefusal(value: JsonObject): Refusal | undefined {
  const most = isDeep(value) ? 25 : 100;
  const asked = numberAt(value, 'numResults') ?? 0;
  return asked > most
    ? invalid(`numResults must be at most ${most} for this search`, 'NUM_RESULTS_EXCEEDED')
    : undefined;
}

function liteRefusal(value: JsonObject): Refusal | undefined {
  if (value.type !== 'lite') return undefined;
  const sent = [
    ...namesSet(value),
    ...namesSet(objectAt(value, 'contents') ?? {}).map((name) => `contents.${name}`),
  ];
  const refused = sent.find((name) => !LITE_PARAMETERS.has(name));
  return refused ? invalid(`${refused} is not supported with type 'lite'`) : undefined;
}

function combinationRefusal(
  value: JsonObject,
  headers: Readonly<Record<string, string>>,
): Refusal | undefined {
  const wrong = (message: string) => invalid(message, 'INVALID_REQUEST');
  if (value.category === 'company' || value.category === 'people') {
    const refused = ENTITY_REFUSED.find((name) => isSet(value[name]));
    if (refused) return wrong(`${refused} is not supported with category '${value.category}'`);
  }
  if (isSet(value.additionalQueries) && !isDeep(value)) {
    return wrong('additionalQueries is only supported with deep search types');
  }
  return optionsRefusal(objectAt(value, 'contents') ?? {}, headers);
}

/** Which content options do not go together, wherever they stand. */
export function optionsRefusal(
  options: JsonObject,
  headers: Readonly<Record<string, string>>,
): Refusal | undefined {
  const wrong = (message: string) => invalid(message, 'INVALID_REQUEST');
  const highlights = objectAt(options, 'highlights') ?? {};
  if (isSet(options.livecrawl) && isSet(options.maxAgeHours)) {
    return wrong('livecrawl and maxAgeHours cannot be combined');
  }
  if (highlights.dynamic !== true) return undefined;
  if (isSet(highlights.maxCharacters)) {
    return wrong('highlights.dynamic and highlights.maxCharacters cannot be combined');
  }
  return headers['exa-beta']?.includes('dynamic-highlights-')
    ? undefined
    : wrong('highlights.dynamic needs the Exa-Beta header');
}
