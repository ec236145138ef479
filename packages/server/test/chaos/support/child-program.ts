import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { bundleForNode } from '@trawl/test-support/bundle-for-node';

/**
 * One of the programs of this folder in its own process, so its work does not delay what is
 * measured.
 */
export interface ChildProgram {
  /** Its first message. */
  readonly first: unknown;
  /** Sends a message and resolves with the next one that comes back. */
  ask(message: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startChildProgram(
  entry: URL,
  args: readonly string[],
): Promise<ChildProgram> {
  const child = fork(await bundleForNode(entry), [...args], { stdio: 'inherit', execArgv: [] });
  const first = await nextMessage(child);
  return {
    first,
    ask: (message) => {
      const answer = nextMessage(child);
      child.send(message as object);
      return answer;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const stopping = new AbortController();
  const ended = once(child, 'exit', { signal: stopping.signal }).then(() => {
    throw new Error('a helper process of the test ended early');
  });
  ended.catch(() => {});
  try {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message;
  } finally {
    stopping.abort();
  }
}
