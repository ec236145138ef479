import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultPlan, MalformedFault } from '../faults/fault.ts';
import type { FaultBook } from '../faults/fault-book.ts';
import { type AcceptsKey, answerOf, credentialOf, type Vendor } from '../shell/vendor.ts';
import { flatHeaders, type Incoming, type Reply, sandboxError } from '../util/http.ts';
import { parseJson } from '../util/json.ts';
import { digest } from '../util/seed.ts';
import type { CallLog } from './call-log.ts';
import { CONTROL_PREFIX, control } from './control.ts';
import { deliver, waitUnlessClosed } from './deliver.ts';

/** The parts of a running sandbox. */
export interface Parts {
  readonly vendors: ReadonlyMap<string, Vendor>;
  readonly calls: CallLog;
  readonly faults: FaultBook;
  readonly acceptsKey: AcceptsKey | undefined;
  readonly log: (line: string) => void;
  readonly now: () => number;
}

interface Outcome {
  readonly reply: Reply;
  readonly plan: FaultPlan;
}

const NO_FAULT: FaultPlan = {};

/** Answers one HTTP request to a vendor or to the control API. Never rejects. */
export async function handle(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.sendDate = false; // the same request gives the same bytes
  const label = `${request.method} ${request.url?.split('?')[0]}`;
  try {
    const { reply, plan } = await outcomeOf(parts, request);
    if (plan.latencyMs !== undefined && !(await waitUnlessClosed(response, plan.latencyMs))) return;
    parts.log(`${label} ${plan.connection ?? reply.status}`);
    if (plan.connection === 'hang') return;
    if (plan.connection === 'reset') request.socket.resetAndDestroy();
    else await deliver(response, reply, plan);
  } catch (error) {
    parts.log(`${label} failed: ${error instanceof Error ? error.message : 'unknown'}`);
    if (response.headersSent || response.destroyed) response.destroy();
    else await deliver(response, sandboxError(500, 'the sandbox itself failed'), NO_FAULT);
  }
}

async function outcomeOf(parts: Parts, request: IncomingMessage): Promise<Outcome> {
  const [, prefix = '', path = '/', search = ''] =
    /^\/([^/?]*)(\/[^?]*)?(\?.*)?$/s.exec(request.url ?? '') ?? [];
  try {
    const body = await readBody(request);
    const asked = incoming(request, path, search, body);
    if (prefix === CONTROL_PREFIX) return { reply: control(parts, asked), plan: NO_FAULT };
    const vendor = parts.vendors.get(prefix);
    if (!vendor) {
      const known = [...parts.vendors.keys()].join(', ');
      const message = `no vendor "${prefix}"; the first path segment is one of ${known}`;
      return { reply: sandboxError(404, message), plan: NO_FAULT };
    }
    return answered(parts, vendor, asked);
  } catch (error) {
    const status =
      error instanceof MalformedFault ? 400 : error instanceof BodyTooLarge ? 413 : undefined;
    if (status === undefined || !(error instanceof Error)) throw error;
    return { reply: sandboxError(status, error.message), plan: NO_FAULT };
  }
}

function answered(parts: Parts, vendor: Vendor, asked: Incoming): Outcome {
  const { method, path, search, headers, body } = asked;
  const key = vendor.readKey(asked);
  parts.calls.add({
    vendor: vendor.slug,
    method,
    path,
    query: [...asked.query],
    headers,
    body,
    key,
    at: parts.now(),
  });
  const plan = parts.faults.next(vendor.slug, path, vendor.readText(asked));
  const reply = answerOf(vendor, {
    ...asked,
    vendor: vendor.slug,
    key,
    credential: credentialOf(vendor.slug, key, parts.acceptsKey),
    faults: plan,
    fingerprint: digest(vendor.slug, method, path, search, body),
  });
  return { reply, plan };
}

class BodyTooLarge extends Error {}

const BODY_BYTES_MAX = 4 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // The rest is read and discarded, so that the client receives the answer.
    if (bytes <= BODY_BYTES_MAX) chunks.push(part);
  }
  if (bytes > BODY_BYTES_MAX) throw new BodyTooLarge('the request body is over 4 MiB');
  return Buffer.concat(chunks).toString('utf8');
}

function incoming(request: IncomingMessage, path: string, search: string, body: string): Incoming {
  return {
    method: request.method ?? 'GET',
    path,
    search,
    query: new URLSearchParams(search),
    headers: flatHeaders(request.headers),
    body,
    json: () => (body === '' ? undefined : parseJson(body)),
  };
}
