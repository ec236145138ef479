import {
  LIMITS,
  type VerifiedQuote,
  type VerifyRequest,
  type VerifyResponse,
} from '@trawl/contract';
import type { QuoteFinder, QuoteMatch, ReaderLimits } from '@trawl/reader';
import { addressOf } from '../feedback/held-results.ts';
import type { StoredInteraction, StoredSession } from '../interaction/records.ts';
import type { ReadStep } from '../interaction/store.ts';
import { CallerLeftError, RequestError } from '../requests/request-error.ts';
import { type RecordedText, recordedTexts } from './recorded-texts.ts';

/**
 * Characters in which all quotes are looked for at once: 100 long ones take a second there. In a
 * longer text fewer are, so that a thread ends within the time for a page.
 */
const CHARACTERS_AT_ONCE = 200_000;

/** A match with the text that has it. */
interface FoundQuote extends QuoteMatch {
  readonly source: RecordedText;
}

/** A session and all that is left of it. */
interface QuotedSession {
  readonly session: StoredSession;
  readonly interactions: AsyncIterable<readonly StoredInteraction[]>;
}

/**
 * Looks for quotes in the texts of these interactions, some at a time.
 * @throws RequestError 503 where the threads did not end in time
 */
export async function verifyQuotes(
  { session_id, quotes }: VerifyRequest,
  { session, interactions }: QuotedSession,
  finder: QuoteFinder,
  { limits, onStep }: { readonly limits: () => ReaderLimits; readonly onStep: ReadStep },
): Promise<VerifyResponse> {
  const wanted = quotes.map(({ text, url }) => ({
    text,
    address: url === undefined ? null : addressOf(url),
  }));
  // to look for a quote takes its own time too, however short the text
  const longest = quotes.reduce((most, { text }) => Math.max(most, text.length), 0);
  const sizeOf = ({ text }: RecordedText): number => Math.max(text.length, longest);
  const best = new Array<FoundQuote | null>(quotes.length).fill(null);
  const counts = { interactions: 0, texts: 0 };
  const search = async (texts: readonly RecordedText[]): Promise<void> => {
    if (texts.length === 0) return;
    const given = texts.map(({ text, addresses, weight }) => ({ text, addresses, weight }));
    const size = texts.reduce((sum, text) => sum + sizeOf(text), 0);
    const together = Math.ceil((LIMITS.quotes * CHARACTERS_AT_ONCE) / size);
    for (let first = 0; first < wanted.length; first += together) {
      const some = wanted.slice(first, first + together);
      const known = some.map((quote, at) => ({ ...quote, best: knownOf(best[first + at]) }));
      const matches = await finder.find(given, known, limits());
      if (matches === null) throw unfinished(limits());
      for (const [at, match] of matches.entries()) {
        const source = match && texts[match.index];
        if (source) best[first + at] = { ...match, source };
      }
    }
  };
  let waiting: RecordedText[] = [];
  let characters = 0;
  for await (const some of interactions) {
    for (const interaction of some) {
      counts.interactions += 1;
      for (const text of recordedTexts(interaction)) {
        counts.texts += 1;
        waiting.push(text);
        characters += sizeOf(text);
        if (characters < CHARACTERS_AT_ONCE) continue;
        await search(waiting);
        waiting = [];
        characters = 0;
      }
      await onStep(0);
    }
  }
  await search(waiting);
  return {
    session_id,
    quotes: best.map(verified),
    ...counts,
    deleted_interactions: session.deletedCount,
  };
}

const knownOf = (found: FoundQuote | null | undefined) =>
  found ? { status: found.status, distance: found.distance, weight: found.weight } : null;

function unfinished({ signal }: ReaderLimits): Error {
  if (signal.aborted) return new CallerLeftError('the client left while quotes were looked for');
  return new RequestError(
    503,
    'The quotes could not be looked for in time. Try again, or send fewer or shorter quotes at once',
    { typed: { code: 'unavailable' } },
  );
}

function verified(found: FoundQuote | null): VerifiedQuote {
  const source = found?.source;
  return {
    status: found?.status ?? 'not_found',
    distance: found?.distance ?? null,
    interaction_id: source?.interactionId ?? null,
    run_id: source?.runId ?? null,
    row: source?.row ?? null,
    url: source?.url ?? null,
    field: source?.field ?? null,
    offset: found ? found.source.offset + found.offset : null,
    passage: found?.passage ?? null,
    retrieved_at: source?.retrievedAt ?? null,
    publish_date: source?.publishDate ?? null,
    content_sha256: found ? (found.source.sha256 ?? found.sha256) : null,
  };
}
