import { refuse } from '../../shell/declaration.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isJson } from '../../util/http.ts';
import { isObject, textAt } from '../../util/json.ts';
import { parsedUrl } from '../../web/target-url.ts';
import api from './api.json' with { type: 'json' };

export type RecordKind = keyof typeof api.datasets;

/** What is to be collected. */
export interface Inputs {
  readonly kind: RecordKind;
  readonly urls: readonly string[];
  readonly format: 'json' | 'ndjson';
  readonly includesErrors: boolean;
  /** Absent: every field. */
  readonly fields?: readonly string[];
}

const URLS_MAX = 20;
const KINDS: readonly RecordKind[] = ['company', 'job', 'post'];
/** The forms of the addresses that records are collected from. */
const PATHS: Readonly<Record<RecordKind, RegExp>> = {
  company: /^\/(?:company|showcase)\/([^/]+)\/?$/,
  job: /^\/jobs\/view\/([^/]*\d+)\/?$/,
  post: /^\/(?:posts\/([^/]+)|feed\/update\/urn:li:activity:(\d+))\/?$/,
};

/** What the address names: a slug or an id. Undefined for an address of another kind. */
export function nameIn(kind: RecordKind, address: string): string | undefined {
  const url = parsedUrl(address);
  if (url === null) return undefined;
  const { protocol, hostname, pathname } = url;
  if (!/^https?:$/.test(protocol) || !/(^|\.)linkedin\.com$/.test(hostname)) return undefined;
  const found = PATHS[kind].exec(pathname);
  return found ? (found[1] ?? found[2]) : undefined;
}

/** Ends the answer for a request that does not name what to collect. */
export function inputsOf(request: VendorRequest): Inputs {
  const { query } = request;
  const dataset = query.get('dataset_id');
  if (dataset === api.peopleDataset) {
    return refuse({ status: 400, message: 'This dataset is not allowed for API', details: null });
  }
  const kind = KINDS.find((candidate) => api.datasets[candidate] === dataset);
  if (kind === undefined) return refuse({ status: 404 });
  const body = isJson(request) ? request.json() : undefined;
  if (body === undefined) return invalid('parse_error', 'The body could not be parsed');
  checkParameters(request);
  const urls = urlsIn(request, body);
  const wrong = urls.filter((url) => nameIn(kind, url) === undefined);
  if (wrong.length > 0) {
    return invalidInput(...wrong.map((url) => ['url', `"${url}" is no address of a ${kind}`]));
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
function urlsIn({ path }: VendorRequest, body: unknown): readonly string[] {
  const bare = path.endsWith('/trigger') ? body : undefined;
  const input = isObject(body) ? body.input : bare;
  if (!Array.isArray(input)) return invalidInput(['input', 'must be a list of inputs']);
  if (input.length === 0) {
    return refuse({ status: 400, message: 'No data to trigger', details: null });
  }
  if (input.length > URLS_MAX)
    return invalidInput(['input', `at most ${URLS_MAX} inputs at a time`]);
  return input.map((entry: unknown) => textAt(entry, 'url') ?? '');
}

function checkParameters({ query, path }: VendorRequest): void {
  const { parameters, triggerParameters } = api;
  const known = path.endsWith('/trigger') ? [...parameters, ...triggerParameters] : parameters;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) invalidInput([unknown, 'is not a known parameter']);
  if (!['json', 'ndjson', 'jsonl'].includes(query.get('format') ?? 'ndjson')) {
    invalidInput(['format', 'must be json, ndjson or jsonl; csv is not spoken here']);
  }
  if (!['true', 'false'].includes(query.get('include_errors') ?? 'false')) {
    invalidInput(['include_errors', 'must be true or false']);
  }
}

function invalidInput(...errors: readonly (readonly string[])[]): never {
  return invalid('validation_error', 'Invalid input provided', errors);
}

/** Problems of the input are JSON and never repeat the key. */
function invalid(code: string, error: string, errors?: readonly unknown[]): never {
  return refuse({ status: 400, code: 'input', details: { error, code, errors } });
}
