import { openStore } from '../../src/opening/open-store.ts';
import { programArguments } from './arguments.ts';

/** Renames and deletes what the project has, and is killed before it writes the audit entry. */
const { store: options, projectId } = programArguments();
const store = await openStore({ ...options, workerUrl: new URL(options.workerUrl) });
const at = new Date().toISOString();
await store.changing(async ({ keys, projects }) => {
  const isDone = [await projects.rename(projectId, 'another name')];
  for (const { id } of await keys.listKeys(projectId)) isDone.push(await keys.deleteKey(id, at));
  if (isDone.includes(false)) throw new Error('nothing was changed');
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
});
