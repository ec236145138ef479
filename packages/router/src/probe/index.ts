import { didYouMean, jsonText, nearest, readJson } from '@trawl/base';
import type { DryRun, JsonObject, ProbeResponse } from '@trawl/contract';
import type { BudgetStore } from '../billing/budgets.ts';
import { dryRun } from '../billing/planned-call.ts';
import {
  type ConfiguredFetchProvider,
  type ConfiguredProvider,
  isUsable,
} from '../deployment/deployment.ts';
import { accepts, type PageTarget, readPageUrl } from '../fetch/check.ts';
import type { Caller } from '../interaction/head.ts';
import type { StoredInteraction } from '../interaction/records.ts';
import { checkBudgets, spend } from '../interaction/spend.ts';
import type { InteractionStore } from '../interaction/store.ts';
import { checkDomains } from '../keys/allowed-domains.ts';
import { isAllowed, notAllowed } from '../keys/allowed-providers.ts';
import { RequestError } from '../requests/request-error.ts';
import { checkRule } from '../web-rules/refusal.ts';
import { type AskDependencies, type PlannedProbe, PROBE_PAGE, type ProbeWanted } from './probe.ts';
import { planFetchProbe } from './probe-fetch.ts';
import { planSearchProbe } from './probe-search.ts';

export interface ProbeDependencies extends AskDependencies {
  readonly interactions: InteractionStore;
  readonly budgets: BudgetStore;
}

export interface Probes {
  /**
   * One call to one provider, from checked request to recorded answer.
   * @throws RequestError when it is refused (nothing is sent or recorded), or could not be recorded
   * (503)
   */
  readonly run: (wanted: ProbeWanted, caller: Caller) => Promise<ProbeResponse>;
  /**
   * The call that `run` would make, and its price. @throws RequestError as `run` would, before
   * anything is sent
   */
  readonly price: (wanted: ProbeWanted, caller: Caller) => Promise<DryRun>;
}

/** A fault in one field of the body; the caller of `createProbes` says how it is answered. */
export type FieldFault = (field: 'operation' | 'url', problem: string, input: unknown) => Error;

export function createProbes(dependencies: ProbeDependencies, fault: FieldFault): Probes {
  const plan = (wanted: ProbeWanted, caller: Caller) => {
    const { allowedProviders, allowedDomains, rules } = caller;
    const planned = planProbe(wanted, dependencies, fault);
    if (!isAllowed(allowedProviders, wanted.provider)) {
      throw notAllowed('probe', [wanted.provider], allowedProviders);
    }
    const { url } = planned.call;
    if (url !== undefined) {
      checkDomains([['url', new URL(url)]], allowedDomains);
      checkRule('url', rules.ofUrl(url));
    }
    return planned;
  };
  return {
    run: async (wanted, caller) => {
      const { call, ask, target } = plan(wanted, caller);
      const priceOf = async () => [call];
      const { answer } = await spend(caller, priceOf, dependencies, async () => {
        const { record, outcome } = await ask(caller);
        const { provider, operation } = wanted;
        const health = target && dependencies.runner.health(target);
        const probe: ProbeResponse = {
          provider,
          operation,
          ...outcome,
          circuit: {
            state: health?.state ?? 'closed',
            cause: health?.cause ?? null,
            retry_after_ms: health?.retryAfterMs ?? null,
          },
          session_id: record.sessionId,
          interaction_id: record.id,
        };
        return { record: { ...record, metadata: jsonText<JsonObject>({ probe }) }, answer: probe };
      });
      return answer;
    },
    price: async (wanted, caller) => {
      const { call } = plan(wanted, caller);
      await checkBudgets(caller, [call], dependencies.budgets);
      return dryRun([call]);
    },
  };
}

/** What a probe was answered with, from its record. */
export const recordedProbe = ({ metadata }: Pick<StoredInteraction, 'metadata'>): ProbeResponse =>
  readJson(metadata).probe as ProbeResponse;

function planProbe(
  wanted: ProbeWanted,
  dependencies: ProbeDependencies,
  fault: FieldFault,
): PlannedProbe {
  const { provider: slug, operation } = wanted;
  const { searchProviders, fetchProviders } = dependencies.deployment;
  const search = searchProviders.get(slug);
  const fetch = fetchProviders.get(slug);
  if (!search && !fetch)
    throw unknownProvider(slug, [...searchProviders.keys(), ...fetchProviders.keys()]);
  if (operation === 'search') {
    if (!search) throw fault('operation', `${slug} is a fetch provider; send "fetch"`, operation);
    checkConfigured(search);
    return planSearchProbe(search, wanted, dependencies);
  }
  if (!fetch) throw fault('operation', `${slug} is a search provider; send "search"`, operation);
  checkConfigured(fetch);
  const target = pageOf(wanted, fetch, dependencies, fault);
  return planFetchProbe(fetch, target, wanted, dependencies);
}

function unknownProvider(slug: string, known: readonly string[]): RequestError {
  const hint =
    didYouMean(nearest(slug, known)) ?? `the providers are ${[...new Set(known)].join(', ')}`;
  return new RequestError(404, 'Provider not found', { hint });
}

/** A provider without its key is not asked, so there is nothing to record. */
function checkConfigured(provider: ConfiguredProvider | ConfiguredFetchProvider): void {
  if (isUsable(provider)) return;
  const { slug } = provider.declaration;
  const { credentialVariable: variable, obstacle } = 'target' in provider ? provider.target : {};
  if (obstacle) throw new RequestError(400, `${slug} ${obstacle.happened}: ${obstacle.remedy}`);
  const missing = variable === undefined ? 'it has no credential' : `${variable} is not set`;
  throw new RequestError(400, `${slug} cannot be asked: ${missing} in the server settings`);
}

function pageOf(
  { url = PROBE_PAGE }: ProbeWanted,
  provider: ConfiguredFetchProvider,
  { isForbidden }: ProbeDependencies,
  fault: FieldFault,
): PageTarget {
  const read = readPageUrl(url);
  if ('fault' in read) throw fault('url', read.fault, url);
  const { target } = read;
  const { slug } = provider.declaration;
  if (isForbidden(target.parsed)) {
    throw fault('url', 'the address is private or local, so it is not fetched', url);
  }
  if (!accepts(provider, target.parsed)) {
    throw fault('url', `no page that ${slug} accepts; name another one in url`, url);
  }
  return target;
}
