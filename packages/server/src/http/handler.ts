import type { RouteId, RouteInput } from '@trawl/contract';
import type { ApiKey, RequestObserver } from '@trawl/router';
import type { AuditEntry } from '@trawl/store';
import type { Logger } from 'pino';
import type { AuditEvent } from '../admin/audit-entry.ts';
import type { Reply } from './answer/reply.ts';
import type { TextType } from './answer/text-type.ts';

/** The facts of a request in addition to its validated input. */
export interface RequestContext {
  readonly requestId: string;
  /** The verified key; null on routes that need none. */
  readonly caller: ApiKey | null;
  /** Whether we named its providers, as for a client of a vendor, and not its caller. */
  readonly isOwnChoice: boolean;
  /** A run of a watch. */
  readonly isWatch: boolean;
  /** What was asked before is asked again. */
  readonly isReplay?: boolean;
  readonly log: () => Logger;
  /** Logs a failure that the status of the answer cannot show, as in events that have begun. */
  readonly reportFailure: (error: unknown) => void;
  /**
   * Counts the request as in progress until this work is over, even if its client leaves before.
   */
  readonly keepPlace: (work: Promise<unknown>) => void;
  /**
   * Called when the answer was sent or its client has left; immediately for a request from inside
   * the process.
   */
  readonly onSent: (listener: () => void) => void;
  /** Observes what the request asks providers for; undefined on other routes. */
  readonly observer: RequestObserver | undefined;
  /** Writes what the key did, or was refused, to the audit log. @throws RequestError 503 */
  readonly audit: (event: AuditEvent) => Promise<void>;
  /** The same as an entry, for the one who writes it in the transaction of a change. */
  readonly auditEntry: (event: AuditEvent) => AuditEntry;
  /** Aborted when the client leaves. */
  readonly signal: () => AbortSignal;
  /** When the request was accepted, in milliseconds since 1970. */
  readonly receivedAt: number;
  /** When its time is over, in milliseconds since 1970. */
  readonly deadlineAt: number;
  /** The `Idempotency-Key` header; undefined = not sent. */
  readonly idempotencyKey: string | undefined;
  /** Whether the caller wants the parts of the answer as they arrive. */
  readonly wantsEvents: boolean;
  /** The type of a text answer, if the caller wants one; undefined = JSON, or events. */
  readonly textType: TextType | undefined;
}

export type Handler<K extends RouteId> = (
  input: RouteInput<K>,
  context: RequestContext,
) => Promise<Reply<K>>;

/** One handler for each route: leaving one out does not compile. */
export type Handlers = { readonly [K in RouteId]: Handler<K> };
