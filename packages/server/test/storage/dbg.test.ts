import { it } from 'vitest';
import { databases } from '../support/databases.ts';
import { newProject } from './fixtures.ts';
import { runProgram } from './run-program.ts';
it('x', async () => {
  const opened = await databases[0]!.open();
  const projectId = await newProject(opened.store);
  const r = await runProgram('record-until-stopped', { store: { ...opened.location, workerUrl: opened.workerUrl.href }, projectId }, 'ulimit -f 6000;');
  console.log(await r.ended, r.child.signalCode, r.errors(), r.lines.length, r.lines.slice(-45));
});
