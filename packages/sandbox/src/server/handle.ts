import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultPlan, MalformedFault } from '../faults/fault.ts';
import type { FaultBook } from '../faults/fault-book.ts';
import { type AcceptsKey, answerOf, credentialOf, type VendorServer } from '../shell/vendor.ts';
import { flatHeaders, type Incoming, sandboxError, type VendorReply } from '../util/http.ts';
import { parseJson } from '../util/json.ts';
import { digest } from '../util/seed.ts';
import type { CallLog } from './call-log.ts';
import { CONTROL_PREFIX, control } from './control.ts';
import { deliver, waitUnlessClosed } from './deliver.ts';

/** The parts of a running sandbox. */
export interface SandboxParts {
  readonly vendors: ReadonlyMap<string, VendorServer>;
  readonly calls: CallLog;
  readonly faults: FaultBook;
  readonly acceptsKey: AcceptsKey | undefined;
  readonly log: (line: string) => void;
  readonly now: () => number;
}

interface Outcome {
  readonly reply: VendorReply;
  readonly plan?: FaultPlan;
}

/** Answers one HTTP request to a vendor or to the control API. Never rejects. */
export async function handle(
  parts: SandboxParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.sendDate = false; // the same request gives the same bytes
  const label = `${request.method} ${request.url?.split('?')[0]}`;
  try {
    const { reply, plan = {} } = await outcomeOf(parts, request);
    if (plan.latencyMs !== undefined && !(await waitUnlessClosed(response, plan.latencyMs))) return;
    parts.log(`${label} ${plan.connection ?? reply.status}`);
    if (plan.connection === 'hang') return;
    if (plan.connection === 'reset') request.socket.resetAndDestroy();
    else await deliver(response, reply, plan);
  } catch (error) {
    parts.log(`${label} failed: ${error instanceof Error ? error.message : 'unknown'}`);
    if (response.headersSent || response.destroyed) response.destroy();
    else await deliver(response, sandboxError(500, 'the sandbox itself failed'), {});
  }
}

async function outcomeOf(parts: SandboxParts, request: IncomingMessage): Promise<Outcome> {
  const [, prefix = '', path = '/', search = ''] =
    /^\/([^/?]*)(\/[^?]*)?(\?.*)?$/s.exec(request.url ?? '') ?? [];
  const ownError = (status: number, message: string) => ({ reply: sandboxError(status, message) });
  const body = await readBody(request);
  if (body === undefined) return ownError(413, 'the request body is over 4 MiB');
  const asked: Incoming = {
    method: request.method ?? 'GET',
    path,
    search,
    query: new URLSearchParams(search),
    headers: flatHeaders(request.headers),
    body,
    json: () => (body === '' ? undefined : parseJson(body)),
  };
  const vendor = parts.vendors.get(prefix);
  try {
    if (prefix === CONTROL_PREFIX) return { reply: control(parts, asked) };
    if (vendor) return answered(parts, vendor, asked);
  } catch (error) {
    if (error instanceof MalformedFault) return ownError(400, error.message);
    throw error;
  }
  const known = [...parts.vendors.keys()].join(', ');
  return ownError(404, `no vendor "${prefix}"; the first path segment is one of ${known}`);
}

const LIMITED: FaultPlan = { status: 429, retryAfterSeconds: 60 };

function answered(parts: SandboxParts, vendor: VendorServer, asked: Incoming): Outcome {
  const { method, path, search, headers, body } = asked;
  const { slug } = vendor;
  const key = vendor.readKey(asked);
  const at = parts.now();
  parts.calls.add({ vendor: slug, method, path, query: [...asked.query], headers, body, key, at });
  const isLimited = key?.startsWith('limited-') === true;
  const plan = {
    ...(isLimited ? LIMITED : {}),
    ...parts.faults.next(slug, path, vendor.readText(asked)),
  };
  const credential = credentialOf(slug, key, parts.acceptsKey);
  const fingerprint = digest(slug, method, path, search, body);
  const request = { ...asked, vendor: slug, key, credential, faults: plan, fingerprint };
  return { reply: answerOf(vendor, request), plan };
}

const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** The body, or undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // The rest is read and discarded, so that the client receives the answer.
    if (bytes <= BODY_BYTES_MAX) chunks.push(part);
  }
  return bytes > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString('utf8');
}
