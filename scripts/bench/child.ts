import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Usage {
  /** CPU time of all threads so far. */
  readonly cpuMicros: number;
  readonly memoryMb: number;
  /** 99th percentile of the event loop's delay since the last report. */
  readonly loopDelayP99Ms: number;
}

export interface Child {
  readonly url: string;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => void;
}

/** Starts a script that reports `{url}` and answers `usage` over its channel (see report.mjs). */
export async function startChild(
  script: string,
  environment: Record<string, string>,
): Promise<Child> {
  const child = fork(script, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { url } = (await message(child)) as { url: string };
  return {
    url,
    usage: async () => {
      child.send('usage');
      return (await message(child)) as Usage;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

async function message(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const exited = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a bench process ended with ${code}`);
  });
  try {
    const [received] = await Promise.race([once(child, 'message', { signal }), exited]);
    return received;
  } finally {
    exited.catch(() => undefined);
    answered.abort();
  }
}
