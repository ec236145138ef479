import type { RouteId, RouteInput } from '@trawl/contract';
import type { ApiKey } from '@trawl/router';
import type { Logger } from 'pino';
import type { BodyStream } from './body-stream.ts';
import type { StaticFile } from './static-file.ts';

/** What a handler knows of the request beside its validated input. */
export interface RequestContext {
  readonly requestId: string;
  /** The verified key; null on routes that need none. */
  readonly caller: ApiKey | null;
  readonly log: Logger;
  /** Logs a failure of this request that its answer shows no more, as events do that have begun. */
  readonly reportFailure: (error: unknown) => void;
  /** Counts the request as in progress until this work is over, though its client may leave before. */
  readonly keepPlace: (work: Promise<unknown>) => void;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** When the request was accepted, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** The `Idempotency-Key` header; undefined = not sent. */
  readonly idempotencyKey: string | undefined;
  /** The caller would rather have the parts of the answer as they land. */
  readonly wantsEvents: boolean;
}

/** A handler's answer: an object to serialize, JSON text (whole or in parts), a file, or nothing (204). */
export type Reply =
  | { readonly json: object; readonly status?: number; readonly headers?: Record<string, string> }
  | { readonly text: string | readonly string[]; readonly headers?: Record<string, string> }
  | { readonly empty: true }
  /** What is the same for everybody, with an ETag. */
  | { readonly file: StaticFile }
  /** Server-sent events. */
  | { readonly events: BodyStream; readonly headers?: Record<string, string> };

export type Handler<K extends RouteId> = (
  input: RouteInput<K>,
  context: RequestContext,
) => Promise<Reply>;

/** One handler for each route: leaving one out does not compile. */
export type Handlers = { readonly [K in RouteId]: Handler<K> };
