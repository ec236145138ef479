import type { HttpContext, RequestSource } from './exchange.ts';

/** Aborted when the client leaves before its answer was sent. */
export function clientSignal({ env, req }: HttpContext): AbortSignal {
  const { incoming, outgoing }: RequestSource = env ?? {};
  // a request from inside the process brings its own
  if (!incoming || !outgoing) return req.raw.signal;
  const leaving = new AbortController();
  const onClose = () => {
    if (incoming.errored || !outgoing.writableFinished) leaving.abort();
  };
  if (outgoing.closed) onClose();
  else outgoing.once('close', onClose);
  return leaving.signal;
}
