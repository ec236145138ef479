import { callerIdOf } from '@trawl/base';
import { type Context, type InteractionResponse, LIMITS } from '@trawl/contract';
import type { PieceFinder, ReaderLimits, ScoredPiece } from '@trawl/reader';
import type { RecordedContext } from '../interaction/records.ts';
import { RequestError } from '../requests/request-error.ts';
import { assembleContext } from './assemble.ts';
import { type Material, materialsOf, type WhyNotAsked } from './material.ts';

export interface MakeDependencies {
  readonly pieceFinder: PieceFinder;
  readonly pageReadTimeoutMs: number;
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
};

/**
 * Makes the context of two records: the same whenever it is made.
 * @throws RequestError 503 where no thread was free in time
 */
export async function makeContext(
  { query, asked, search, pages, whyNotAsked }: ContextRecords,
  caller: MakeCaller,
  { pieceFinder, pageReadTimeoutMs }: MakeDependencies,
): Promise<Context> {
  const materials = materialsOf(search, pages, asked, whyNotAsked);
  const texts = materials.sources.flatMap((source) =>
    source.texts.map((text) => ({ source, text, title: source.title ?? '' })),
  );
  const limits = {
    callerId: callerIdOf(caller),
    signal: caller.signal,
    timeoutMs: pageReadTimeoutMs,
  };
  const wanted = { query, most: PIECE_UNITS };
  const given = texts.map(({ text, title }) => ({ text, title }));
  const found = texts.length === 0 ? [] : await pieceFinder.find(given, wanted, limits);
  if (found === null) throw unfinished();
  const pieces = new Map<Material, ScoredPiece[]>();
  for (const [index, { source }] of texts.entries()) {
    pieces.set(source, [...(pieces.get(source) ?? []), ...(found[index] ?? [])]);
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
