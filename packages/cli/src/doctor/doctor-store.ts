import type { Config } from '@trawl/server';
import { checkStore, type StoreCheck } from '@trawl/store';
import type { Check } from './doctor-check.ts';

/** Asks the database; `newestAt` is when it last recorded an interaction. */
export async function checkDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<{ readonly check: Check; readonly newestAt: string | null }> {
  const isEmbedded = config.databaseUrl === undefined;
  const found = await checkStore(config);
  const check = { check: 'database', ...describe(found, isEmbedded ? 'DATA_DIR' : 'DATABASE_URL') };
  return { check, newestAt: found.kind === 'works' ? found.newestAt : null };
}

function describe(found: StoreCheck, setting: string): Omit<Check, 'check'> {
  switch (found.kind) {
    case 'absent':
      return { state: 'ok', message: `none yet; the first start makes it in ${found.folder}` };
    case 'no_folder': {
      const { folder, cause } = found;
      const message = `cannot be made, ${folder} takes no file (${cause}): set ${setting} to a folder that this user may write`;
      return { state: 'problem', message };
    }
    case 'unreadable': {
      const message = `does not answer (${found.cause}): check ${setting}, and that it runs or may be read`;
      return { state: 'problem', message };
    }
    case 'unwritable': {
      const message = `can be read but not written (${found.cause}): check permissions and disk space of ${setting}`;
      return { state: 'problem', message };
    }
    case 'damaged': {
      const message = `is damaged (${found.cause}): stop the server, and restore ${setting} from a backup`;
      return { state: 'problem', message };
    }
    case 'works':
      return working(found, setting);
  }
}

function working(
  { schema, wrongUsageDay }: Extract<StoreCheck, { kind: 'works' }>,
  setting: string,
): Omit<Check, 'check'> {
  switch (schema) {
    case 'newer': {
      const message = `was written by a newer trawl: update trawl, or name another database in ${setting}`;
      return { state: 'problem', message };
    }
    case 'older':
      return { state: 'ok', message: 'answers and can be written; the next start updates it' };
    case 'none':
      return { state: 'ok', message: 'answers and is empty; the first start fills it' };
    case 'current':
      if (wrongUsageDay !== null) {
        const message = `answers and can be written, but the usage of ${wrongUsageDay} is not what the ledger says: sum it up again, see "Wrong usage" in operations`;
        return { state: 'warning', message };
      }
      return { state: 'ok', message: 'answers and can be written' };
  }
}
