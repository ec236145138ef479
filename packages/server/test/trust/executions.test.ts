import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { createExecutions } from '@trawl/router';
import { expect, it } from 'vitest';
import { event } from '../http/app.ts';

it('a stop waits for work that came until the last connection was closed', async () => {
  const executions = createExecutions();
  const [closing, working] = [event(), event()];
  let isStopped = false;
  const stopping = executions.stop(closing.happened, 60_000).then(() => {
    isStopped = true;
  });
  const followed = executions.follow(working.happened);
  closing.happen();
  await turn();
  expect(isStopped).toBe(false);
  working.happen();
  await Promise.all([stopping, followed]);
  expect(executions.signal.aborted).toBe(false);
});

it('a stop aborts work that takes longer than its grace, and waits for what it records', async () => {
  const executions = createExecutions();
  const recording = event();
  let isRecorded = false;
  const work = executions.follow(
    once(executions.signal, 'abort').then(async () => {
      await recording.happened;
      isRecorded = true;
    }),
  );
  const stopping = executions.stop(Promise.resolve(), 1);
  await once(executions.signal, 'abort');
  recording.happen();
  await stopping;
  expect(isRecorded).toBe(true);
  await work;
});

it('a stop ends even if work does not', async () => {
  const executions = createExecutions();
  void executions.follow(new Promise(() => {}));
  await executions.stop(Promise.resolve(), 1);
  expect(executions.signal.aborted).toBe(true);
});

it('work that fails is over too', async () => {
  const executions = createExecutions();
  const work = executions.follow(Promise.reject(new Error('refused')));
  await executions.stop(Promise.resolve(), 60_000);
  await expect(work).rejects.toThrow('refused');
});
