import type { Settings } from '@trawl/test-support/program';
import { startChildProgram } from './child-program.ts';
import type { StubBehaviour, StubCounts, StubMessage } from './stub-types.ts';

/** A search upstream in its own process, in the shapes of exa and brave. */
export interface Stub {
  readonly url: string;
  /**
   * Settings that make exa and brave the default providers, with their calls going to this stub.
   */
  readonly settings: Settings;
  /**
   * Changes its behaviour from now on. The rest is as at the start: 5 rows of 600 characters, at
   * once.
   */
  behave(behaviour: Partial<StubBehaviour>): Promise<void>;
  /** Counts since the start or the last `clear`. */
  counts(): Promise<StubCounts>;
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function startStub(behaviour: Partial<StubBehaviour> = {}): Promise<Stub> {
  const program = await startChildProgram(new URL('./stub-program.ts', import.meta.url), []);
  const url = String(program.first);
  const ask = (message: StubMessage) => program.ask(message) as Promise<StubCounts>;
  await ask({ kind: 'behave', behaviour });
  return {
    url,
    settings: {
      EXA_BASE_URL: `${url}/exa`,
      EXA_API_KEY: 'stub-key-of-exa',
      BRAVE_BASE_URL: `${url}/brave`,
      BRAVE_API_KEY: 'stub-key-of-brave',
    },
    behave: async (changed) => {
      await ask({ kind: 'behave', behaviour: changed });
    },
    counts: () => ask({ kind: 'counts' }),
    clear: async () => {
      await ask({ kind: 'clear' });
    },
    stop: () => program.stop(),
  };
}
