import type { BodyStream, Json } from '@trawl/base';
import type { ExecutingRoute, RouteAnswer, RouteId, RouteInput, Routes } from '@trawl/contract';
import type { ApiKey, RequestObserver } from '@trawl/router';
import type { AuditEntry } from '@trawl/store';
import type { Logger } from 'pino';
import type { AuditEvent } from '../admin/audit-entry.ts';
import type { StaticFile } from './static-file.ts';
import type { TextType } from './text-type.ts';

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

interface WithHeaders {
  readonly headers?: Readonly<Record<string, string>>;
}

/** JSON of a type. */
export interface JsonReply<T> extends WithHeaders {
  readonly text: Json<T>;
  /** The size of the text, if it is known: to count it takes milliseconds for some megabytes. */
  readonly bytes?: number;
  /** 503 = the route's own answer, though it is not good news; the route's status when absent. */
  readonly status?: 503;
}

/** Server-sent events. */
export interface EventReply extends WithHeaders {
  readonly events: BodyStream;
  /** Resolves when the last event was made, and never rejects. Absent = it was made already. */
  readonly whole?: Promise<void>;
}

/** Text that is not JSON, such as CSV. */
export interface PlainReply {
  readonly plain: string;
  readonly headers: Readonly<Record<'content-type', string>> & Readonly<Record<string, string>>;
}

/** A file that is the same for all clients, with an ETag. */
export interface FileReply {
  readonly file: StaticFile;
}

export interface EmptyReply {
  readonly empty: true;
}

/** What a route may be answered with. The compiler checks it against the contract's response. */
export type Reply<K extends RouteId> = Routes[K]['status'] extends 204
  ? EmptyReply
  : K extends 'openapi'
    ? FileReply
    : K extends ExecutingRoute
      ? JsonReply<RouteAnswer<K>> | EventReply | PlainReply
      : K extends 'usage' | 'readInteraction'
        ? JsonReply<RouteAnswer<K>> | PlainReply
        : JsonReply<RouteAnswer<K>>;

export type AnyReply = JsonReply<unknown> | EventReply | PlainReply | FileReply | EmptyReply;

export type Handler<K extends RouteId> = (
  input: RouteInput<K>,
  context: RequestContext,
) => Promise<Reply<K>>;

/** One handler for each route: leaving one out does not compile. */
export type Handlers = { readonly [K in RouteId]: Handler<K> };
