import {
  type ApiKey,
  allowedProvidersOf,
  type Budget,
  type Deployment,
  webRulesOf,
} from '@trawl/router';
import type { RequestContext } from '../http/handler.ts';

/** The key of a request. Only for routes that need one. */
export function apiKeyOf({ caller }: RequestContext): ApiKey {
  if (caller === null) throw new Error('a route that needs a key was bound without one');
  return caller;
}

/** The caller of a request. Only for routes that need a key. */
export function callerOf(context: RequestContext) {
  const { isOwnChoice, isWatch, isReplay, signal, receivedAt, deadlineAt, observer, onSent } =
    context;
  const caller = apiKeyOf(context);
  const { id: keyId, projectId, allowedDomains } = caller;
  const budgets = budgetsOf(caller);
  if (budgets.length > 0) observer?.paying(budgets);
  return {
    projectId,
    keyId,
    allowedDomains,
    budgets,
    isOwnChoice,
    isWatch,
    isReplay,
    mayRead: caller.permissions.includes('read'),
    signal: signal(),
    receivedAt,
    deadlineAt,
    observer,
    onSent,
  };
}

/** The same for routes that ask providers. */
export function askingCallerOf(context: RequestContext, deployment: Deployment) {
  const key = apiKeyOf(context);
  const allowedProviders = allowedProvidersOf(key, deployment);
  const rules = webRulesOf(deployment, key.projectRules);
  return { ...callerOf(context), allowedProviders, rules };
}

/** The key's own first: its holder knows that one. */
function budgetsOf({ id, projectId, monthlyBudgetMicros, projectLimits }: ApiKey): Budget[] {
  const ofProject = projectLimits?.monthlyBudgetMicros;
  const budgets: Budget[] = [];
  if (typeof monthlyBudgetMicros === 'number') {
    budgets.push({ owner: { kind: 'key', id }, limitMicros: monthlyBudgetMicros });
  }
  if (typeof ofProject === 'number') {
    budgets.push({ owner: { kind: 'project', id: projectId }, limitMicros: ofProject });
  }
  return budgets;
}
