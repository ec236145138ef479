import type { ValidationType } from '@trawl/contract';

/** A request that breaks one rule. `body` is sent unchanged. */
export interface ValidationExample {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** Shown in the docs instead of a body that is too long. */
  readonly shown?: string;
  /** The place of the mistake in the answer. */
  readonly loc: readonly (string | number)[];
}

const search = (body: string, ...loc: (string | number)[]): ValidationExample => ({
  method: 'POST',
  path: '/v1/search',
  body,
  loc: ['body', ...loc],
});

const interaction = (body: string, ...loc: (string | number)[]): ValidationExample => ({
  method: 'POST',
  path: '/v1/interactions',
  body,
  loc: ['body', ...loc],
});

const read = (path: string, ...loc: string[]): ValidationExample => ({ method: 'GET', path, loc });

const options = (text: string) => `{"user_input": {"query": "tides"}, "search": ${text}}`;

/** One example of each type. A test sends them, and the docs show them. */
export const VALIDATION_EXAMPLES: Readonly<Record<ValidationType, ValidationExample>> = {
  missing: search('{}', 'user_input'),
  string_type: search('{"user_input": {"query": 5}}', 'user_input', 'query'),
  int_type: search(options('{"num_results": "5"}'), 'search', 'num_results'),
  int_from_float: search(options('{"num_results": 2.5}'), 'search', 'num_results'),
  int_parsing: read('/v1/sessions?limit=many', 'query', 'limit'),
  bool_type: search(options('{"include_raw": "true"}'), 'search', 'include_raw'),
  bool_parsing: {
    method: 'POST',
    path: '/v1/search?dry_run=perhaps',
    body: '{"user_input": {"query": "tides"}}',
    shown: '`POST /v1/search?dry_run=perhaps`',
    loc: ['query', 'dry_run'],
  },
  list_type: search(options('{"fields": "url"}'), 'search', 'fields'),
  dict_type: search('{"user_input": "tides"}', 'user_input'),
  model_attributes_type: search(options('"max"'), 'search'),
  literal_error: search(options('{"tier": "huge"}'), 'search', 'tier'),
  extra_forbidden: search(options('{"limit": 3}'), 'search', 'limit'),
  greater_than_equal: search(options('{"num_results": 0}'), 'search', 'num_results'),
  less_than_equal: search(options('{"num_results": 21}'), 'search', 'num_results'),
  too_long: {
    ...search(
      `{"user_input": [${Array.from({ length: 33 }, () => '{"query": "tides"}').join(', ')}]}`,
      'user_input',
    ),
    shown: 'a batch of 33 queries',
  },
  too_short: search('{"user_input": []}', 'user_input'),
  string_too_short: search('{"user_input": {"query": " "}}', 'user_input', 'query'),
  string_too_long: {
    ...interaction(`{"user_id": "${'a'.repeat(257)}"}`, 'user_id'),
    shown: 'a `user_id` of 257 characters',
  },
  uuid_type: search('{"user_input": {"query": "tides"}, "session_id": 7}', 'session_id'),
  uuid_parsing: search('{"user_input": {"query": "tides"}, "session_id": "7"}', 'session_id'),
  datetime_from_date_parsing: read('/v1/sessions?before=yesterday', 'query', 'before'),
  json_invalid: search('{"user_input": ', 15),
  value_error: read('/v1/usage?group_by=month', 'query', 'group_by'),
};
