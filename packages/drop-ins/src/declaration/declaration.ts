import type {
  FetchRow,
  JsonObject,
  Permission,
  ResultField,
  SearchFilters,
  Tier,
} from '@trawl/contract';
import { z } from 'zod';
import { describeUses, type ParameterUse, readParameters, type Uses } from './parameters.ts';

/** A search as a client of the vendor asks for it, in our words. */
export interface SearchAsk {
  readonly query: string;
  readonly numResults: number;
  /** What its rows need. `url`, `title` and `summary` are always there. */
  readonly fields: readonly ResultField[];
  readonly filters: Partial<SearchFilters>;
  /** Parameters that only the vendor itself has: sent where it runs, without effect elsewhere. */
  readonly own: JsonObject;
  /** Fields that are needed only where the vendor itself runs. */
  readonly ownFields?: readonly ResultField[];
  /** Rows that only the vendor itself has, as of a later page; elsewhere there are none. */
  readonly isLaterPage?: boolean;
  /** The only search provider to ask, by its slug; absent = those of the deployment. */
  readonly provider?: string | undefined;
}

/** A fetch as a client of the vendor asks for it, in our words. */
export interface FetchAsk {
  readonly urls: readonly string[];
  readonly tier: Tier;
  readonly contentFormat: 'markdown' | 'text';
  /** 0: neither our cache nor that of a provider. Absent: any age. */
  readonly maxAgeSeconds?: number | undefined;
  /** How long the client waits; absent = as long as the server does. */
  readonly timeLimitMs?: number | undefined;
}

/** One page of the merged list of all providers that ran. A text that none has is null. */
export interface FoundPage {
  readonly url: string;
  readonly title: string | null;
  readonly summary: string | null;
  readonly excerpt: string | null;
  readonly full_content: string | null;
  readonly publish_date: string | null;
  readonly thumbnail: string | null;
  readonly favicon: string | null;
  readonly author: string | null;
  /** What else the best row has, by its provider's names. */
  readonly enrichments: JsonObject;
  /** Reciprocal rank fusion: higher is better. */
  readonly score: number;
  readonly finds: readonly { readonly provider: string; readonly rank: number }[];
}

/** What every answer needs to know of its interaction. */
interface Recorded {
  /** Id of the interaction. */
  readonly id: string;
  /** From the request to its last run. */
  readonly seconds: number;
  /** When that was, as an ISO time. */
  readonly completedAt: string;
  /** What it cost; null when not known, or when the fields leave it out. */
  readonly costUsd: number | null;
}

export interface FoundRows extends Recorded {
  readonly query: string;
  readonly pages: readonly FoundPage[];
  /** Pages of the merged list before it was cut to what was asked for. */
  readonly held: number;
  readonly answer: string | null;
  readonly related: readonly string[];
  /** Pictures of the whole answer, in the provider's shape. */
  readonly images: readonly unknown[];
  /** Units that the vendor itself reports; empty where it did not run. */
  readonly ownUnits: JsonObject;
  /** Providers that failed, and why. */
  readonly failed: readonly { readonly provider: string; readonly code: string }[];
}

export interface Fetched extends Recorded {
  readonly rows: readonly FetchRow[];
}

/** A request that is not served. */
export interface DropInFault {
  readonly status: number;
  /** For a person to read; names the parameter. */
  readonly message: string;
  /** The faulty parameter, where it is known. */
  readonly parameter?: string | undefined;
  /** What is faulty is not there: that parameter, or the key of a 401. */
  readonly isMissing?: boolean | undefined;
  /** Providers were asked, so a client that repeats the request may pay for it again. */
  readonly mayBePaid?: boolean | undefined;
  /** Id of the request, to find it in the log. */
  readonly requestId: string;
}

/** An answer in the vendor's shape. A text is sent as it is, with its type. */
export interface DropInAnswer {
  readonly status?: number;
  readonly body: JsonObject | readonly JsonObject[] | string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that was understood: what to ask, and how to answer. */
export type Prepared =
  | {
      readonly kind: 'search';
      readonly unknown: readonly string[];
      readonly ask: SearchAsk;
      /** @param server the address of this server, as its client writes it */
      readonly answer: (found: FoundRows, server: string) => DropInAnswer;
    }
  | {
      readonly kind: 'fetch';
      readonly unknown: readonly string[];
      readonly ask: FetchAsk;
      readonly answer: (fetched: Fetched) => DropInAnswer;
    }
  | {
      readonly kind: 'list';
      readonly unknown: readonly string[];
      /** @param providers the search providers that the key may use, by slug */
      readonly answer: (providers: readonly string[]) => DropInAnswer;
    }
  | ({ readonly kind: 'refused' } & Pick<DropInFault, 'message' | 'parameter' | 'isMissing'>);

/** Parameters by name, from a JSON body, or as texts from a query string or form. */
export type Sent = Readonly<Record<string, unknown>>;

export interface DropInRoute {
  readonly method: 'GET' | 'POST';
  /**
   * Below `/compat/<slug>`. One that ends in `/*` takes the rest of the address as parameter
   * `rest`.
   */
  readonly path: string;
  /** The permission that the key needs; null = the route is refused for every key. */
  readonly permission: Permission | null;
  /**
   * Where parameters are: in a JSON `body`, or one that may be a `form` instead, in the `query` (or
   * a form that is POSTed), or `none`, where a query belongs to the rest of the address.
   */
  readonly place: 'body' | 'form' | 'query' | 'none';
  /** Whether headers of these names are parameters too. */
  readonly readsHeaders: boolean;
  /** The parameter that is the rest of the address, as it was sent; undefined = none is. */
  readonly rest: string | undefined;
  /** Every documented parameter, for the docs; empty for a route that is refused. */
  readonly parameters: readonly ParameterUse[];
  /** The vendor's names of our fields, for messages: `search.num_results` → `max_results`. */
  readonly names: Readonly<Record<string, string>>;
  /** @param today day in UTC, as YYYY-MM-DD */
  prepare(sent: Sent, today: string): Prepared;
}

/** Where a client of the vendor puts its key. */
export type KeyPlace =
  | { readonly in: 'bearer' }
  | { readonly in: 'header' | 'query'; readonly name: string }
  | { readonly in: 'body'; readonly name: string };

/** A vendor whose clients need only another address and key. */
export interface DropIn {
  /** In the path, and in `metadata.compat`. */
  readonly slug: string;
  readonly name: string;
  /** In order of preference. */
  readonly keys: readonly KeyPlace[];
  /** Its clients may send no key: then that of `COMPAT_SEARXNG_KEY` is used. */
  readonly isKeyless?: boolean;
  /** Its routes are at the root of the server too: its clients drop the path of an address. */
  readonly isAtRoot?: boolean;
  readonly routes: readonly DropInRoute[];
  /** A fault in the vendor's own error shape. */
  fault(fault: DropInFault): DropInAnswer;
}

interface Shared<Schema extends z.ZodObject> extends Uses<Schema> {
  readonly path: string;
  readonly method?: DropInRoute['method'];
  /** Absent = the query of a GET, and else a JSON body. */
  readonly place?: DropInRoute['place'];
  readonly readsHeaders?: boolean;
  readonly rest?: string;
  readonly names?: Readonly<Record<string, string>>;
}

interface SearchRoute<Schema extends z.ZodObject> extends Shared<Schema> {
  ask(input: z.output<Schema>, own: JsonObject, today: string): SearchAsk;
  /** Parts of a parameter that have no effect, which the answer names: `sources.images`. */
  ignoredParts?(input: z.output<Schema>): readonly string[];
  answer(found: FoundRows, input: z.output<Schema>, server: string): DropInAnswer;
}

/** A route that is a search. */
export const searchRoute = <Schema extends z.ZodObject>(
  route: SearchRoute<Schema>,
): DropInRoute => ({
  ...shared(route),
  permission: 'search',
  prepare: (sent, today) => {
    const read = readParameters(route, sent);
    if ('message' in read) return { kind: 'refused', ...read };
    const { input, own } = read;
    const unknown = [...read.unknown, ...(route.ignoredParts?.(input) ?? [])];
    const ask = route.ask(input, own, today);
    const answer = (found: FoundRows, server: string) => route.answer(found, input, server);
    return { kind: 'search', unknown, ask, answer };
  },
});

interface FetchRoute<Schema extends z.ZodObject> extends Shared<Schema> {
  ask(input: z.output<Schema>): FetchAsk;
  answer(fetched: Fetched, input: z.output<Schema>): DropInAnswer;
}

/** A route that is a fetch. */
export const fetchRoute = <Schema extends z.ZodObject>(route: FetchRoute<Schema>): DropInRoute => ({
  ...shared(route),
  permission: 'fetch',
  prepare: (sent) => {
    const read = readParameters(route, sent);
    if ('message' in read) return { kind: 'refused', ...read };
    const { input, unknown } = read;
    return {
      kind: 'fetch',
      unknown,
      ask: route.ask(input),
      answer: (fetched) => route.answer(fetched, input),
    };
  },
});

/** A route of the vendor that is known and not served. */
export const refusedRoute = (path: string, message: string): DropInRoute => ({
  method: 'POST',
  path,
  permission: null,
  place: 'body',
  readsHeaders: false,
  rest: undefined,
  parameters: [],
  names: {},
  prepare: () => ({ kind: 'refused', message }),
});

/** A route that lists the search providers of the deployment. */
export const listRoute = (
  path: string,
  answer: (providers: readonly string[]) => DropInAnswer,
): DropInRoute => ({
  ...refusedRoute(path, ''),
  method: 'GET',
  permission: 'search',
  place: 'query',
  prepare: (sent) => ({ kind: 'list', unknown: Object.keys(sent), answer }),
});

const shared = <Schema extends z.ZodObject>(route: Shared<Schema>) => ({
  method: route.method ?? 'POST',
  path: route.path,
  place: route.place ?? (route.method === 'GET' ? 'query' : 'body'),
  readsHeaders: route.readsHeaders ?? false,
  rest: route.rest,
  names: route.names ?? {},
  parameters: describeUses(route),
});

/** A query of a search; blank ones are refused. */
export const queryText = z.string().refine((text) => text.trim() !== '', 'must not be blank');
