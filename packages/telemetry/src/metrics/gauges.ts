import { Counter, Gauge, type Registry } from 'prom-client';
import type { RecordingBacklog } from './observed-store.ts';

/** The calls of one provider and operation. */
export interface Lane {
  readonly provider: string;
  readonly operation: string;
  readonly breaker: 'closed' | 'half_open' | 'open';
  /** Calls that have a slot. */
  readonly active: number;
  /** Calls that wait for one. */
  readonly waiting: number;
  /** Its keys or addresses, where there are several. */
  readonly accesses: readonly Access[];
}

/** One of several keys or addresses of a provider; the other of the two is empty. */
interface Access {
  readonly key_tail: string;
  readonly address: string;
  readonly breaker: Lane['breaker'];
}

/** What is read when the metrics are: each function answers within a second. */
export interface GaugeSources {
  readonly requests: () => { readonly active: number; readonly limit: number };
  readonly lanes: () => readonly Lane[];
  /** States of search providers, by slug. */
  readonly health: () => ReadonlyMap<string, { readonly state: string }>;
  readonly backlog: RecordingBacklog;
  readonly reading: () => {
    readonly threads: number;
    readonly busy: number;
    readonly waiting: number;
  };
  /** Absent where no Redis is set. */
  readonly redis: {
    readonly isUp: () => boolean;
    /** Commands that failed since the start, by what they were for. */
    readonly errors: () => ReadonlyMap<string, number>;
  };
  /** Lines of the log that could not be written since the start. */
  readonly logLinesLost: () => number;
}

const BREAKER_STATES = { closed: 0, half_open: 1, open: 2 } as const;

/** @param sources may get its members after this; without one, its gauges have no value */
export function addGauges(registry: Registry, sources: Partial<GaugeSources>): void {
  addPlain(registry, sources);
  addLanes(registry, sources);
  addAccesses(registry, sources);
  addHealth(registry, sources);
  addRedisErrors(registry, sources);
  addLogLinesLost(registry, sources);
}

type ReadGauge = readonly [
  name: string,
  help: string,
  read: (sources: Partial<GaugeSources>) => number | undefined | Promise<number | undefined>,
  aggregator?: 'min',
];

const PLAIN: readonly ReadGauge[] = [
  [
    'http_server_active_requests',
    'Requests in progress that take a place.',
    ({ requests }) => requests?.().active,
  ],
  [
    'trawl_active_requests_limit',
    'The most requests in progress at once: MAX_ACTIVE_REQUESTS.',
    ({ requests }) => requests?.().limit,
  ],
  [
    'trawl_recorder_pending',
    'Records of answers that wait for their commit.',
    ({ backlog }) => backlog?.pending(),
  ],
  [
    'trawl_recorder_open',
    'Whether the store records: 1, or 0 after a failed write, while nothing is paid.',
    async ({ backlog }) => backlog && Number(await backlog.isOpen()),
    'min',
  ],
  [
    'trawl_extraction_threads',
    'The most threads that read pages at once: PAGE_READ_THREADS.',
    ({ reading }) => reading?.().threads,
  ],
  [
    'trawl_redis_up',
    'Whether Redis answers: 1, or 0 while each process limits, caches and cools down separately.',
    ({ redis }) => redis && Number(redis.isUp()),
    'min',
  ],
  ['trawl_extraction_busy', 'Threads that read a page.', ({ reading }) => reading?.().busy],
  [
    'trawl_extraction_waiting',
    'Pages that wait for a thread.',
    ({ reading }) => reading?.().waiting,
  ],
];

function addPlain(registry: Registry, sources: Partial<GaugeSources>): void {
  for (const [name, help, read, aggregator = 'sum'] of PLAIN) {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const value = await read(sources);
        if (value !== undefined) this.set(value);
      },
    });
  }
}

function addLanes(registry: Registry, sources: Partial<GaugeSources>): void {
  const lane = (
    name: string,
    help: string,
    aggregator: 'sum' | 'max',
    read: (lane: Lane) => number,
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: ['provider', 'operation'],
      registers: [registry],
      collect() {
        for (const one of sources.lanes?.() ?? []) {
          this.set({ provider: one.provider, operation: one.operation }, read(one));
        }
      },
    });
  lane(
    'trawl_provider_breaker_state',
    'The circuit of a provider: 0 closed, 1 half open (the next call is a probe), 2 open.',
    'max',
    ({ breaker }) => BREAKER_STATES[breaker],
  );
  lane(
    'trawl_provider_slots_in_use',
    'Calls to a provider that have one of our slots.',
    'sum',
    ({ active }) => active,
  );
  lane(
    'trawl_provider_slots_waiting',
    'Calls to a provider that wait for one of our slots.',
    'sum',
    ({ waiting }) => waiting,
  );
}

/** The number of keys and addresses is limited, so these labels are too. */
function addAccesses(registry: Registry, sources: Partial<GaugeSources>): void {
  const access = (name: string, help: string, label: 'key_tail' | 'address') =>
    new Gauge({
      name,
      help,
      aggregator: 'max',
      labelNames: ['provider', 'operation', label],
      registers: [registry],
      collect() {
        // a key that was replaced has no state any more
        this.reset();
        for (const { provider, operation, accesses } of sources.lanes?.() ?? []) {
          // two keys may end alike: the last one that is set is the worst
          const states = accesses
            .filter((one) => one[label] !== '')
            .map((one) => ({ name: one[label], state: BREAKER_STATES[one.breaker] }))
            .sort((a, b) => a.state - b.state);
          for (const { name, state } of states) {
            this.set({ provider, operation, [label]: name }, state);
          }
        }
      },
    });
  access(
    'trawl_provider_key_state',
    'One of several keys of a provider, by its last four characters: 0 in use, 1 its next call is a probe, 2 cooling down. The highest of those that end alike.',
    'key_tail',
  );
  access(
    'trawl_provider_address_state',
    'One of several addresses of a provider: 0 in use, 1 its next call is a probe, 2 cooling down.',
    'address',
  );
}

const HEALTH: Readonly<Record<string, number>> = { well: 0, doubtful: 1, ill: 2 };

function addHealth(registry: Registry, sources: Partial<GaugeSources>): void {
  new Gauge({
    name: 'trawl_provider_health',
    help: 'How good the answers of a search provider are, next to its own of before: 0 well, 1 doubtful, 2 ill. Without a value while too little is known.',
    aggregator: 'max',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [provider, { state }] of sources.health?.() ?? []) {
        const value = HEALTH[state];
        if (value !== undefined) this.set({ provider }, value);
      }
    },
  });
}

function addRedisErrors(registry: Registry, sources: Partial<GaugeSources>): void {
  new Counter({
    name: 'trawl_redis_errors_total',
    help: 'Commands that Redis refused or did not answer in time, by what they were for.',
    labelNames: ['operation'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [operation, count] of sources.redis?.errors() ?? [])
        this.inc({ operation }, count);
    },
  });
}

/** Has no value without its source. */
export function addLogLinesLost(
  registry: Registry,
  sources: Pick<Partial<GaugeSources>, 'logLinesLost'>,
): void {
  new Counter({
    name: 'trawl_log_lines_lost_total',
    help: 'Lines of the log that were lost: standard output could not be written, or was read too slowly.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(sources.logLinesLost?.() ?? 0);
    },
  });
}
