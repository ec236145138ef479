import { refuse } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isJson } from '../../util/http.ts';
import { isObject, type JsonObject, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import { SANDBOX_NOW } from '../../web/pages.ts';
import { parsedUrl } from '../../web/target-url.ts';
import lists from '../../web/words.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };
import records from './records.json' with { type: 'json' };

type RecordKind = keyof typeof api.datasets;

/** What to collect. */
export interface ScrapeInputs {
  readonly kind: RecordKind;
  readonly urls: readonly string[];
  readonly format: 'json' | 'ndjson';
  readonly includesErrors: boolean;
  /** undefined = every field. */
  readonly fields?: readonly string[];
}

const KINDS: readonly RecordKind[] = ['company', 'job', 'post'];
/** The URL patterns that records are collected from. */
const PATHS: Readonly<Record<RecordKind, RegExp>> = {
  company: /^\/(?:company|showcase)\/([^/]+)\/?$/,
  job: /^\/jobs\/view\/([^/]*\d+)\/?$/,
  post: /^\/(?:posts\/([^/]+)|feed\/update\/urn:li:activity:(\d+))\/?$/,
};

/** The slug or id in the URL; undefined for a URL of another kind. */
function nameIn(kind: RecordKind, address: string): string | undefined {
  const url = parsedUrl(address);
  if (url === null) return undefined;
  const { protocol, hostname, pathname } = url;
  if (!/^https?:$/.test(protocol) || !/(^|\.)linkedin\.com$/.test(hostname)) return undefined;
  const found = PATHS[kind].exec(pathname);
  return found ? (found[1] ?? found[2]) : undefined;
}

/** The inputs of a request; ends the answer if the request does not name what to collect. */
export function inputsOf(request: VendorRequest): ScrapeInputs {
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
    return invalidInput(...wrong.map((url) => ['url', `"${url}" is not an address of a ${kind}`]));
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

/** A scrape accepts the wrapped list, a trigger also the plain one. */
function urlsIn({ path }: VendorRequest, body: unknown): readonly string[] {
  const bare = path.endsWith('/trigger') ? body : undefined;
  const input = isObject(body) ? body.input : bare;
  if (!Array.isArray(input)) return invalidInput(['input', 'must be a list of inputs']);
  if (input.length === 0) {
    return refuse({ status: 400, message: 'No data to trigger', details: null });
  }
  if (input.length > api.urlsMax)
    return invalidInput(['input', `at most ${api.urlsMax} inputs at a time`]);
  return input.map((entry: unknown) => textAt(entry, 'url') ?? '');
}

function checkParameters({ query, path }: VendorRequest): void {
  const { parameters, triggerParameters } = api;
  const known = path.endsWith('/trigger') ? [...parameters, ...triggerParameters] : parameters;
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) invalidInput([unknown, 'is not a known parameter']);
  if (!['json', 'ndjson', 'jsonl'].includes(query.get('format') ?? 'ndjson')) {
    invalidInput(['format', 'must be json, ndjson or jsonl; the sandbox does not support csv']);
  }
  if (!['true', 'false'].includes(query.get('include_errors') ?? 'false')) {
    invalidInput(['include_errors', 'must be true or false']);
  }
}

function invalidInput(...errors: readonly (readonly string[])[]): never {
  return invalid('validation_error', 'Invalid input provided', errors);
}

/** Problems of the input are reported as JSON and never repeat the key. */
function invalid(code: string, error: string, errors?: readonly unknown[]): never {
  return refuse({ status: 400, code: 'input', details: { error, code, errors } });
}

/** The records of all inputs. Failed ones are included only when errors were requested. */
export function recordsOf(request: VendorRequest, inputs: ScrapeInputs): readonly unknown[] {
  const urls = request.faults.rows === 'empty' ? [] : inputs.urls;
  const made = urls.flatMap((address) => {
    const scraped = { timestamp: `${SANDBOX_NOW}.000Z`, input: { url: address } };
    const failure = Object.entries(records.failures).find(([word]) => address.includes(word))?.[1];
    if (failure) return inputs.includesErrors ? [{ ...failure, ...scraped }] : [];
    return [selected({ ...recordOf(inputs.kind, address), ...scraped }, address, inputs.fields)];
  });
  return finishRows(request, made, records.rows[inputs.kind]);
}

/** The members of a record that depend on its URL; `records.json` has all members. */
const VALUES = { company: companyValues, job: jobValues, post: postValues };

function recordOf(kind: RecordKind, address: string): JsonObject {
  const values = VALUES[kind](nameIn(kind, address) ?? '');
  const url = address.replace(/[?#].*$/s, '');
  const record = filled(records[kind], { ...values, url });
  // for a page that is nearly empty
  if (address.includes('thin-record')) {
    return Object.fromEntries(records.thin[kind].map((field) => [field, record[field] ?? null]));
  }
  // delivered with a warning that the page seems to be gone
  return address.includes('warned-page')
    ? { ...record, warning: 'The page seems to be gone.', warning_code: 'dead_page' }
    : record;
}

/** Only the requested fields; some scrapers are known to send all of them anyway. */
function selected(
  record: JsonObject,
  address: string,
  fields: readonly string[] | undefined,
): JsonObject {
  if (fields === undefined || address.includes('leaky')) return record;
  const names = new Set(fields.map((field) => field.split('.')[0]));
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

/** Members of a company or a showcase page. Unknown values are left out. */
function companyValues(slug: string): JsonObject {
  const dice = diceFor('company', slug);
  const name = asName(slug);
  const place = dice.pick(lists.places);
  const followers = 400 + dice.below(90_000);
  const about = `${name} keeps records for small teams in ${place}. It was started by volunteers.`;
  const people = lists.people.map((person) => {
    const ownSlug = person.toLowerCase().replace(/[^a-z]+/g, '-');
    return filled(records.person, { name: person, company: name, slug: ownSlug });
  });
  return {
    slug,
    name,
    number: String(900_000 + dice.below(90_000)),
    place,
    followers,
    about,
    description: `${name} | ${followers} followers on LinkedIn. ${about.replace(/'/g, '&#39;')}`,
    slogan: dice.chance(0.5) ? 'Records that last' : undefined,
    industry: dice.pick(['Renewable Energy', 'Book Publishing', 'Software Development']),
    founded: dice.chance(0.7) ? 1990 + dice.below(30) : undefined,
    host: slug.replace(/[^a-z0-9-]/gi, '').toLowerCase() || 'company',
    employees: 20 + dice.below(180),
    media: `https://media.example.net/${encodeURIComponent(slug)}`,
    staff: people.slice(0, 4),
    alumni: people.slice(4, 6),
    alumniNames: lists.people.slice(4, 6),
    investor: lists.people[6],
    newcomer: lists.people[7],
  };
}

/** Objects whose members are all null mean that the value is unknown. */
function jobValues(name: string): JsonObject {
  const dice = diceFor('job', name);
  return {
    place: dice.pick(lists.places),
    number: /\d+$/.exec(name)?.[0] ?? name,
    title: dice.pick(['Archivist', 'Process Engineer', 'Field Researcher']),
    country: dice.chance(0.5) ? 'AT' : null,
    function: dice.chance(0.7) ? 'Research' : undefined,
    apply: dice.chance(0.5) ? 'https://jobs.example.com/apply/7' : null,
  };
}

/** Members of a post of a company, or of a person if the URL says so. */
function postValues(name: string): JsonObject {
  const dice = diceFor('post', name);
  const isPerson = name.includes('by-a-person');
  const slug = isPerson ? 'mara-lindqvist' : (/^([^_]+)_/.exec(name)?.[1] ?? 'example-archive');
  return {
    id: /activity[-:](\d+)/.exec(name)?.[1] ?? (/^\d+$/.test(name) ? name : '7000000000000000001'),
    slug,
    user: isPerson ? slug : null,
    folder: isPerson ? 'in' : 'company',
    author: isPerson ? lists.people[0] : asName(slug),
    start: records.post.post_text.slice(0, 30),
    hashtags: dice.chance(0.5) ? ['#archive'] : null,
    likes: dice.below(400),
    account: isPerson ? 'Person' : 'Organization',
  };
}

/** The name that a slug was made from. */
function asName(slug: string): string {
  const words = slug.split('-').filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
