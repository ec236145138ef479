import type { PageReader } from '@trawl/reader';
import { type Deployment, isUsable } from '@trawl/router';
import type { Lane } from '@trawl/telemetry';
import type {
  AccessHealth,
  MonitoredUpstreamRunner,
  ObservedCall,
  UpstreamObserver,
  UpstreamTarget,
} from '@trawl/upstream';

/** The circuit of one provider and operation, and its slots. */
export interface ProviderLane extends Lane {
  /** Why the circuit is open; null = it is closed. */
  readonly cause: string | null;
}

/** The circuit and the slots of every provider that is configured. */
export function lanesOf(
  { searchProviders, fetchProviders }: Deployment,
  runner: Pick<MonitoredUpstreamRunner, 'health' | 'accesses' | 'slots'>,
): readonly ProviderLane[] {
  const laneOf = (target: UpstreamTarget): ProviderLane => {
    const { slug: provider, operation } = target;
    const { state: breaker, cause } = runner.health(target);
    const states = runner.accesses(target);
    const accesses = states.length < 2 ? [] : states.map(accessOf);
    return { provider, operation, breaker, cause, accesses, ...runner.slots(provider, operation) };
  };
  const searches = [...searchProviders.values()].flatMap((provider) =>
    isUsable(provider) ? [laneOf(provider.target)] : [],
  );
  const fetches = [...fetchProviders.values()].flatMap((provider) =>
    'target' in provider && isUsable(provider) ? [laneOf(provider.target)] : [],
  );
  return [...searches, ...fetches];
}

const accessOf = ({ keyTail, address, state }: AccessHealth): Lane['accesses'][number] => ({
  key_tail: keyTail ?? '',
  address: address ?? '',
  breaker: state,
});

/** Our own reader, reported as a provider like the others. It is not called through the runner. */
export function observedReader(
  slug: string,
  reader: PageReader,
  observe: Pick<UpstreamObserver, 'called'>,
): PageReader {
  return {
    read: async (plan, limits) => {
      const startedAt = performance.now();
      const reading = await reader.read(plan, limits);
      const latencyMs = performance.now() - startedAt;
      observe.called({ slug, operation: 'fetch' }, { ...endOf(reading), latencyMs, waitedMs: 0 });
      return reading;
    },
  };
}

function endOf(
  reading: Awaited<ReturnType<PageReader['read']>>,
): Pick<ObservedCall, 'outcome' | 'code'> {
  if (reading.kind === 'cancelled') return { outcome: 'failed', code: 'cancelled' };
  if (reading.kind === 'fault') return { outcome: 'failed', code: reading.code };
  return { outcome: 'succeeded', code: null };
}
