import type { BodyStream, Json } from '@trawl/base';
import type { ExecutingRoute, RouteAnswer, RouteId, Routes } from '@trawl/contract';
import type { StaticFile } from './static-file.ts';

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
