import { type Check, integer, isoDate, listOf, members, text, textLike } from '../../check.ts';
import { isObject } from '../../json.ts';

const INT32_MAX = 2 ** 31 - 1;

/** Parameters: https://docs.seltz.ai/api-reference/search; `tier` by the README of the vendor's Python client. */
const PARAMETERS: Readonly<Record<string, Check>> = {
  query: textLike(/\S/, 'a non-empty string'),
  max_results: integer(0, INT32_MAX),
  include_domains: listOf(text(1)),
  exclude_domains: listOf(text(1)),
  from_date: isoDate,
  to_date: isoDate,
  scope: text(1),
  tier: textLike(/^(base|pro)$/i, 'base or pro'),
  api_key: text(),
};

const body = members(PARAMETERS, ['query']);

/** Why a body is refused; undefined when it is a valid search. */
export function refusalOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'The request body must be a JSON object.';
  const [problem] = body(value, []);
  return problem && `Invalid request: ${problem.message}.`;
}
