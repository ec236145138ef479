import {
  bool,
  type Check,
  integer,
  isoDate,
  listOf,
  members,
  oneOf,
  type Problem,
  text,
  textLike,
} from '../../check.ts';
import { isObject, type JsonObject, parseJson, textAt } from '../../json.ts';

/** One entry of `error.details`. */
export interface Detail {
  readonly field: string;
  readonly message: string;
}

/** Parameters: https://docs.linkup.so/pages/documentation/endpoints/search */
const PARAMETERS: Readonly<Record<string, Check>> = {
  q: textLike(/\S/, 'a non-empty string'),
  depth: oneOf('flash', 'fast', 'standard', 'deep'),
  outputType: oneOf('searchResults', 'sourcedAnswer', 'structured'),
  maxResults: integer(1, Number.MAX_SAFE_INTEGER),
  includeImages: bool,
  includeDomains: listOf(text(1), 100),
  excludeDomains: listOf(text(1)),
  fromDate: isoDate,
  toDate: isoDate,
  includeInlineCitations: bool,
  includeSources: bool,
  structuredOutputSchema: text(1),
};

const body = members(PARAMETERS, ['q', 'depth', 'outputType']);

/** Everything that is wrong with a body; empty when it is a valid search. */
export function detailsOf(value: unknown): readonly Detail[] {
  if (!isObject(value)) return [{ field: '', message: 'the body must be a JSON object' }];
  const problems = body(value, []).map(({ path, message }: Problem) => ({
    field: path.join('.'),
    message,
  }));
  return problems.length > 0 ? problems : [...dateDetails(value), ...outputDetails(value)];
}

function dateDetails(value: JsonObject): readonly Detail[] {
  const from = textAt(value, 'fromDate')?.slice(0, 10);
  const to = textAt(value, 'toDate')?.slice(0, 10);
  const early = Object.entries({ fromDate: from, toDate: to }).flatMap(([field, day]) =>
    day !== undefined && day <= '1970-01-01'
      ? [{ field, message: `${field} must be after 1970-01-01` }]
      : [],
  );
  return from !== undefined && to !== undefined && from >= to
    ? [...early, { field: 'fromDate', message: 'fromDate must be before toDate' }]
    : early;
}

/** Which output a parameter belongs to. */
const ONLY_WITH: Readonly<Record<string, string>> = {
  includeInlineCitations: 'sourcedAnswer',
  includeSources: 'structured',
  structuredOutputSchema: 'structured',
};

function outputDetails(value: JsonObject): readonly Detail[] {
  const misplaced = Object.entries(ONLY_WITH).flatMap(([field, output]) =>
    isSent(value, field) && value.outputType !== output
      ? [{ field, message: `${field} is only allowed with outputType ${output}` }]
      : [],
  );
  if (value.outputType !== 'structured' || schemaOf(value)) return misplaced;
  const field = 'structuredOutputSchema';
  const message = `${field} must be a JSON schema of type object, as text`;
  return [...misplaced, { field, message }];
}

/** False is what these are without being sent, and null is the documented default of the schema. */
function isSent(value: JsonObject, field: string): boolean {
  const sent = value[field] ?? false;
  return sent !== false;
}

export function schemaOf(value: JsonObject): JsonObject | undefined {
  const schema = parseJson(textAt(value, 'structuredOutputSchema') ?? '');
  return isObject(schema) && schema.type === 'object' ? schema : undefined;
}
