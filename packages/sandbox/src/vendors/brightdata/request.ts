import { isObject, textAt } from '../../json.ts';
import type { VendorRequest } from '../../vendor.ts';
import { DATASETS, nameIn, PEOPLE_DATASET, RECORD_KINDS, type RecordKind } from './datasets.ts';

/** What is to be collected. */
export interface Inputs {
  readonly kind: RecordKind;
  readonly urls: readonly string[];
  readonly format: 'json' | 'ndjson';
  readonly includesErrors: boolean;
  /** Absent: every field. */
  readonly fields?: readonly string[];
}

/** Messages are plain text, problems of the input JSON. */
export type Refusal =
  | { readonly status: number; readonly message: string }
  | { readonly problem: unknown };

const URLS_MAX = 20;
const PARAMETERS = ['dataset_id', 'format', 'include_errors', 'custom_output_fields'];
const TRIGGER_PARAMETERS = [
  'type',
  'discover_by',
  'limit_per_input',
  'limit_multiple_results',
  'notify',
  'endpoint',
  'auth_header',
  'uncompressed_webhook',
];

const refused = (status: number, message: string): Refusal => ({ status, message });
const invalid = (...errors: readonly (readonly [field: string, why: string])[]): Refusal => ({
  problem: { error: 'Invalid input provided', code: 'validation_error', errors },
});

export function inputsOf(request: VendorRequest): Inputs | Refusal {
  const { query, headers } = request;
  const dataset = query.get('dataset_id');
  if (dataset === PEOPLE_DATASET) return refused(400, 'This dataset is not allowed for API');
  const kind = RECORD_KINDS.find((candidate) => DATASETS[candidate] === dataset);
  if (kind === undefined) return refused(404, 'Collector not found');
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  if (body === undefined) {
    return { problem: { error: 'The body could not be parsed', code: 'parse_error' } };
  }
  const problem = parameterProblem(request);
  if (problem) return problem;
  const input = inputIn(request, body);
  if (!Array.isArray(input)) return invalid(['input', 'must be a list of inputs']);
  if (input.length === 0) return refused(400, 'No data to trigger');
  if (input.length > URLS_MAX) return invalid(['input', `at most ${URLS_MAX} inputs at a time`]);
  const urls = input.map((entry: unknown) => textAt(entry, 'url') ?? '');
  const wrong = urls.filter((url) => nameIn(kind, url) === undefined);
  if (wrong.length > 0) {
    return invalid(...wrong.map((url) => ['url', `"${url}" is no address of a ${kind}`] as const));
  }
  const fields = query.get('custom_output_fields') ?? textAt(body, 'custom_output_fields');
  return {
    kind,
    urls,
    format: query.get('format') === 'json' ? 'json' : 'ndjson',
    includesErrors: query.get('include_errors') === 'true',
    ...(fields === undefined ? {} : { fields: fields.split('|') }),
  };
}

/** A scrape takes the wrapped list, a trigger also the bare one. */
function inputIn({ path }: VendorRequest, body: unknown): unknown {
  if (isObject(body)) return body.input;
  return path.endsWith('/trigger') ? body : undefined;
}

function parameterProblem({ query, path }: VendorRequest): Refusal | undefined {
  const known = path.endsWith('/trigger') ? [...PARAMETERS, ...TRIGGER_PARAMETERS] : PARAMETERS;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) return invalid([unknown, 'is not a known parameter']);
  const format = query.get('format') ?? 'ndjson';
  if (!['json', 'ndjson', 'jsonl'].includes(format)) {
    return invalid(['format', 'must be json, ndjson or jsonl; csv is not spoken here']);
  }
  const errors = query.get('include_errors') ?? 'false';
  return errors === 'true' || errors === 'false'
    ? undefined
    : invalid(['include_errors', 'must be true or false']);
}
