import { jsonText, readJson } from '@trawl/base';
import type { JsonObject } from '@trawl/contract';
import type { KnownRequest, RecordedRequest, StoredInteraction } from '../interaction/records.ts';
import { sortedJson } from '../interaction/request-repeat.ts';
import type { InteractionReader } from '../interaction/store.ts';
import { RequestError } from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';

/** A request as its record would have it. */
export interface AsRecorded {
  /** null = a step without input, which asks nothing. */
  readonly userInput: JsonObject | null;
  readonly request: RecordedRequest | null;
}

/** Where recorded answers are looked for. */
export interface RecordedIn {
  readonly projectId: string;
  readonly sessionId: string;
}

/**
 * The first answer to this request in a session: later ones may be replays of it. The ids, the
 * label and the metadata of a request do not matter.
 * @throws RequestError 409 where the session has none
 */
export async function findRecorded(
  { userInput, request }: AsRecorded,
  { projectId, sessionId }: RecordedIn,
  reader: Pick<InteractionReader, 'requestsOf' | 'interaction'>,
): Promise<StoredInteraction> {
  const input = userInput && jsonText<JsonObject>(userInput);
  const known =
    input === null ? [] : await readStore(() => reader.requestsOf(projectId, sessionId, input));
  const wanted = input && request && requestText({ userInput: input, request: jsonText(request) });
  const found = known.find((one) => requestText(one) === wanted);
  const stored =
    found && (await readStore(() => reader.interaction(projectId, sessionId, found.id)));
  if (stored) return stored;
  throw new RequestError(
    409,
    'This key answers from the records of one session alone, and that session has no such request: nothing was sent or billed',
    { typed: { code: 'not_recorded' } },
  );
}

/** A request in one form, whatever the order of its members; null = it was not kept. */
function requestText({ userInput, request }: Omit<KnownRequest, 'id'>): string | null {
  if (request === null) return null;
  return sortedJson([readJson(userInput), asked(readJson(request))]);
}

/** What a request asks for: not how old an answer may be, or what it may cost. */
function asked(request: RecordedRequest): RecordedRequest {
  if ('fetch' in request) {
    const { max_cost_usd: _, ...fetch } = request.fetch;
    return { ...request, fetch };
  }
  const {
    max_age_seconds: _age,
    no_cache: _cache,
    max_cost_usd: _cost,
    ...search
  } = request.search;
  return { ...request, search };
}
