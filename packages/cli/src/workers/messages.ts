import type { MetricsSnapshot } from '@trawl/telemetry';

/** What a worker process says to the primary. */
export type WorkerMessage =
  /** It is ready for connections. The primary answers with `listening` or `refused`. */
  | { readonly type: 'listen'; readonly host: string; readonly port: number }
  /** It has this connection now, or the client left on the way. */
  | { readonly type: 'taken'; readonly connection: number }
  /** One of its connections has ended. */
  | { readonly type: 'closed' }
  /** It wants no more connections, so that it can stop. The primary answers with `stop`. */
  | { readonly type: 'leave' }
  /** It stops, as it was asked to. */
  | { readonly type: 'stopping' }
  /** It wants the metrics of all workers. The primary answers with `metrics`. */
  | { readonly type: 'collect' }
  /** Its own metrics, after `measure`. */
  | { readonly type: 'measured'; readonly snapshot: MetricsSnapshot };

/** What the primary says to a worker process. */
export type PrimaryMessage =
  | { readonly type: 'listening'; readonly port: number }
  /** The address cannot be used; `code` is that of the system, such as EADDRINUSE. */
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  /** Comes with a socket. The worker answers with `taken` and this number. */
  | { readonly type: 'connection'; readonly connection: number }
  | { readonly type: 'measure' }
  /** null = a worker did not give its own in time. */
  | { readonly type: 'metrics'; readonly snapshots: readonly MetricsSnapshot[] | null }
  | { readonly type: 'stop' };
