import { defineVendor, type Failure, refuse } from '../../shell/declaration.ts';
import type { Vendor, VendorRequest } from '../../shell/vendor.ts';
import { bearerToken, jsonReply, type Reply, textReply } from '../../util/http.ts';
import { isObject } from '../../util/json.ts';
import { digest } from '../../util/seed.ts';
import { urlText } from '../../web/target-url.ts';
import api from './api.json' with { type: 'json' };
import { type Inputs, inputsOf, recordsOf } from './records.ts';

interface Snapshot {
  readonly inputs: Inputs;
  readonly records: readonly unknown[];
  readonly status: 'starting' | 'running' | 'ready' | 'failed';
}

/** The running collections. They advance with each request for their progress. */
interface Snapshots {
  add(request: VendorRequest, inputs: Inputs, records: readonly unknown[]): string;
  /** Counts a request for progress; the first ones are answered with "not yet". */
  poll(id: string): Snapshot | undefined;
  find(id: string): Snapshot | undefined;
}

const PENDING_DEFAULT = 2;
const SNAPSHOTS_MAX = 1_000;

interface Entry {
  readonly inputs: Inputs;
  readonly records: readonly unknown[];
  readonly pending: number;
  polls: number;
}

function createSnapshots(): Snapshots {
  const entries = new Map<string, Entry>();
  const find = (id: string): Snapshot | undefined => {
    const entry = entries.get(id);
    return entry && { inputs: entry.inputs, records: entry.records, status: statusOf(entry) };
  };
  return {
    add(request, inputs, records) {
      const id = `s_${digest('snapshot', request.fingerprint).slice(0, 20)}`;
      const pending = request.faults.pendingPolls ?? pendingIn(inputs) ?? PENDING_DEFAULT;
      entries.set(id, { inputs, records, pending, polls: 0 });
      const [oldest] = entries.keys();
      if (entries.size > SNAPSHOTS_MAX && oldest !== undefined) entries.delete(oldest);
      return id;
    },
    poll(id) {
      const snapshot = find(id);
      const entry = entries.get(id);
      if (entry) entry.polls += 1;
      return snapshot;
    },
    find,
  };
}

/** `slow-record-4` in a URL: four requests for progress before it is ready. */
function pendingIn({ urls }: Inputs): number | undefined {
  const found = urls.map((url) => /slow-record-(\d{1,2})(?!\d)/.exec(url)?.[1]).find(Boolean);
  return found === undefined ? undefined : Number(found);
}

function statusOf({ inputs, polls, pending }: Entry): Snapshot['status'] {
  if (polls < pending) return polls === 0 ? 'starting' : 'running';
  return inputs.urls.some((url) => url.includes('failing-snapshot')) ? 'failed' : 'ready';
}

const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/** Bright Data's scrapers for LinkedIn. They keep snapshots, so each sandbox has its own scrapers. */
export function createBrightdata(): Vendor {
  const snapshots = createSnapshots();
  const route = (
    method: string,
    path: string,
    reply: (request: VendorRequest, snapshots: Snapshots) => Reply,
  ) => ({
    method,
    path: `/datasets/v3/${path}`,
    reply: (request: VendorRequest) => {
      const { credential } = request;
      if (credential === 'missing') refuse({ status: 401, message: 'Credentials are missing' });
      return credential === 'refused' ? refuse({ status: 401 }) : reply(request, snapshots);
    },
  });
  return defineVendor({
    slug: 'brightdata',
    api,
    readKey: bearerToken,
    readText(request) {
      const body = request.json();
      return urlText(Array.isArray(body) ? { input: body } : body);
    },
    routes: [
      route('POST', 'scrape', scrape),
      route('POST', 'trigger', trigger),
      route('GET', 'progress/*', progress),
      route('GET', 'snapshot/*', download),
    ],
    write,
  });
}

/** The inputs of a collection that the vendor starts. */
function startedInputs(request: VendorRequest): Inputs {
  const inputs = inputsOf(request);
  if (request.credential === 'exhausted') refuse({ status: 402 });
  const asked = inputs.urls.map((url) => /answers-(\d{3})\b/.exec(url)?.[1]).find(Boolean);
  return asked === undefined ? inputs : refuse({ status: Number(asked) });
}

/** Returns the records, or after a minute the id of a snapshot; the sandbox does not wait for this minute. */
function scrape(request: VendorRequest, snapshots: Snapshots): Reply {
  const inputs = startedInputs(request);
  const isSlow = inputs.urls.some((url) => /slow-record|failing-snapshot/.test(url));
  if (!isSlow && request.faults.pendingPolls === undefined) {
    return records(recordsOf(request, inputs), inputs.format);
  }
  const message = 'The request takes longer than a minute. Fetch the snapshot with its id.';
  const snapshot_id = snapshots.add(request, inputs, recordsOf(request, inputs));
  return jsonReply(202, { snapshot_id, message });
}

function trigger(request: VendorRequest, snapshots: Snapshots): Reply {
  const inputs = startedInputs(request);
  return jsonReply(200, {
    snapshot_id: snapshots.add(request, inputs, recordsOf(request, inputs)),
  });
}

function progress(request: VendorRequest, snapshots: Snapshots): Reply {
  const id = lastSegment(request.path);
  const { inputs, status } = snapshots.poll(id) ?? missing();
  return jsonReply(200, {
    snapshot_id: id,
    dataset_id: api.datasets[inputs.kind],
    status,
    error_message: status === 'failed' ? 'The collection failed' : undefined,
  });
}

function download(request: VendorRequest, snapshots: Snapshots): Reply {
  const { status, records: rows } = snapshots.find(lastSegment(request.path)) ?? missing();
  if (status === 'failed') return missing();
  if (status !== 'ready') {
    const message = 'Snapshot is not ready yet, try again in 10s';
    return jsonReply(202, { status, message }, { 'retry-after': '10' });
  }
  return records(rows, request.query.get('format') === 'json' ? 'json' : 'ndjson');
}

function missing(): never {
  return refuse({ status: 404, message: 'Snapshot does not exist' });
}

function records(rows: readonly unknown[], format: Inputs['format']): Reply {
  if (format === 'json') return jsonReply(200, rows);
  const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return { status: 200, headers: { 'content-type': JSON_LINES }, body };
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** https://docs.brightdata.com/datasets/scraper-studio/error-codes; most messages are plain text. */
function write({ status, message, code, details }: Failure): Reply {
  if (code === 'input') return jsonReply(status, details);
  return isObject(details)
    ? jsonReply(status, { error: message, ...details })
    : textReply(status, message);
}
