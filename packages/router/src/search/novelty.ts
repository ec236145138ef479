import type { SearchOptions, Warning } from '@trawl/contract';
import type { Call } from '../interaction/head.ts';
import { readStore } from '../requests/store-access.ts';
import type { SearchCommand } from './command.ts';

/** Finds what a session has seen. */
export interface SeenPages {
  /**
   * The comparable URLs of all pages that the answers of a session gave so far.
   * @throws RequestError 503 where they are not known at the deadline of the caller
   */
  readonly seenIn: (sessionId: string, caller: Call) => Promise<ReadonlySet<string>>;
}

/**
 * The pages that a merged list leaves out; undefined = it has all.
 * @throws RequestError 503 where the record cannot be read, or not in time
 */
export async function pagesToLeaveOut(
  { options, sessionId }: SearchCommand,
  caller: Call,
  { seenIn }: SeenPages,
): Promise<ReadonlySet<string> | undefined> {
  if (options.novelty === undefined || !options.merge) return undefined;
  if (sessionId === undefined) return new Set();
  return readStore(() => seenIn(sessionId, caller));
}

/** Says that there is no merged list to leave pages out of. */
export const noveltyNotes = ({ novelty, merge }: SearchOptions): readonly Warning[] =>
  novelty === undefined || merge
    ? []
    : [
        {
          code: 'novelty_ignored',
          message: 'novelty: it has no effect without a merged list; send search.merge true',
        },
      ];
