import { randomUUID } from 'node:crypto';
import { HEALTH_FIELDS } from '@trawl/contract';
import type { TestServer } from './harness.ts';

const MINUTE = 60_000;

/**
 * Counts answers of a provider, one a minute until now: good ones, then the newest without rows
 * where others found some. The next look at its health sees them.
 */
export async function countAnswers(
  { server, projectId }: TestServer,
  provider: string,
  { good, empty }: { readonly good: number; readonly empty: number },
): Promise<void> {
  const fields = (1 << HEALTH_FIELDS.length) - 1;
  const rows = Array.from({ length: good + empty }, (_, age) => ({
    provider,
    id: randomUUID(),
    project_id: projectId,
    interaction_id: randomUUID(),
    answered_at: new Date(Date.now() - age * MINUTE).toISOString(),
    others_found: 1,
    asked: 5,
    found: age < empty ? 0 : 5,
    fields,
    filled: age < empty ? 0 : fields,
  }));
  await server.store.accounts.database.db.insertInto('provider_answers').values(rows).execute();
}
