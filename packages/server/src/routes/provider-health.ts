import { jsonText } from '@trawl/base';
import { HEALTH_FIELDS, type HealthReport } from '@trawl/contract';
import {
  type Deployment,
  type HealthAnswer,
  type HealthMeasure,
  isBad,
  RequestError,
  readStore,
  THRESHOLDS,
} from '@trawl/router';
import type { Store } from '@trawl/store';
import { changed } from '../admin/changes.ts';
import { type HealthWatch, measureText, shownHealth } from '../health/watch-health.ts';
import type { Handlers, RequestContext } from '../http/handler.ts';
import { changerOf } from './admin/shared.ts';
import { apiKeyOf } from './caller.ts';

export interface HealthSources {
  readonly deployment: Deployment;
  readonly watch: HealthWatch;
  readonly store: Pick<Store, 'health' | 'changing' | 'accounts'>;
}

const EXAMPLES = 5;
/** Answers that are looked through for examples. */
const LOOKED_AT = 200;

/** How good the answers of a provider are, with what was measured. */
export function healthRoutes(
  sources: HealthSources,
): Pick<Handlers, 'providerHealth' | 'resetProviderHealth'> {
  const { deployment, watch, store } = sources;
  const known = ({ params: { name } }: { readonly params: { readonly name: string } }): string => {
    if (deployment.searchProviders.has(name)) return name;
    const hint = deployment.fetchProviders.has(name)
      ? `${name} only fetches; the health of search providers is measured`
      : `the search providers are ${[...deployment.searchProviders.keys()].join(', ')}`;
    throw new RequestError(404, 'Provider not found', { hint });
  };
  const report = async (name: string, context: RequestContext) => ({
    text: jsonText<HealthReport>(await reportOf(name, apiKeyOf(context).projectId, sources)),
  });
  return {
    providerHealth: (input, context) => report(known(input), context),
    resetProviderHealth: async (input, context) => {
      const name = known(input);
      const subject = { by: changerOf(context), target: { kind: 'provider', name } };
      await readStore(() =>
        watch.reset(name, (change) =>
          changed(store, subject, [
            { action: 'provider.health_reset', apply: ({ health }) => change(health) },
          ]),
        ),
      );
      return report(name, context);
    },
  };
}

async function reportOf(
  provider: string,
  projectId: string,
  { watch, store }: HealthSources,
): Promise<HealthReport> {
  const health = watch.of(provider);
  const measures = (health?.measures ?? []).toSorted((one, other) => share(other) - share(one));
  const [worst] = measures;
  const own = await readStore(() => store.health.ofProject(provider, projectId, LOOKED_AT));
  const examples = worst ? own.filter((answer) => shows(answer, worst)) : [];
  const ids = new Set(examples.map(({ interactionId }) => interactionId));
  return {
    provider,
    ...shownHealth(health),
    reasons: measures.map((measure) => ({
      measure: measure.kind,
      field: measure.field,
      message: measureText(measure),
      recent: rounded(shown(measure, measure.recent)),
      before: rounded(shown(measure, measure.before)),
      worse: rounded(measure.worse),
      threshold: THRESHOLDS[measure.kind],
      is_bad: isBad(measure),
      answers: measure.answers,
    })),
    example_interaction_ids: [...ids].slice(0, EXAMPLES),
  };
}

/** Shares of empty answers, and not of those with rows. */
const shown = ({ kind }: HealthMeasure, value: number): number =>
  kind === 'empty' ? 1 - value : value;

/** How near a measure is to its threshold. */
const share = ({ kind, worse }: HealthMeasure): number => worse / THRESHOLDS[kind];

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** Whether an answer is one of those that make a measure worse. */
function shows(answer: HealthAnswer, measure: HealthMeasure): boolean {
  const { rows, asked, fields, filled, othersFound } = answer;
  if (measure.kind === 'empty') return rows === 0 && othersFound !== false;
  if (measure.kind === 'rows') return rows > 0 && rows < asked;
  const at = measure.field === null ? 0 : HEALTH_FIELDS.indexOf(measure.field);
  return rows > 0 && (fields & (1 << at)) !== 0 && (filled & (1 << at)) === 0;
}
