import { callerIdOf } from '@trawl/base';
import { type Context, type InteractionResponse, LIMITS } from '@trawl/contract';
import type { PieceFinder, ReaderLimits } from '@trawl/reader';
import type { RecordedContext } from '../interaction/records.ts';
import { RequestError } from '../requests/request-error.ts';
import { assembleContext, type SourcePiece } from './assemble.ts';
import { type Material, materialsOf, type WhyNotAsked } from './material.ts';

export interface MakeDependencies {
  readonly pieceFinder: PieceFinder;
  readonly pageReadTimeoutMs: number;
  readonly clock: { readonly now: () => number };
}

/** The records that a context is made of. */
export interface ContextRecords {
  readonly query: string;
  readonly asked: RecordedContext;
  readonly search: InteractionResponse;
  /** null = no page was asked for. */
  readonly pages: InteractionResponse | null;
  readonly whyNotAsked: WhyNotAsked;
}

export type MakeCaller = Pick<ReaderLimits, 'signal'> & {
  readonly keyId: string;
  readonly projectId: string;
  /** When the passages are to be chosen, in milliseconds since 1970. */
  readonly deadlineAt: number;
};

/** What is recorded and paid gets this much time at least: a thread may have to start. */
const LEAST_MS = 1_000;

/**
 * Makes the context of two records: the same whenever it is made.
 * @throws RequestError 503 where no thread was free in time
 */
export async function makeContext(
  { query, asked, search, pages, whyNotAsked }: ContextRecords,
  caller: MakeCaller,
  { pieceFinder, pageReadTimeoutMs, clock }: MakeDependencies,
): Promise<Context> {
  const materials = materialsOf(search, pages, asked, whyNotAsked);
  const texts = materials.sources.flatMap((source) =>
    source.texts.map((text, of) => ({ source, of, text, title: source.title ?? '' })),
  );
  const leftMs = Math.max(LEAST_MS, caller.deadlineAt - clock.now());
  const limits = {
    callerId: callerIdOf(caller),
    signal: caller.signal,
    timeoutMs: Math.min(pageReadTimeoutMs, leftMs),
  };
  const wanted = { query, most: PIECE_UNITS };
  const given = texts.map(({ text, title }) => ({ text, title }));
  const found = texts.length === 0 ? [] : await pieceFinder.find(given, wanted, limits);
  if (found === null) throw unfinished();
  const pieces = new Map<Material, SourcePiece[]>();
  for (const [index, { source, of }] of texts.entries()) {
    const own = (found[index] ?? []).map((piece) => ({ ...piece, of }));
    pieces.set(source, [...(pieces.get(source) ?? []), ...own]);
  }
  return assembleContext(materials, (source) => pieces.get(source) ?? [], asked.max_tokens);
}

/** UTF-16 units, of which a code point has one or two. */
const PIECE_UNITS = LIMITS.contextPassageCharacters;

const unfinished = (): RequestError =>
  new RequestError(
    503,
    'The passages of the context were not chosen in time. Both parts are recorded: with an Idempotency-Key the same request answers without paying again',
    { typed: { code: 'unavailable' }, headers: { 'retry-after': '5' } },
  );
