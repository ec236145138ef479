import { randomBytes } from 'node:crypto';
import { type Clock, isoTime } from '@trawl/base';
import { PERMISSIONS } from '@trawl/contract';
import { type ApiKey, changeStore, type KeyStore, readStore } from '@trawl/router';

type HiddenKeys = Pick<KeyStore, 'hiddenKey' | 'ensureHiddenKey'>;

/** The name of the hidden key of each project, as usage shows it. */
export const CONSOLE_KEY_NAME = 'console';

/**
 * The hidden key of a project, with the project's limits as they are now. It is made when it is
 * first needed. No caller can send it: its digest is random bytes, not the digest of a key.
 * @throws RequestError 503 when the database cannot be used
 */
export function createConsoleKey(keys: HiddenKeys, clock: Clock) {
  return async (projectId: string): Promise<ApiKey> => {
    const known = await readStore(() => keys.hiddenKey(projectId));
    if (known) return known;
    const digest = randomBytes(32).toString('hex');
    await changeStore(() => keys.ensureHiddenKey(newRecord(projectId, clock), digest));
    const made = await readStore(() => keys.hiddenKey(projectId));
    if (!made) throw new Error('the hidden key of a project was deleted while it was made');
    return made;
  };
}

const newRecord = (projectId: string, clock: Clock): ApiKey => ({
  id: clock.newId(),
  projectId,
  name: CONSOLE_KEY_NAME,
  lastFour: '',
  permissions: PERMISSIONS,
  createdAt: isoTime(clock.now()),
  expiresAt: null,
  revokedAt: null,
  disabledAt: null,
  createdBy: null,
  allowedProviders: null,
  noTraining: false,
  allowedDomains: null,
  profile: null,
  replaySession: null,
  rotatedFrom: null,
  loginClient: null,
  isHidden: true,
  rateLimit: null,
  monthlyBudgetMicros: null,
});
