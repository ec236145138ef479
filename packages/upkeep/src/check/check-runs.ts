import type { OpenDatabase, RunsTable } from '@trawl/database';
import { runText } from '@trawl/store';
import { rowsInPages } from '../rows/pages.ts';

/** Texts may be large, and all that are read at once are in memory. */
const RUNS_AT_ONCE = 8;
const KEY = ['interaction_id', 'kind', 'position'] as const;

interface CheckedRuns {
  readonly runs: number;
  /** The interaction of each run whose text is not JSON. */
  readonly unreadable: readonly string[];
}

/** Reads the text of every run. */
export async function checkRuns({ db }: OpenDatabase): Promise<CheckedRuns> {
  const unreadable: string[] = [];
  let runs = 0;
  const texts = db.selectFrom('runs').select([...KEY, 'body']);
  for await (const run of rowsInPages(texts, KEY, RUNS_AT_ONCE)) {
    if (!isReadable(run.body)) unreadable.push(run.interaction_id);
    runs += 1;
  }
  return { runs, unreadable };
}

function isReadable(body: RunsTable['body']): boolean {
  try {
    JSON.parse(runText(body));
    return true;
  } catch {
    return false;
  }
}
