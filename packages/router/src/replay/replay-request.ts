import { type JsonText, readJson } from '@trawl/base';
import {
  InteractionRequest,
  isSearchInput,
  type JsonObject,
  type SearchOptions,
} from '@trawl/contract';
import type { StoredInteraction } from '../interaction/records.ts';
import { invalidAt, RequestError } from '../requests/request-error.ts';

const NOT_RECORDED = { typed: { code: 'not_recorded' } } as const;
const PLACE = ['path', 'interaction_id'];

/**
 * The request that asks for a recorded search again, in the same session, as a body that was read.
 * @throws RequestError 422 for what was no search, 409 where its request was not kept or is not
 * valid any more
 */
export function replayRequest(stored: StoredInteraction): InteractionRequest {
  const { id, sessionId, userInput, metadata, request } = stored;
  if (userInput === null) {
    throw invalidAt(PLACE, 'this interaction has no input: only searches can be replayed', id);
  }
  const input = readJson(userInput);
  const known = request && readJson(request);
  if ((known && 'fetch' in known) || !isSearchInput(input)) {
    throw invalidAt(PLACE, 'this interaction is a fetch: only searches can be replayed', id);
  }
  if (known === null) {
    throw new RequestError(
      409,
      'The request of this search was not kept, as in earlier versions and in probes: send it again yourself',
      NOT_RECORDED,
    );
  }
  const body = {
    ...known,
    search: freshOptions(known.search),
    session_id: sessionId,
    user_input: 'queries' in input ? input.queries : input,
    metadata: replayMetadata(metadata, id),
  };
  const parsed = InteractionRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new RequestError(
    409,
    `The request of this search is not valid in this version (${place}: ${issue?.message ?? 'unknown'}): send it again yourself`,
    NOT_RECORDED,
  );
}

/** A replay asks again. */
function freshOptions({ max_age_seconds: _, ...options }: SearchOptions): SearchOptions {
  return { ...options, no_cache: true };
}

function replayMetadata(metadata: JsonText<JsonObject>, id: string): JsonObject {
  return { ...readJson(metadata), replay_of: id };
}
