import { setTimeout as delay } from 'node:timers/promises';
import { causeOf } from './reply-error.ts';
import type { Session } from './session.ts';

/**
 * Keeps one session while the server can be reached, and looks for it in the background while it
 * cannot.
 */
export interface KeptSession {
  current(): Session | undefined;
  /** Ends a session that does not work, and with it all that waits for its answers. */
  drop(session: Session, cause: string): void;
  /** Resolves after the first try. */
  start(): Promise<void>;
  close(): void;
}

export interface KeptSessionOptions {
  readonly open: (onBroken: (cause: unknown) => void) => Promise<Session>;
  /**
   * Between two tries, in milliseconds, give or take a fifth, so that replicas do not try all at
   * once.
   */
  readonly pauseMs: number;
  readonly onUp: (session: Session) => void;
  /** A session ended, or a try to open one failed. */
  readonly onDown: (cause: string) => void;
}

export function keepSession({ open, pauseMs, onUp, onDown }: KeptSessionOptions): KeptSession {
  const stopping = new AbortController();
  const { signal } = stopping;
  let session: Session | undefined;

  const drop = (left: Session, cause: string): void => {
    if (left !== session) return;
    session = undefined;
    left.close();
    onDown(cause);
    void keepTrying();
  };

  const tryOnce = async (): Promise<void> => {
    let opened: Session | undefined;
    let brokenBy: string | undefined;
    opened = await open((cause) => {
      brokenBy = causeOf(cause);
      if (opened !== undefined) drop(opened, brokenBy);
    });
    if (brokenBy !== undefined || signal.aborted) {
      opened.close();
      throw new Error(brokenBy ?? 'closed');
    }
    session = opened;
    onUp(opened);
  };

  /** One at a time: it starts with the first try and whenever a session ends. Never rejects. */
  async function keepTrying(onTried?: () => void): Promise<void> {
    while (session === undefined && !signal.aborted) {
      try {
        await tryOnce();
      } catch (error) {
        if (!signal.aborted) onDown(causeOf(error));
        onTried?.();
        const waitMs = pauseMs * (0.8 + 0.4 * Math.random());
        await delay(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    onTried?.();
  }

  return {
    current: () => session,
    drop,
    start: () => new Promise((resolve) => void keepTrying(resolve)),
    close() {
      stopping.abort();
      session?.close();
      session = undefined;
    },
  };
}
