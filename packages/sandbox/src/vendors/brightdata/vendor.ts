import {
  defineVendor,
  type OwnRoute,
  refuse,
  type VendorFailure,
} from '../../shell/declaration.ts';
import type { VendorRequest, VendorServer } from '../../shell/vendor.ts';
import { dropOldest } from '../../util/drop-oldest.ts';
import { jsonReply, textReply, type VendorReply } from '../../util/http.ts';
import { isObject, textAt } from '../../util/json.ts';
import { digest } from '../../util/seed.ts';
import { parsedUrl, urlText } from '../../web/target-url.ts';
import api from './api.json' with { type: 'json' };
import { inputsOf, recordsOf, type ScrapeInputs } from './records.ts';
import { searchRoute } from './search.ts';

/**
 * A collection. It advances with each request for its progress; the first `pending` are answered
 * with "not yet".
 */
interface Snapshot {
  readonly inputs: ScrapeInputs;
  readonly records: readonly unknown[];
  readonly pending: number;
  polls: number;
}

type Snapshots = Map<string, Snapshot>;

const SNAPSHOTS_MAX = 1_000;

/** Starts a collection and returns its id. */
function started(snapshots: Snapshots, request: VendorRequest, inputs: ScrapeInputs): string {
  const id = `s_${digest('snapshot', request.fingerprint).slice(0, 20)}`;
  const pending = request.faults.pendingPolls ?? pendingIn(inputs) ?? api.pendingDefault;
  snapshots.set(id, { inputs, records: recordsOf(request, inputs), pending, polls: 0 });
  dropOldest(snapshots, SNAPSHOTS_MAX);
  return id;
}

/** `slow-record-4` in a URL: four requests for progress before it is ready. */
function pendingIn({ urls }: ScrapeInputs): number | undefined {
  const found = urls.map((url) => /slow-record-(\d{1,2})(?!\d)/.exec(url)?.[1]).find(Boolean);
  return found === undefined ? undefined : Number(found);
}

function statusOf({ inputs, polls, pending }: Snapshot): string {
  if (polls < pending) return polls === 0 ? 'starting' : 'running';
  return inputs.urls.some((url) => url.includes('failing-snapshot')) ? 'failed' : 'ready';
}

const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/**
 * Bright Data's scrapers for LinkedIn, and its search of Google. Scrapers keep snapshots, so each
 * sandbox has its own.
 */
export function createBrightdata(): VendorServer {
  const snapshots: Snapshots = new Map();
  const route = (
    method: string,
    path: string,
    reply: (request: VendorRequest, snapshots: Snapshots) => VendorReply,
  ): OwnRoute => ({
    method,
    path: `/datasets/v3/${path}`,
    reply(request) {
      const { credential } = request;
      if (credential === 'missing') refuse({ status: 401, message: 'Credentials are missing' });
      return credential === 'refused' ? refuse({ status: 401 }) : reply(request, snapshots);
    },
  });
  return defineVendor({
    api,
    readText(request) {
      const body = request.json();
      const searched = queryIn(body);
      if (searched !== null) return searched;
      return urlText(Array.isArray(body) ? { input: body } : body);
    },
    routes: [
      searchRoute,
      route('POST', 'scrape', scrape),
      route('POST', 'trigger', trigger),
      route('GET', 'progress/*', progress),
      route('GET', 'snapshot/*', download),
    ],
    write,
  });
}

/** The query in the address that a search asks to read; null for other requests. */
function queryIn(body: unknown): string | null {
  const address = isObject(body) ? textAt(body, 'url') : undefined;
  return parsedUrl(address ?? '')?.searchParams.get('q') ?? null;
}

/** The inputs of a collection that the vendor starts. */
function startedInputs(request: VendorRequest): ScrapeInputs {
  const inputs = inputsOf(request);
  if (request.credential === 'exhausted') refuse({ status: 402 });
  const asked = inputs.urls.map((url) => /answers-(\d{3})\b/.exec(url)?.[1]).find(Boolean);
  return asked === undefined ? inputs : refuse({ status: Number(asked) });
}

/**
 * Returns the records, or after a minute the id of a snapshot; the sandbox does not wait for this
 * minute.
 */
function scrape(request: VendorRequest, snapshots: Snapshots): VendorReply {
  const inputs = startedInputs(request);
  const isSlow = inputs.urls.some((url) => /slow-record|failing-snapshot/.test(url));
  if (!isSlow && request.faults.pendingPolls === undefined) {
    return records(recordsOf(request, inputs), inputs.format);
  }
  const message = 'The request takes longer than a minute. Fetch the snapshot with its id.';
  return jsonReply(202, { snapshot_id: started(snapshots, request, inputs), message });
}

function trigger(request: VendorRequest, snapshots: Snapshots): VendorReply {
  return jsonReply(200, { snapshot_id: started(snapshots, request, startedInputs(request)) });
}

function progress(request: VendorRequest, snapshots: Snapshots): VendorReply {
  const snapshot_id = lastSegment(request.path);
  const snapshot = snapshots.get(snapshot_id) ?? missing();
  const status = statusOf(snapshot);
  const dataset_id = api.datasets[snapshot.inputs.kind];
  const error_message = status === 'failed' ? 'The collection failed' : undefined;
  snapshot.polls += 1;
  return jsonReply(200, { snapshot_id, dataset_id, status, error_message });
}

function download(request: VendorRequest, snapshots: Snapshots): VendorReply {
  const snapshot = snapshots.get(lastSegment(request.path)) ?? missing();
  const status = statusOf(snapshot);
  if (status === 'failed') return missing();
  if (status !== 'ready') {
    const message = 'Snapshot is not ready yet, try again in 10s';
    return jsonReply(202, { status, message }, { 'retry-after': '10' });
  }
  return records(snapshot.records, request.query.get('format') === 'json' ? 'json' : 'ndjson');
}

function missing(): never {
  return refuse({ status: 404, message: 'Snapshot does not exist' });
}

function records(rows: readonly unknown[], format: ScrapeInputs['format']): VendorReply {
  if (format === 'json') return jsonReply(200, rows);
  const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return { status: 200, headers: { 'content-type': JSON_LINES }, body };
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * https://docs.brightdata.com/datasets/scraper-studio/error-codes; most messages are plain text.
 */
function write({ status, message, code, details }: VendorFailure): VendorReply {
  if (code === 'input') return jsonReply(status, details);
  return isObject(details)
    ? jsonReply(status, { error: message, ...details })
    : textReply(status, message);
}
