import {
  type InteractionResponse,
  isJsonObject,
  parseJson,
  type WatchRunStatus,
  writeJson,
} from '@trawl/contract';
import { type ApiKey, IN_PROGRESS_ELSEWHERE } from '@trawl/router';
import type { StoredWatch, WatchError, WatchRunEnd } from '@trawl/store';
import { foundOf } from './found-items.ts';

/** The API from inside the process, as this key. */
export type ApiAsKey = (request: Request, key: ApiKey) => Promise<Response>;

export interface Ran extends Omit<WatchRunEnd, 'startedAt' | 'endedAt'> {
  /** It is the answer to an earlier run with the same key. */
  readonly isRepeat: boolean;
}

/**
 * Asks what a watch asks for, as an ordinary request of its key.
 * @param repeatKey its `Idempotency-Key`: a process that takes the run over gets what was recorded
 * @returns undefined while the process before may still record it
 */
export async function runWatch(
  watch: StoredWatch,
  key: ApiKey,
  api: ApiAsKey,
  repeatKey: string,
): Promise<Ran | undefined> {
  const response = await api(requestOf(watch, repeatKey), key);
  const text = await response.text();
  const answer = text === '' ? null : parseJson(text);
  const ran = response.ok
    ? answered(answer as InteractionResponse)
    : refused(response.status, answer);
  return ran && { ...ran, isRepeat: response.headers.has('idempotency-replayed') };
}

function requestOf({ id, sessionId, request }: StoredWatch, repeatKey: string): Request {
  const isSearch = 'search' in request;
  const asked = isSearch ? request.search : freshPages(request.fetch);
  const body = {
    ...asked,
    session_id: sessionId,
    metadata: { ...asked.metadata, watch_id: id },
  };
  return new Request(`http://localhost/v1/${isSearch ? 'search' : 'fetch'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': repeatKey,
    },
    body: writeJson(body),
  });
}

/** Our cache would show the page of an earlier run; the profile of the key may ask for no hash. */
export const freshPages = <Fetch extends { readonly options?: object | undefined }>(
  request: Fetch,
) => ({
  ...request,
  options: { tier: 'default', max_age_seconds: 0, ...request.options },
});

function answered(interaction: InteractionResponse): Omit<Ran, 'isRepeat'> {
  const parts = partsOf(interaction);
  const failed = parts.filter(({ problem }) => problem !== null);
  const message = failed.map(({ name, problem }) => `${name}: ${problem}`).join('; ');
  return {
    status: statusOf(parts.length, failed.length),
    error: failed.length === 0 ? null : errorOf(200, message),
    interactionId: interaction.interaction_id,
    found: foundOf(interaction),
  };
}

function statusOf(parts: number, failed: number): WatchRunStatus {
  if (failed === 0) return 'succeeded';
  return failed < parts ? 'partial' : 'failed';
}

/** The runs of a search or the pages of a fetch, each with what went wrong. */
function partsOf({ preprocessor_runs: runs }: InteractionResponse) {
  return runs.flatMap((run) => {
    const { output_payload: output, preprocessor_name: name } = run;
    if (output === null || 'results' in output) {
      return [{ name, problem: run.error === null ? null : run.error.message }];
    }
    return output.fetched_results.map(({ url, error }) => ({
      name: url,
      problem: error === null ? null : error.message,
    }));
  });
}

/** A page of which no provider could be asked was recorded, and is a failed run all the same. */
function refused(status: number, answer: unknown): Omit<Ran, 'isRepeat'> | undefined {
  const typed = isJsonObject(answer) && isJsonObject(answer.error) ? answer.error : undefined;
  const detail = isJsonObject(answer) ? answer.detail : undefined;
  const message = textOf(typed?.message ?? detail);
  if (status === 503 && message === IN_PROGRESS_ELSEWHERE) return undefined;
  const interactionId = typeof typed?.interaction_id === 'string' ? typed.interaction_id : null;
  return {
    status: interactionId === null ? 'refused' : 'failed',
    error: errorOf(status, message ?? 'the request was not answered'),
    interactionId,
    found: { answered: [], items: [] },
  };
}

/** The text of an error, or of the first fault of a list. */
function textOf(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail;
  const [first]: unknown[] = Array.isArray(detail) ? detail : [];
  return isJsonObject(first) && typeof first.msg === 'string' ? first.msg : undefined;
}

const MESSAGE_MAX = 500;

const errorOf = (status: number, message: string): WatchError => ({
  status,
  message: message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX - 1)}…` : message,
});
