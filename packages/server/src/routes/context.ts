import { jsonText } from '@trawl/base';
import { contextAsText } from '@trawl/client/text';
import { LIMITS, type RouteInput } from '@trawl/contract';
import {
  type AskParts,
  type Caller,
  type ContextAnswer,
  type Contexts,
  dryRun,
  type EmitPart,
  type Fetch,
  findRecorded,
  type InteractionAnswer,
  pagesOfContext,
  REPEATED,
  recordedAnswer,
  type Search,
  usableProfile,
  withFetchProfile,
  withSearchProfile,
} from '@trawl/router';
import { requirePermission } from '../auth/permissions.ts';
import type { Reply } from '../http/answer/reply.ts';
import type { Handlers, RequestContext } from '../http/handler.ts';
import { apiKeyOf, askingCallerOf } from './caller.ts';
import { type ExecutionSources, inEvents, repeatable, storedAnswer } from './execution.ts';
import { textHeaders } from './text-reply.ts';

const ROUTE = 'context';

type Body = RouteInput<typeof ROUTE>['body'];

interface ContextSources extends ExecutionSources {
  readonly search: Search;
  readonly fetch: Fetch;
}

/** POST /v1/context: a search and a fetch that are executed and repeated like any other. */
export function contextRoutes(
  contexts: Contexts,
  sources: ContextSources,
): Pick<Handlers, typeof ROUTE> {
  const { parts, deployment } = sources;
  return {
    context: async ({ body, query }, context) => {
      const { max_pages = LIMITS.contextPagesDefault } = body;
      if (max_pages > 0) requirePermission(apiKeyOf(context), 'fetch');
      const { profile, notes } = usableProfile(context.caller, deployment);
      const filled: AskParts['filled'] = {
        search: (request) => withSearchProfile(request, profile),
        fetch: (request) => withFetchProfile(request, profile),
      };
      const sent = { ...askingCallerOf(context, deployment), notes };
      // a request with a key goes on when its caller has left
      const caller: Caller =
        context.idempotencyKey === undefined ? sent : { ...sent, signal: parts.signal };
      const isReplayKey = apiKeyOf(context).replaySession !== null;
      if (query.dry_run && !isReplayKey) {
        return { text: jsonText(await contexts.price(body, caller, filled)) };
      }
      const asked = isReplayKey
        ? recordedParts(filled, context, sources)
        : askedParts(body, filled, context, sources);
      if (query.dry_run) {
        await contexts.run(body, caller, asked);
        return { text: jsonText(dryRun([])) };
      }
      const headers: Record<string, string> = {};
      const onRepeat = () => {
        Object.assign(headers, REPEATED);
      };
      const answer = (emit?: EmitPart) => {
        const by = emit ? { ...caller, emit } : caller;
        return parts.follow(contexts.run(body, by, { ...asked, onRepeat }));
      };
      return reply(answer, headers, context);
    },
  };
}

async function reply(
  answer: (emit?: EmitPart) => Promise<ContextAnswer>,
  headers: Readonly<Record<string, string>>,
  context: RequestContext,
): Promise<Reply<typeof ROUTE>> {
  if (context.wantsEvents) {
    const whole = async (emit: EmitPart) => (await answer(emit)).text;
    return inEvents(whole, { route: ROUTE, headers }, context);
  }
  const { value, text } = await answer();
  const { textType } = context;
  if (textType === undefined) return { text, headers };
  // the text alone keeps to `max_tokens`; without a source it says why
  const plain = value.context.text || contextAsText(value).join('\n\n');
  const of = { session: value.session_id, interaction: value.search_interaction_id };
  return { plain, headers: { ...headers, ...textHeaders(textType, of) } };
}

/** Parts that providers answer, each once for an `Idempotency-Key`. */
function askedParts(
  body: Body,
  filled: AskParts['filled'],
  context: RequestContext,
  { search, fetch, parts }: ContextSources,
): AskParts {
  const once = (
    caller: Caller,
    execute: (by: Caller) => Promise<InteractionAnswer>,
    part?: string,
  ) =>
    repeatable(
      { route: ROUTE, body, execute, replay: storedAnswer, ...(part && { part }) },
      caller,
      context,
      parts,
    );
  return {
    filled,
    search: (request, caller, check) =>
      once(caller, async (by) => {
        check();
        return search.run(request, by);
      }),
    fetch: async (plan, _, caller) => {
      const nothing = new NothingToRead();
      const execute = async (by: Caller) => {
        const request = await plan();
        if (request === null) throw nothing;
        return fetch.run(request, by);
      };
      try {
        return await once(caller, execute, 'pages');
      } catch (error) {
        if (error instanceof NothingToRead) return null;
        throw error;
      }
    },
  };
}

/** Ends the part under its key without a record. */
class NothingToRead extends Error {}

/** Parts of a key that answers from the records of a session. */
function recordedParts(
  filled: AskParts['filled'],
  context: RequestContext,
  { search, reader }: ContextSources,
): AskParts {
  const { projectId, replaySession } = apiKeyOf(context);
  const sessionId = replaySession ?? '';
  return {
    filled,
    search: async (request) => {
      const stored = await findRecorded(
        search.asRecorded(request),
        { projectId, sessionId },
        reader,
      );
      return { answer: recordedAnswer(stored), isRepeat: true };
    },
    fetch: async (_, searched) => {
      const stored = await pagesOfContext(searched, projectId, reader);
      return stored ? { answer: recordedAnswer(stored), isRepeat: true } : null;
    },
  };
}
