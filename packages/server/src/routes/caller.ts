import type { ApiKey, Budget } from '@trawl/router';
import type { RequestContext } from '../http/handler.ts';

/** The caller of a request. Only for routes that need a key. */
export function callerOf({ caller, signal, receivedAt }: RequestContext) {
  if (caller === null) throw new Error('a route that needs a key was bound without one');
  const { id: keyId, projectId, allowedProviders } = caller;
  return { projectId, keyId, allowedProviders, budgets: budgetsOf(caller), signal, receivedAt };
}

/** The key's own first: its holder knows that one. */
function budgetsOf({ id, projectId, monthlyBudgetMicros, projectLimits }: ApiKey): Budget[] {
  const owners = [
    { owner: { kind: 'key', id }, limitMicros: monthlyBudgetMicros },
    { owner: { kind: 'project', id: projectId }, limitMicros: projectLimits?.monthlyBudgetMicros },
  ] as const;
  return owners.flatMap(({ owner, limitMicros }) =>
    typeof limitMicros === 'number' ? [{ owner, limitMicros }] : [],
  );
}
