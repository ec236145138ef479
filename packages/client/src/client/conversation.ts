import type { JsonObject } from '../contract/types.ts';
import { TrawlError } from '../values/errors.ts';
import { isObject } from '../values/json.ts';
import { checkNames, namesOf } from '../values/names.ts';

/** One turn of a conversation. */
export interface Turn {
  readonly role: string;
  readonly content: string;
}

/** The state from which a conversation can be restored, for example in another process. */
export interface ConversationState {
  readonly id: string;
  readonly turns: readonly Turn[];
  /** How many turns were sent to each session. */
  readonly sent: Readonly<Record<string, number>>;
  /** The session of the last request. */
  readonly sessionId: string | null;
}

export interface ConversationOptions extends Partial<ConversationState> {
  /**
   * false: every request carries all turns. When absent, the client decides
   * (`SERVICE_INCREMENTAL=off`, see `Trawl.fromSettings`).
   */
  readonly incremental?: boolean | undefined;
}

/**
 * The turns that lead to a search or fetch. A call with a conversation sends the turns that its
 * session does not have yet, as `metadata.conversation`. They are recorded with the interaction,
 * and never sent to a provider.
 */
export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly sessionId: string | null;
  /** Adds a turn and returns its index. */
  add(
    role: 'user' | 'assistant' | 'system' | 'tool' | (string & Record<never, never>),
    content: string,
  ): number;
  /**
   * A request with the turns that its session does not have. Without a session it uses that of the
   * previous request.
   * @param incremental whether it leaves out the turns that were sent, if the conversation does not
   * say it; true when absent
   */
  attach<T extends LineageRequest>(
    request: T,
    incremental?: boolean,
  ): T & { readonly metadata: JsonObject };
  /**
   * Marks the first `count` turns as sent to a session. The client does this after a request was
   * recorded.
   */
  recorded(sessionId: string, count: number): void;
  toJSON(): ConversationState;
}

export interface LineageRequest {
  readonly session_id?: string | null | undefined;
  readonly metadata?: JsonObject | null | undefined;
}

const NAMES = namesOf<ConversationOptions>({
  id: true,
  turns: true,
  sent: true,
  sessionId: true,
  incremental: true,
});

/** @throws TrawlError `usage` when the given state is invalid */
export function createConversation(options: ConversationOptions = {}): Conversation {
  checkNames('a conversation', options, NAMES);
  const { id = crypto.randomUUID() } = options;
  const turns = (options.turns ?? []).map(checkedTurn);
  const known = Object.entries(options.sent ?? {}).filter(([, count]) => Number.isInteger(count));
  const sent = new Map(known);
  let sessionId = options.sessionId ?? null;
  return {
    id,
    get turns() {
      return turns;
    },
    get sessionId() {
      return sessionId;
    },
    add: (role, content) => turns.push(checkedTurn({ role, content })) - 1,
    attach: (request, byDefault = true) => {
      const { metadata } = request;
      if (isObject(metadata) && metadata.conversation !== undefined) {
        throw new TrawlError(
          'usage',
          'metadata.conversation is set by the conversation: leave it out',
        );
      }
      const session = (request.session_id ?? sessionId)?.toLowerCase();
      const { incremental = byDefault } = options;
      const from = incremental && session !== undefined ? (sent.get(session) ?? 0) : 0;
      const fresh = turns.slice(from).map((turn, place) => ({ index: from + place, ...turn }));
      return {
        ...request,
        ...(session === undefined ? {} : { session_id: session }),
        metadata: { ...metadata, conversation: { id, from, turns: fresh } },
      };
    },
    recorded: (session, count) => {
      const name = session.toLowerCase();
      sessionId = name;
      // two requests may run at once, and their answers may arrive in either order
      sent.set(name, Math.max(count, sent.get(name) ?? 0));
    },
    toJSON: () => ({ id, turns: [...turns], sent: Object.fromEntries(sent), sessionId }),
  };
}

function checkedTurn({ role, content }: Turn): Turn {
  if (typeof role === 'string' && typeof content === 'string') return { role, content };
  throw new TrawlError('usage', 'a turn is { role, content }, both strings');
}
