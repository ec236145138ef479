import type { ApiKey, Budget } from '@trawl/router';
import type { RequestContext } from '../http/handler.ts';

/** Whose request it is. Only for routes that need a key. */
export function callerOf({ caller, signal, receivedAt }: RequestContext) {
  if (caller === null) throw new Error('a route that needs a key was bound without one');
  const { id: keyId, projectId } = caller;
  return { projectId, keyId, budgets: budgetsOf(caller), signal, receivedAt };
}

/** The key's own first: that is the one that its holder knows of. */
function budgetsOf({ id, projectId, monthlyBudgetMicros, projectLimits }: ApiKey): Budget[] {
  const owners = [
    { owner: { kind: 'key', id }, limitMicros: monthlyBudgetMicros },
    { owner: { kind: 'project', id: projectId }, limitMicros: projectLimits?.monthlyBudgetMicros },
  ] as const;
  return owners.flatMap(({ owner, limitMicros }) =>
    typeof limitMicros === 'number' ? [{ owner, limitMicros }] : [],
  );
}
