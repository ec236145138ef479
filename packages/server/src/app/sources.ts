import type { Clock, Closers, ReportFault } from '@trawl/base';
import {
  directBrowserProblem,
  isForbiddenLiteral,
  OWN_READER,
  openDirectReader,
} from '@trawl/reader';
import { createSharedFetches, type Recorder } from '@trawl/router';
import type { Metrics } from '@trawl/telemetry';
import { createTopics, type TopicDecider } from '@trawl/topics';
import {
  createUpstreamRunner,
  type MonitoredUpstreamRunner,
  type UpstreamObserver,
} from '@trawl/upstream';
import type { Logger } from 'pino';
import type { AlertObservers } from '../alerts/open-alerts.ts';
import type { Config } from '../config/config.ts';
import { endpointEmbed } from '../routing/embeddings-endpoint.ts';
import { observedReader } from '../telemetry/provider-load.ts';
import { reportedClose } from './reported-close.ts';
import type { SharedState } from './shared-state.ts';

type DirectReader = ReturnType<typeof openDirectReader>;

/** The sources of answers: providers, our own reader, and the topics of queries. */
export interface AnswerSources {
  readonly runner: MonitoredUpstreamRunner;
  readonly direct: DirectReader;
  readonly decider: TopicDecider;
}

export interface SourcesOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly version: string;
  readonly extractWorkerUrl: URL;
  readonly reportFault: ReportFault;
  readonly metrics: Metrics | undefined;
  readonly alerts: AlertObservers | undefined;
  /** The queue of answers before their commit; while it is full no provider is asked. */
  readonly answers: Pick<Recorder, 'hasRoom' | 'whenRoom'>;
  readonly shared: SharedState;
  readonly closers: Closers;
}

export async function openSources(options: SourcesOptions): Promise<AnswerSources> {
  const { config, log, clock, version, reportFault, metrics, answers, closers } = options;
  const direct = openDirectReader(config, {
    version,
    clock,
    workerUrl: options.extractWorkerUrl,
    reportFault,
    onJob: metrics?.pageRead,
  });
  // after the runner: it also checks the pages that the calls of the runner bring
  closers.push(reportedClose(direct, reportFault));
  const runner = createUpstreamRunner({
    clock,
    breaker: config.breaker,
    circuits: options.shared.circuits,
    salt: options.shared.salt,
    paces: options.shared.paces,
    proxy: { httpsProxy: config.httpsProxy, noProxy: config.noProxy },
    log,
    answerMemory: answers,
    observe: observers(metrics?.upstream, options.alerts?.upstream),
  });
  closers.push(reportedClose(runner, reportFault));
  const own = metrics ? observedReader(OWN_READER, direct.reader, metrics.upstream) : direct.reader;
  const browserProblem = await directBrowserProblem(config);
  if (browserProblem) log.warn(browserProblem);
  const stopping = new AbortController();
  closers.push(() => stopping.abort());
  const decider = createTopics(endpointEmbed(config, runner), {
    ownWords: config.topicWords,
    now: clock.now,
    stopSignal: stopping.signal,
  });
  return { runner, direct: { ...direct, reader: own }, decider };
}

/** What metrics and alerts want to know of calls. */
function observers(
  metrics: UpstreamObserver | undefined,
  alerts: Pick<UpstreamObserver, 'attempted'> | undefined,
): UpstreamObserver | undefined {
  if (!alerts) return metrics;
  return {
    called: (target, call) => metrics?.called(target, call),
    opened: (target, cause) => metrics?.opened(target, cause),
    attempted: (target, code, keyTail) => {
      metrics?.attempted(target, code, keyTail);
      alerts.attempted(target, code, keyTail);
    },
  };
}

/** The settings and the reader that a fetch uses. */
export function pageSettings(
  config: Config,
  direct: DirectReader,
  { cache, flights }: SharedState,
) {
  return {
    readers: new Map([[OWN_READER, direct.reader]]),
    pageCheck: direct.pageCheck,
    passageFinder: direct.passageFinder,
    pageReadTimeoutMs: config.pageReadTimeoutMs,
    sharedFetches: createSharedFetches(),
    cache,
    flights,
    isForbidden: (url: URL) => isForbiddenLiteral(url, config.fetchAllowPrivateHosts),
    maxFetchUrls: config.maxFetchUrls,
    chainAttemptTimeoutMs: config.chainAttemptTimeoutMs,
  };
}
