import { type Check, integer, listOf, members, oneOf, text, textLike } from '../../check.ts';
import { isObject, type JsonObject, objectAt, textAt } from '../../json.ts';

/** One entry of the `detail` list of a 422. */
export interface Issue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

const COUNTRIES =
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US';
const LANGUAGES =
  'AR EU BN BG CA ZH-HANS ZH-HANT HR CS DA NL EN EN-GB ET FI FR GL DE EL GU HE HI HU IS IT JP KN KO LV LT MS ML MR NB PL PT-BR PT-PT PA RO RU SR SK SL ES SV TA TE TH TR UK VI';
const DOMAINS_MAX = 500;

const domains = listOf(text(1), DOMAINS_MAX);
const formats = listOf(oneOf('markdown', 'html'));

const freshness: Check = textLike(
  /^(day|week|month|year|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d)$/,
  "'day', 'week', 'month', 'year' or a range of dates",
);

/** Parameters of the POST form: https://you.com/docs/guides/search/request-controls */
const body = members(
  {
    query: textLike(/\S/, 'a non-empty string'),
    count: integer(1, 100),
    offset: integer(0, 9),
    freshness,
    country: oneOf(...COUNTRIES.split(' ')),
    language: oneOf(...LANGUAGES.split(' ')),
    safesearch: oneOf('off', 'moderate', 'strict'),
    include_domains: domains,
    exclude_domains: domains,
    boost_domains: domains,
    extraction: members(
      {
        extraction_mode: oneOf('highlights', 'full_page'),
        extraction_source: oneOf('blend', 'cache', 'fetch'),
        full_page: members({ extraction_formats: formats }),
        highlights: members({ total_max_tokens: integer(1_024, 8_192) }),
      },
      ['extraction_mode'],
    ),
    crawl_timeout: integer(1, 60),
    knowledge: oneOf('core'),
    livecrawl: oneOf('web', 'news', 'all'),
    livecrawl_formats: formats,
  },
  ['query'],
);

/** Everything that is wrong with the members of a body. */
export function issuesOf(value: unknown): readonly Issue[] {
  return issuesWith(body, value);
}

/** The problems a check finds, as this vendor lists them. */
export function issuesWith(check: Check, value: unknown): readonly Issue[] {
  if (!isObject(value)) {
    return [{ type: 'json_invalid', loc: ['body'], msg: 'The body must be a JSON object' }];
  }
  return check(value, []).map(({ path, message }) => ({
    type: 'value_error',
    loc: ['body', ...path],
    msg: message,
  }));
}

/** Why members that are right by themselves do not go together; undefined when they do. */
export function combinationRefusal(value: JsonObject): string | undefined {
  const isSet = (name: string) => (value[name] ?? null) !== null;
  if (isSet('include_domains') && (isSet('exclude_domains') || isSet('boost_domains'))) {
    return 'include_domains cannot be combined with exclude_domains or boost_domains';
  }
  if (isSet('livecrawl') && isSet('extraction')) {
    return 'livecrawl cannot be combined with extraction';
  }
  const extraction = objectAt(value, 'extraction');
  const mode = textAt(extraction, 'extraction_mode');
  if (isSet('crawl_timeout') && mode !== 'full_page' && !isSet('livecrawl')) {
    return 'crawl_timeout is only for page text';
  }
  const foreign = mode === 'highlights' ? ['full_page', 'extraction_source'] : ['highlights'];
  const wrong = foreign.find((name) => (extraction?.[name] ?? null) !== null);
  return wrong === undefined ? undefined : `extraction.${wrong} is not for mode ${mode}`;
}
