import type { JsonParts } from '@trawl/base';
import { type Answered, answerAsText } from '@trawl/client/text';
import { type InteractionResponse, LIMITS } from '@trawl/contract';
import type { PlainReply } from '../http/answer/reply.ts';
import type { TextType } from '../http/answer/text-type.ts';

interface WantedText {
  readonly type: TextType;
  /** `max_chars` of the request. */
  readonly maxCharacters?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The headers of a text for a model, which names the answer it is of. */
export const textHeaders = (
  type: TextType,
  of: { readonly session: string; readonly interaction: string },
) => ({
  'content-type': `${type}; charset=utf-8`,
  'x-trawl-interaction-id': of.interaction,
  'x-trawl-session-id': of.session,
});

/** An answer as text for a model, instead of its JSON. */
export function textReply(json: JsonParts<InteractionResponse>, wanted: WantedText): PlainReply {
  // our own JSON, in the shape that the client reads too
  const answer = JSON.parse(json.join('')) as Answered;
  const { maxCharacters = LIMITS.textCharactersDefault } = wanted;
  const of = { session: answer.session_id, interaction: answer.interaction_id };
  return {
    plain: answerAsText(answer, { maxCharacters }),
    headers: { ...wanted.headers, ...textHeaders(wanted.type, of) },
  };
}
