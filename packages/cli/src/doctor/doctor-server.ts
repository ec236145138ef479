import { commandHere } from '@trawl/client/terminal/manifest';
import { PreprocessorRoster } from '@trawl/contract';
import type { Config } from '@trawl/server';
import type { DoctorCheck } from './doctor-check.ts';

const TIMEOUT_MS = 3_000;
/** Addresses that mean all interfaces of a machine, and the loopback address that reaches them. */
const LOOPBACK_OF: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Whether a server answers at the configured address. It may not be started yet, so silence is only
 * a warning.
 */
export async function checkServer({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): Promise<DoctorCheck> {
  const check = 'server';
  if (port === 0)
    return { check, state: 'skipped', message: 'PORT is 0, so its address is not known' };
  const url = `${addressOf({ host, port })}/readyz`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { check, ...reading(answer.status, await answer.text(), url) };
  } catch (error) {
    const isSlow = error instanceof Error && error.name === 'TimeoutError';
    return isSlow
      ? {
          check,
          state: 'problem',
          message: `${url} does not answer within ${TIMEOUT_MS / 1000} s: look at its log, or set another PORT`,
        }
      : {
          check,
          state: 'warning',
          message: `nothing answers at ${url}: start it with ${commandHere()} serve, or ignore this if it should not run`,
        };
  }
}

function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = LOOPBACK_OF[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** What the server says of the answers of its search providers; empty where it says nothing. */
export async function checkHealth(
  config: Pick<Config, 'host' | 'port'>,
): Promise<readonly DoctorCheck[]> {
  if (config.port === 0) return [];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const roster = await fetch(`${addressOf(config)}/v1/preprocessors`, { signal })
    .then(async (answer) => PreprocessorRoster.safeParse(await answer.json()).data)
    .catch(() => undefined);
  return (roster?.preprocessors ?? []).flatMap(
    ({ slug, health: { state, since } }): DoctorCheck[] =>
      state !== 'ill' && state !== 'doubtful'
        ? []
        : [
            {
              check: `${slug} health`,
              state: 'warning',
              message: `its answers are ${state === 'ill' ? 'worse than before' : 'perhaps worse than before'} since ${since}: GET /v1/providers/${slug}/health says why; "${commandHere()} providers --reset-health ${slug}" when it works again`,
            },
          ],
  );
}

function reading(status: number, text: string, url: string): Omit<DoctorCheck, 'check'> {
  const { status: health, detail } = answerIn(text);
  if (status === 200 && health === 'ok') return { state: 'ok', message: `ready at ${url}` };
  if (status === 503 && health === 'unavailable') {
    const reason = typeof detail === 'string' ? `: ${detail}` : '';
    return { state: 'problem', message: `not ready at ${url}${reason}; see its log` };
  }
  const message = `something other than trawl answers at ${url} (HTTP ${status}): set another PORT, or stop it`;
  return { state: 'problem', message };
}

function answerIn(text: string): { readonly status?: unknown; readonly detail?: unknown } {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
