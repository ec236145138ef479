import { bearerToken, gatewayPage, jsonReply, type Reply } from '../http.ts';
import type { Vendor, VendorRequest } from '../vendor.ts';
import { withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { DATASETS } from './brightdata/datasets.ts';
import { recordsOf } from './brightdata/records.ts';
import { type Inputs, inputsOf, type Refusal } from './brightdata/request.ts';
import { createSnapshots, type Snapshots } from './brightdata/snapshots.ts';

const JSON_LINES = 'application/x-ndjson; charset=utf-8';

/**
 * Bright Data's scrapers for LinkedIn, https://docs.brightdata.com/api-reference/web-scraper-api. It keeps snapshots,
 * so each sandbox has one of its own.
 */
export function createBrightdata(): Vendor {
  const snapshots = createSnapshots();
  return {
    slug: 'brightdata',
    docsUrl: 'https://docs.brightdata.com/api-reference/web-scraper-api',
    readKey: ({ headers }) => bearerToken(headers),
    readText: (request) => {
      const body = request.json();
      return urlText(Array.isArray(body) ? { input: body } : body);
    },
    routes: [
      {
        method: 'POST',
        path: '/datasets/v3/scrape',
        answer: (request) => collected(request, (inputs) => scraped(request, inputs, snapshots)),
      },
      {
        method: 'POST',
        path: '/datasets/v3/trigger',
        answer: (request) =>
          collected(request, (inputs) =>
            jsonReply(200, { snapshot_id: snapshots.add(request, inputs) }),
          ),
      },
      {
        method: 'GET',
        path: '/datasets/v3/progress/*',
        answer: (request) => known(request, () => progress(request, snapshots)),
      },
      {
        method: 'GET',
        path: '/datasets/v3/snapshot/*',
        answer: (request) => known(request, () => download(request, snapshots)),
      },
    ],
    fail,
  };
}

function known(request: VendorRequest, answer: () => Reply): Reply {
  const { credential } = request;
  if (credential === 'missing') return text(request, 401, 'Credentials are missing');
  return credential === 'refused' ? fail(request, 401) : answer();
}

function collected(request: VendorRequest, answer: (inputs: Inputs) => Reply): Reply {
  return known(request, () => {
    const inputs: Inputs | Refusal = inputsOf(request);
    if ('message' in inputs) return text(request, inputs.status, inputs.message);
    if ('problem' in inputs) return jsonReply(400, inputs.problem);
    if (request.credential === 'exhausted') return fail(request, 402);
    const asked = inputs.urls.map((url) => /answers-(\d{3})\b/.exec(url)?.[1]).find(Boolean);
    return asked === undefined ? answer(inputs) : fail(request, Number(asked));
  });
}

/** The records at once, or after a minute the id of a snapshot; here the minute is over at once. */
function scraped(request: VendorRequest, inputs: Inputs, snapshots: Snapshots): Reply {
  const isSlow = inputs.urls.some((url) => /slow-record|failing-snapshot/.test(url));
  if (!isSlow && request.faults.pendingPolls === undefined) {
    return records(recordsOf(request, inputs), inputs.format);
  }
  const message = 'The request takes longer than a minute. Fetch the snapshot with its id.';
  return jsonReply(202, { snapshot_id: snapshots.add(request, inputs), message });
}

function progress(request: VendorRequest, snapshots: Snapshots): Reply {
  const id = lastSegment(request.path);
  const snapshot = snapshots.poll(id);
  if (!snapshot) return text(request, 404, 'Snapshot does not exist');
  const { inputs, status } = snapshot;
  return jsonReply(200, {
    snapshot_id: id,
    dataset_id: DATASETS[inputs.kind],
    status,
    ...(status === 'failed' ? { error_message: 'The collection failed' } : {}),
  });
}

function download(request: VendorRequest, snapshots: Snapshots): Reply {
  const snapshot = snapshots.find(lastSegment(request.path));
  if (!snapshot || snapshot.status === 'failed') {
    return text(request, 404, 'Snapshot does not exist');
  }
  if (snapshot.status !== 'ready') {
    const message = 'Snapshot is not ready yet, try again in 10s';
    return jsonReply(202, { status: snapshot.status, message }, { 'retry-after': '10' });
  }
  const format = request.query.get('format') === 'json' ? 'json' : 'ndjson';
  return records(snapshot.records, format);
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
const FAILURES: Readonly<Record<number, string>> = {
  401: 'Invalid credentials',
  403: 'Access denied.',
  404: 'Collector not found',
  405: 'Cannot use this method here',
  409: 'Snapshot is not ready',
  429: 'too many running jobs for this dataset. Running jobs: 100>=100',
  500: 'Internal server error',
};

function fail(request: VendorRequest, status: number): Reply {
  if (status >= 502 && status <= 504) return gatewayPage(status);
  if (status === 402) {
    const error = withEchoedKey(request, 'Your current balance is insufficient for this request');
    return jsonReply(402, { error });
  }
  if (status === 400) {
    const error = withEchoedKey(request, 'Invalid input provided');
    return jsonReply(400, { error, code: 'validation_error', errors: [] });
  }
  return text(request, status, FAILURES[status] ?? 'The request could not be served');
}

function text(request: VendorRequest, status: number, message: string): Reply {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: withEchoedKey(request, message) };
}
