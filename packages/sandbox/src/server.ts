import type { IncomingMessage, ServerResponse } from 'node:http';
import { CONTROL_PREFIX, control } from './control.ts';
import { deliver, waitUnlessClosed } from './deliver.ts';
import { type FaultPlan, MalformedFault } from './faults.ts';
import {
  BodyTooLarge,
  type Incoming,
  incoming,
  type Reply,
  readBody,
  sandboxError,
} from './http.ts';
import type { Parts } from './parts.ts';
import { digest } from './seed.ts';
import { answerOf, credentialOf, type Vendor } from './vendor.ts';

interface Outcome {
  readonly reply: Reply;
  readonly plan: FaultPlan;
}

const NO_FAULT: FaultPlan = {};

/** Answers one HTTP request, whoever it is for. Never rejects. */
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
    if (prefix === CONTROL_PREFIX) {
      const asked = incoming(request, path, search, body);
      return { reply: control(parts, asked), plan: NO_FAULT };
    }
    const vendor = parts.vendors.get(prefix);
    if (!vendor) {
      const known = [...parts.vendors.keys()].join(', ');
      const message = `no vendor "${prefix}"; the first path segment is one of ${known}`;
      return { reply: sandboxError(404, message), plan: NO_FAULT };
    }
    return answered(parts, vendor, incoming(request, path, search, body));
  } catch (error) {
    if (error instanceof MalformedFault) {
      return { reply: sandboxError(400, error.message), plan: NO_FAULT };
    }
    if (error instanceof BodyTooLarge) {
      return { reply: sandboxError(413, error.message), plan: NO_FAULT };
    }
    throw error;
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
    key,
    credential: credentialOf(vendor.slug, key, parts.acceptsKey),
    faults: plan,
    fingerprint: digest(vendor.slug, method, path, search, body),
  });
  return { reply, plan };
}
