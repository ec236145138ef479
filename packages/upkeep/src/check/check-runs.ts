import type { OpenDatabase, RunsTable } from '@trawl/database';
import { runText } from '@trawl/store';

/** Texts may be large, and all that are read at once are in memory. */
const RUNS_AT_ONCE = 8;

interface CheckedRuns {
  readonly runs: number;
  /** The interaction of each run whose text is not JSON. */
  readonly unreadable: readonly string[];
}

/** Reads the text of every run. */
export async function checkRuns({ db }: OpenDatabase): Promise<CheckedRuns> {
  const unreadable: string[] = [];
  let runs = 0;
  let last = { interaction_id: '', kind: '', position: 0 };
  for (;;) {
    const { interaction_id: id, kind, position } = last;
    const page = await db
      .selectFrom('runs')
      .select(['interaction_id', 'kind', 'position', 'body'])
      .where((eb) =>
        eb(
          eb.refTuple('interaction_id', 'kind', 'position'),
          '>',
          eb.tuple(id, kind as 'preprocessor', position),
        ),
      )
      .orderBy('interaction_id')
      .orderBy('kind')
      .orderBy('position')
      .limit(RUNS_AT_ONCE)
      .execute();
    for (const run of page) if (!isReadable(run.body)) unreadable.push(run.interaction_id);
    runs += page.length;
    const end = page.at(-1);
    if (!end || page.length < RUNS_AT_ONCE) return { runs, unreadable };
    last = end;
  }
}

function isReadable(body: RunsTable['body']): boolean {
  try {
    JSON.parse(runText(body));
    return true;
  } catch {
    return false;
  }
}
