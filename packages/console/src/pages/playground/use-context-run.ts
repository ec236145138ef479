import type { ContextResponse, RouteRequest } from '@trawl/contract';
import { useEffect, useRef, useState } from 'react';
import { streamApi } from '../../api/call.ts';

/** The body of the request. */
export type SentContext = RouteRequest<'context'>;

export interface ContextRun {
  readonly isRunning: boolean;
  /** Sources whose text is there already. */
  readonly arrived: number;
  readonly answer: ContextResponse | null;
  readonly error: unknown;
}

const EMPTY: ContextRun = { isRunning: false, arrived: 0, answer: null, error: null };

/** Asks for a context and keeps the result. Leaving the page ends the request. */
export function useContextRun(project: string) {
  const [state, setState] = useState(EMPTY);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (body: SentContext): Promise<void> => {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    setState({ ...EMPTY, isRunning: true });
    const change = (part: Partial<ContextRun>) => {
      if (stop.current === own) setState((before) => ({ ...before, ...part }));
    };
    try {
      let arrived = 0;
      const events = streamApi(project, 'POST /v1/context', { body, signal: own.signal });
      for await (const { event, data } of events) {
        if (event === 'source') arrived += 1;
        change(event === 'done' ? { answer: data } : { arrived });
      }
    } catch (error) {
      if (!own.signal.aborted) change({ error });
    }
    change({ isRunning: false });
  };
  return { ...state, run, cancel: () => stop.current?.abort() };
}
