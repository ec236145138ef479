import { type Config, LOGIN_PATHS, loginPlace } from '@trawl/server';
import type { DoctorCheck } from './doctor-check.ts';

const TIMEOUT_MS = 5_000;

/**
 * Whether clients of `/mcp` can find where people log in, by the address that clients use; nothing
 * where login is off, or a setting is missing, which the settings say.
 */
export async function checkLogin(
  config: Pick<Config, 'mcpLogin' | 'publicUrl' | 'console' | 'allowedHosts'>,
): Promise<readonly DoctorCheck[]> {
  const place = loginPlace(config);
  if (!place) return [];
  const check = 'login';
  const url = `${place.issuer}${LOGIN_PATHS.serverMetadata}`;
  const found = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    .then(async (answer): Promise<unknown> => {
      if (!answer.ok) return `is answered with HTTP ${answer.status}`;
      return answer.json().catch(() => 'is not answered with JSON');
    })
    .catch(() => 'is not answered');
  if (typeof found === 'object' && found !== null && 'issuer' in found) {
    return found.issuer === place.issuer
      ? [{ check, state: 'ok', message: `people log in to ${place.resource}` }]
      : [{ check, state: 'problem', message: `another server answers at ${url}` }];
  }
  const what = typeof found === 'string' ? found : 'is answered without an issuer';
  return [
    {
      check,
      state: 'warning',
      message: `${url} ${what}: start the server, or let the proxy in front pass /.well-known and /oauth on`,
    },
  ];
}
