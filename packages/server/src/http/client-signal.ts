import { createLightAbort } from '@trawl/base';
import type { HttpContext, RequestSource } from './exchange.ts';

/** Aborted when the client leaves before its answer was sent. */
export function clientSignal({ env, req }: HttpContext): AbortSignal {
  const { incoming, outgoing }: RequestSource = env ?? {};
  // a request from inside the process brings its own
  if (!incoming || !outgoing) return req.raw.signal;
  const { signal, abort } = createLightAbort();
  const onClose = () => {
    if (incoming.errored || !outgoing.writableFinished) abort();
  };
  if (outgoing.closed) onClose();
  else outgoing.once('close', onClose);
  return signal;
}
