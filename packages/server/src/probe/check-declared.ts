import type { Clock } from '@trawl/base';
import type { SearchRun } from '@trawl/contract';
import { planFields } from '@trawl/providers';
import {
  type CallPrice,
  callPrice,
  createDeployment,
  executeRun,
  normalizeRun,
  PROBE_QUERY,
  planRuns,
  type RunPlan,
  searchPrice,
} from '@trawl/router';
import {
  createUpstreamRunner,
  OWN_CALLER,
  type RequestPayload,
  requestPayload,
  type UpstreamRequest,
  type UpstreamResult,
  type UpstreamRunner,
} from '@trawl/upstream';
import type { Config } from '../config/config.ts';

/** A declared provider with the search that shows whether its declaration fits. */
export interface DeclaredCheck {
  readonly slug: string;
  readonly name: string;
  /** The request as it would be sent; of a secret only the name of its variable. */
  readonly request: RequestPayload;
  /** The variables whose values would be sent to its host. */
  readonly variables: readonly string[];
  readonly price: CallPrice;
  /** The run of a recorded answer; nothing is sent. */
  readonly read: (answer: unknown) => Promise<SearchRun>;
  /** One real call. */
  readonly ask: () => Promise<SearchRun>;
}

export interface DeclaredCheckOptions {
  readonly version: string;
  readonly clock: Clock;
  readonly query: string | undefined;
  readonly signal: AbortSignal;
}

const ROWS = 10;

/** The checks of all declared providers, through a runner of their own; nothing is recorded. */
export function openDeclaredChecks(
  config: Config,
  { version, clock, query = PROBE_QUERY, signal }: DeclaredCheckOptions,
): { readonly checks: readonly DeclaredCheck[]; readonly close: () => Promise<void> } {
  const { httpsProxy, noProxy } = config;
  const runner = createUpstreamRunner({ clock, breaker: 'off', proxy: { httpsProxy, noProxy } });
  const options = { tier: 'max', num_results: ROWS, include_full_content: true } as const;
  const fields = planFields(options);
  const slugs = config.declaredProviders.map(({ slug }) => slug);
  const routes = [{ slugs, skipped: [], notes: [] }];
  const deployment = createDeployment({ ...config, version });
  const plans = planRuns({ queries: [query], routes, options, fields }, deployment);
  const runOf = async (plan: RunPlan, by: UpstreamRunner): Promise<SearchRun> => {
    const deadlineAt = clock.now() + config.requestDeadlineMs;
    const executed = await executeRun(plan, by, {
      keyId: OWN_CALLER,
      projectId: OWN_CALLER,
      signal,
      deadlineAt,
    });
    return normalizeRun(executed, fields, { id: '', includeRaw: false }).run.value;
  };
  return {
    checks: plans.map((plan) => ({
      slug: plan.provider.declaration.slug,
      name: plan.provider.declaration.name,
      request: shownRequest(plan),
      variables: [
        ...new Set((plan.provider.target.secretParts ?? []).flatMap((part) => part.variables)),
      ],
      price: callPrice(searchPrice(plan.provider, plan.search, null)),
      read: (answer) => runOf(plan, recordedAnswer(answer, clock.now())),
      ask: () => runOf(plan, runner),
    })),
    close: () => runner.close(),
  };
}

function shownRequest({ provider: { target }, call }: RunPlan): RequestPayload {
  const payload = requestPayload(target, call);
  const written = (place: 'header' | 'query') =>
    (target.secretParts ?? []).filter((part) => part.in === place);
  const query = written('query').map((part) => `${part.name}=${part.written}`);
  const joint = payload.url.includes('?') ? '&' : '?';
  return {
    ...payload,
    url: query.length === 0 ? payload.url : `${payload.url}${joint}${query.join('&')}`,
    headers: {
      ...payload.headers,
      ...Object.fromEntries(written('header').map((part) => [part.name, part.written])),
    },
  };
}

/** Answers each call with what was recorded. */
const recordedAnswer = (json: unknown, now: number): UpstreamRunner => ({
  run: async (request) => readRecorded(request, json, now),
  close: async () => {},
});

function readRecorded<Value>(
  { read, target }: UpstreamRequest<Value>,
  json: unknown,
  now: number,
): UpstreamResult<Value> {
  const common = {
    calls: 0,
    latencyMs: null,
    waitedMs: 0,
    raw: null,
    leftOut: [],
    keyTail: null,
    sentBy: undefined,
    baseUrl: target.baseUrl,
  };
  const value = read(json, now);
  if (value !== undefined) return { status: 'succeeded', value, ...common };
  const reading = target.readFailure?.({ status: 200, body: json, headers: {} });
  const {
    code = 'bad_response',
    happened = 'reports an error and no rows',
    remedy,
  } = reading ?? {};
  const end = remedy === undefined ? '' : `: ${remedy}`;
  const failure = {
    code,
    message: `${target.slug} ${happened}${end}`,
    httpStatus: null,
    retryable: false,
    retryAfterMs: null,
  };
  return { status: 'failed', failure, ...common };
}
