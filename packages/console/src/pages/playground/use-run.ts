import { useQueryClient } from '@tanstack/react-query';
import { isApiError } from '@trawl/client/http';
import type { InteractionResponse, PlannedCall } from '@trawl/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { streamApi } from '../../api/call.ts';
import { hasStatus } from '../../api/error.ts';
import { sessionQuery } from '../../api/session.ts';
import { endpointOf, type PlannedRequest } from '../../requests/planned.ts';
import { answeredRun, type RunState, startedRun, withEnd, withEvent } from './run-state.ts';

export interface Runner {
  /** The latest request that was sent; null before the first. */
  readonly state: RunState | null;
  readonly run: (request: PlannedRequest, planned: readonly PlannedCall[]) => void;
  readonly cancel: () => void;
  /** Shows an answer that was recorded before, unless a request was sent meanwhile. */
  readonly show: (request: PlannedRequest, answer: InteractionResponse) => void;
}

/** Sends requests of the playground, one at a time, and follows their events. */
export function useRun(project: string): Runner {
  const [state, setState] = useState<RunState | null>(null);
  const client = useQueryClient();
  const current = useRef<AbortController>(undefined);
  const cancel = useCallback(() => current.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const run = useCallback(
    (request: PlannedRequest, planned: readonly PlannedCall[]) => {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      setState(startedRun(request, planned));
      const change = (next: (state: RunState) => RunState) => {
        // a later request has taken the place of this one
        if (current.current === controller) setState((state) => state && next(state));
      };
      void follow(project, request, controller.signal, change).then((error) => {
        // reading who is signed in asks to sign in again, over this page
        if (hasStatus(error, 401)) void client.refetchQueries(sessionQuery);
      });
    },
    [project, client],
  );
  const show = useCallback(
    (request: PlannedRequest, answer: InteractionResponse) =>
      setState((sent) => sent ?? answeredRun(request, answer)),
    [],
  );
  return { state, run, cancel, show };
}

async function follow(
  project: string,
  request: PlannedRequest,
  signal: AbortSignal,
  change: (next: (state: RunState) => RunState) => void,
): Promise<unknown> {
  let isAnswered = false;
  const onResponse = () => {
    isAnswered = true;
  };
  try {
    // the form holds any JSON: the server is the judge of it
    const input = { body: request.body as never, signal, onResponse };
    for await (const event of streamApi(project, endpointOf(request), input)) {
      change((state) => withEvent(state, event));
    }
    return undefined;
  } catch (cause) {
    if (signal.aborted) {
      change((state) => withEnd(state, 'cancelled', null));
      return undefined;
    }
    const error = isApiError(cause) || !isAnswered ? cause : new Error(BROKEN_OFF);
    change((state) => withEnd(state, 'failed', error));
    return error;
  }
}

const BROKEN_OFF =
  'The connection ended before the answer was complete. What was asked of providers is recorded: see Sessions';
