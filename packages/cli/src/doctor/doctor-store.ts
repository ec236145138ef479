import type { Config } from '@trawl/server';
import { checkStore, type StoreCheck } from '@trawl/upkeep';
import type { DoctorCheck } from './doctor-check.ts';

/** Checks the database; `newestAt` is the time of its newest interaction. */
export async function checkDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<{ readonly check: DoctorCheck; readonly newestAt: string | null }> {
  const isEmbedded = config.databaseUrl === undefined;
  const found = await checkStore(config);
  const check = { check: 'database', ...describe(found, isEmbedded ? 'DATA_DIR' : 'DATABASE_URL') };
  return { check, newestAt: found.kind === 'works' ? found.newestAt : null };
}

function describe(found: StoreCheck, setting: string): Omit<DoctorCheck, 'check'> {
  switch (found.kind) {
    case 'absent':
      return {
        state: 'ok',
        message: `does not exist yet; the first start creates it in ${found.folder}`,
      };
    case 'no_folder': {
      const { folder, cause } = found;
      const message = `cannot be created, ${folder} is not writable (${cause}): set ${setting} to a folder that this user may write`;
      return { state: 'problem', message };
    }
    case 'unreadable': {
      const message = `does not answer (${found.cause}): check ${setting}, and that the database runs and may be read`;
      return { state: 'problem', message };
    }
    case 'unwritable': {
      const message = `can be read but not written (${found.cause}): check the permissions and disk space of ${setting}`;
      return { state: 'problem', message };
    }
    case 'damaged': {
      const message = `is damaged (${found.cause}): stop the server, and restore ${setting} from a backup`;
      return { state: 'problem', message };
    }
    case 'earlier_build':
      return { state: 'problem', message: found.cause };
    case 'works':
      return working(found, setting);
  }
}

function working(
  { schema, wrongUsageDay }: Extract<StoreCheck, { kind: 'works' }>,
  setting: string,
): Omit<DoctorCheck, 'check'> {
  switch (schema) {
    case 'newer': {
      const message = `was written by a newer trawl: update trawl, or name another database in ${setting}`;
      return { state: 'problem', message };
    }
    case 'older':
      return { state: 'ok', message: 'answers and is writable; the next start updates it' };
    case 'none':
      return { state: 'ok', message: 'answers and is empty; the first start creates its tables' };
    case 'current':
      if (wrongUsageDay !== null) {
        const message = `answers and is writable, but the usage of ${wrongUsageDay} differs from the ledger: sum it up again, see "Wrong usage" in operations`;
        return { state: 'warning', message };
      }
      return { state: 'ok', message: 'answers and is writable' };
  }
}
