import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '../../../api/call.ts';
import type { PlannedRequest } from '../../../requests/planned.ts';
import { requestOfRecord } from '../../../requests/record.ts';
import type { Runner } from './use-run.ts';

interface Shown {
  readonly project: string;
  /** The session and interaction that the address names, with a point between them. */
  readonly place: string | null;
  readonly onPlace: (place: string | null) => void;
  /** The request of the form; null until it is known. */
  readonly request: PlannedRequest | null;
}

/**
 * Keeps the place of the shown answer in the address, and reads the answer back from its record when a page begins with one: a
 * reload buys nothing again.
 */
export function useShownAnswer(runner: Runner, { project, place, onPlace, request }: Shown) {
  const { state, show } = runner;
  const phase = state?.phase;
  const answer = state?.answer;
  const answered = answer ? `${answer.session_id}.${answer.interaction_id}` : null;
  const [session = '', interaction = ''] = place?.split('.') ?? [];
  const query = useQuery({
    queryKey: ['playground', project, 'answer', place],
    queryFn: ({ signal }) =>
      callApi(project, 'GET /v1/interactions', {
        query: { session_id: session, interaction_id: interaction },
        signal,
      }),
    enabled: place !== null && state === null && request !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useEffect(() => {
    // another one, or none while it runs
    if (phase !== undefined && answered !== place) onPlace(answered);
  }, [phase, answered, place, onPlace]);
  useEffect(() => {
    const { data } = query;
    if (!data || !request || state !== null) return;
    const isFetch = data.preprocessor_runs[0]?.request_payload.urls !== undefined;
    const isSame = (request.mode === 'fetch') === isFetch;
    show(isSame ? request : (requestOfRecord(data) ?? request), data);
  }, [query, request, state, show]);
  return query;
}
