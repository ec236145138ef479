import type { Json } from '@trawl/base';
import type { Role } from '@trawl/contract';
import type {
  ConsoleAnswer,
  ConsoleInput,
  ConsoleRouteId,
  ConsoleRoutes,
} from '@trawl/contract/console';
import type { BranchRequest } from '@trawl/server';
import type { Person } from './person.ts';

/** Who asks, and the facts of the request. */
export interface ConsoleContext {
  readonly branch: BranchRequest;
  /** null only on routes that anyone may call. */
  readonly person: Person | null;
  /** The role in the project of the path; null on routes without a project. */
  readonly role: Role | null;
}

interface WithCookies {
  /** Whole `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

/** What a route may be answered with. The compiler checks it against the table's response. */
export type ConsoleReply<K extends ConsoleRouteId> = ConsoleRoutes[K] extends {
  answers: 'file' | 'redirect';
}
  ? { readonly response: Response }
  : ConsoleRoutes[K]['status'] extends 204
    ? WithCookies & { readonly empty: true }
    : WithCookies & { readonly text: Json<ConsoleAnswer<K>> };

export type ConsoleHandler<K extends ConsoleRouteId> = (
  input: ConsoleInput<K>,
  context: ConsoleContext,
) => Promise<ConsoleReply<K>>;

/** One handler for each route: leaving one out does not compile. */
export type ConsoleHandlers = { readonly [K in ConsoleRouteId]: ConsoleHandler<K> };

/** The person of a route that needs one. */
export function personOf({ person }: Pick<ConsoleContext, 'person'>): Person {
  if (person === null) throw new Error('a route that needs a person was bound without one');
  return person;
}
