import { commandHere } from '@trawl/client/terminal/manifest';
import { note, printJson } from '@trawl/client/terminal/output';
import { LIMITS } from '@trawl/contract';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { auditWriter } from './audited-keys.ts';
import { withDatabase } from './key-database.ts';
import { retentionText } from './keys-output.ts';

interface RetentionOptions {
  readonly days: string;
  readonly json?: boolean;
}

/** Sets how long the interactions of a project are kept. */
export async function retainProject(
  runtime: Runtime,
  name: string,
  { days: text, json = false }: RetentionOptions,
): Promise<void> {
  const days = readDays(text);
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const { keys, projects } = store;
    if (!(await projects.setRetention(name, days))) {
      throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
    }
    const id = (await keys.listProjects()).find((project) => project.name === name)?.id ?? null;
    const target = { kind: 'project', id, name };
    const detail = { retention: days === null ? 'default' : days || 'keep' };
    await auditWriter(store)({
      action: 'project.retention_changed',
      projectId: id,
      target,
      detail,
    });
    if (json) printJson({ name, retention: days === null ? text : days || 'keep' });
    else note(`interactions of project ${name} are kept: ${retentionText(days ?? undefined)}\n`);
  });
}

/** 0 = for ever, null = as the setting says. */
function readDays(text: string): number | null {
  if (text === 'default') return null;
  if (text === 'keep') return 0;
  const days = Number(text);
  if (/^\d{1,6}$/.test(text) && days >= 1 && days <= LIMITS.retentionDays) return days;
  throw new UsageError(`DAYS takes 1 to ${LIMITS.retentionDays}, keep or default`);
}
