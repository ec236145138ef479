import type { JsonObject } from '@trawl/contract';
import type { HttpCall, OptionalPart } from '@trawl/providers';
import type { UpstreamFailure, UpstreamRequest, UpstreamTarget } from './types.ts';

/**
 * Which optional parts were refused, by provider, operation and key. Kept for the life of the
 * process.
 */
export interface RefusedParts {
  has(target: UpstreamTarget, part: OptionalPart): boolean;
  add(target: UpstreamTarget, part: OptionalPart): void;
}

export function createRefusedParts(): RefusedParts {
  const refused = new Set<string>();
  const nameOf = ({ slug, operation, credentials }: UpstreamTarget, { name }: OptionalPart) =>
    [slug, operation, credentials[0] ?? '', name].join('\n');
  return {
    has: (target, part) => refused.has(nameOf(target, part)),
    add: (target, part) => {
      refused.add(nameOf(target, part));
    },
  };
}

export function callWithout(call: HttpCall, { in: place, name, instead }: OptionalPart): HttpCall {
  if (place === 'credential' || place === 'prefix') return call;
  const parameters = Object.entries(call[place] ?? {}).filter(([key]) => key !== name);
  if (instead !== undefined) parameters.push([name, instead]);
  return { ...call, [place]: Object.fromEntries(parameters) };
}

function requestWithout<Value>(
  request: UpstreamRequest<Value>,
  part: OptionalPart,
): UpstreamRequest<Value> {
  const { target, call } = request;
  if (part.in === 'credential') return { ...request, target: { ...target, credentials: [] } };
  if (part.in !== 'prefix') return { ...request, call: callWithout(call, part) };
  const authentication = { ...target.authentication, prefix: part.instead };
  return { ...request, target: { ...target, authentication } as UpstreamTarget };
}

/** Whether a request has this part. */
export function carries({ target, call }: UpstreamRequest<unknown>, part: OptionalPart): boolean {
  if (part.in === 'credential') return target.credentials.length > 0;
  if (part.in === 'prefix') {
    const { authentication } = target;
    const prefix = 'prefix' in authentication ? authentication.prefix : undefined;
    return target.credentials.length > 0 && prefix !== part.instead;
  }
  const sent: JsonObject = call[part.in] ?? {};
  return part.instead === undefined
    ? Object.hasOwn(sent, part.name)
    : sent[part.name] !== part.instead;
}

interface PartsMemory {
  readonly refused: RefusedParts;
  readonly tally: { leftOut: readonly OptionalPart[] };
  readonly onRefused: (part: OptionalPart) => void;
}

/** The facts of one sending that matter here. */
type Sent =
  | { readonly status: 'succeeded' }
  | {
      readonly status: 'failed';
      readonly failure: UpstreamFailure;
      readonly refusedPart?: OptionalPart | undefined;
    };

/**
 * Sends a request without the parts that were refused before. One that refuses a part is sent once
 * more without it. Where that is a bad request again, the part was not the cause: it is neither
 * remembered nor reported as left out. It is remembered only where the call succeeds without it: a
 * rate limit, a timeout or a fault shows nothing about the part. Nor is it remembered where the
 * caller changed the call, since that may be the cause of the refusal, and others would lose the
 * part too.
 * @param tally gets the parts that the call was sent without
 * @param onRefused called once for each part that is remembered
 */
export async function sendWithoutRefused<Value, Result extends Sent>(
  request: UpstreamRequest<Value>,
  { refused, tally, onRefused }: PartsMemory,
  send: (request: UpstreamRequest<Value>) => Promise<Result>,
): Promise<Result> {
  const { target, overridden, optionalParts = [] } = request;
  const leftOut = optionalParts.filter(
    (part) => refused.has(target, part) && carries(request, part),
  );
  const reduced = leftOut.reduce(requestWithout<Value>, request);
  const first = await send(reduced);
  tally.leftOut = leftOut;
  const part = first.status === 'failed' ? first.refusedPart : undefined;
  if (part === undefined) return first;
  const second = await send(requestWithout(reduced, part));
  const isBadAnyway = second.status === 'failed' && second.failure.code === 'bad_request';
  if (isBadAnyway) return second;
  const isLasting = !part.isOfCall && !overridden;
  if (second.status === 'succeeded' && isLasting && !refused.has(target, part)) {
    refused.add(target, part);
    onRefused(part);
  }
  tally.leftOut = [...leftOut, part];
  return second;
}
