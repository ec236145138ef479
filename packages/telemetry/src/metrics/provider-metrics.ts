import type { ObservedTarget, UpstreamObserver } from '@trawl/upstream';
import { Counter, Histogram, type Registry } from 'prom-client';
import { callSeconds, waitSeconds } from './buckets.ts';

const LABELS = ['provider', 'operation'] as const;

const labelsOf = ({ slug, operation }: ObservedTarget) => ({ provider: slug, operation });
/** Written out: to add a label to a spread object costs three times as much. */
const reasonOf = ({ slug, operation }: ObservedTarget, reason: string) => ({
  provider: slug,
  operation,
  reason,
});

/** What calls to providers take and bring. */
export function providerMetrics(registry: Registry): UpstreamObserver {
  const registers = [registry];
  const durations = new Histogram({
    name: 'trawl_provider_request_duration_seconds',
    help: 'Time of a call to a provider, its retry included, without the wait for a slot. Outcome: succeeded, empty (a good answer with nothing found) or failed.',
    labelNames: [...LABELS, 'outcome'],
    buckets: callSeconds,
    registers,
  });
  const attempts = new Counter({
    name: 'trawl_provider_attempts_total',
    help: 'Requests sent to a provider, retries included. Reason: ok, or the error code of the attempt.',
    labelNames: [...LABELS, 'reason'],
    registers,
  });
  const unsent = new Counter({
    name: 'trawl_provider_unsent_total',
    help: 'Calls that were not sent, by error code: no key, an open circuit, no slot in time.',
    labelNames: [...LABELS, 'reason'],
    registers,
  });
  const waits = new Histogram({
    name: 'trawl_provider_slot_wait_seconds',
    help: 'Wait for one of our slots of a provider, of the calls that had to wait.',
    labelNames: [...LABELS],
    buckets: waitSeconds,
    registers,
  });
  const openings = new Counter({
    name: 'trawl_provider_breaker_opened_total',
    help: 'How often the circuit of a provider opened, or stayed open after a probe, by cause.',
    labelNames: [...LABELS, 'reason'],
    registers,
  });
  return {
    called: (target, { outcome, code, latencyMs, waitedMs }) => {
      if (waitedMs > 0) waits.observe(labelsOf(target), waitedMs / 1000);
      if (outcome === 'unsent') unsent.inc(reasonOf(target, code ?? 'internal_error'));
      else {
        const { slug, operation } = target;
        durations.observe({ provider: slug, operation, outcome }, latencyMs / 1000);
      }
    },
    attempted: (target, code) => attempts.inc(reasonOf(target, code ?? 'ok')),
    opened: (target, cause) => openings.inc(reasonOf(target, cause ?? 'unknown')),
  };
}
