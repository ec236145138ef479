import type { JsonParts } from '@trawl/base';
import { type Answered, answerAsText } from '@trawl/client/text';
import { type InteractionResponse, LIMITS } from '@trawl/contract';
import type { PlainReply } from '../http/handler.ts';
import type { TextType } from '../http/text-type.ts';

interface WantedText {
  readonly type: TextType;
  /** `max_chars` of the request. */
  readonly maxCharacters?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer as text for a model, instead of its JSON. */
export function textReply(json: JsonParts<InteractionResponse>, wanted: WantedText): PlainReply {
  // our own JSON, in the shape that the client reads too
  const answer = JSON.parse(json.join('')) as Answered;
  const { maxCharacters = LIMITS.textCharactersDefault } = wanted;
  return {
    plain: answerAsText(answer, { maxCharacters }),
    headers: {
      ...wanted.headers,
      'content-type': `${wanted.type}; charset=utf-8`,
      'x-trawl-interaction-id': answer.interaction_id,
      'x-trawl-session-id': answer.session_id,
    },
  };
}
