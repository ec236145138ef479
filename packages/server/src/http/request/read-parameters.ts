import { storableText } from '@trawl/base';
import { z } from 'zod';

type Kind = 'text' | 'integer' | 'boolean';
type Values = Record<string, unknown>;

/** Query values of one request: as sent, and read as the types that the schema asks for. */
export interface Parameters {
  readonly sent: Readonly<Record<string, string>>;
  readonly read: Readonly<Values>;
}

/**
 * Makes the reader of a query string. Names that the schema does not have are ignored, unless it
 * is strict and refuses them; of a repeated one the last value counts. A text that is not an
 * integer or boolean stays a text, for the schema to refuse.
 */
export function queryReader(schema: z.ZodObject): (url: string) => Parameters {
  const kinds = kindsOf(schema);
  const isStrict = schema.def.catchall instanceof z.ZodNever;
  return (url) => {
    const sent: Record<string, string> = {};
    const read: Values = {};
    const start = url.indexOf('?');
    if (start < 0) return { sent, read };
    // Never throws: what cannot be decoded is read as U+FFFD, a percent sign without digits as
    // itself.
    for (const [name, value] of new URLSearchParams(url.slice(start))) {
      const kind = kinds.get(name);
      if (!kind && !isStrict) continue;
      sent[name] = storableText(value);
      read[name] = kind ? readAs(kind, sent[name]) : sent[name];
    }
    return { sent, read };
  };
}

/**
 * The type of each name in a schema, from its JSON Schema: unions with null and descriptions are
 * ignored.
 */
function kindsOf(schema: z.ZodObject): ReadonlyMap<string, Kind> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return new Map(
    Object.entries(properties).map(([name, property]): [string, Kind] => {
      const text = JSON.stringify(property);
      if (/"type":\[?"integer"/.test(text)) return [name, 'integer'];
      return [name, /"type":\[?"boolean"/.test(text) ? 'boolean' : 'text'];
    }),
  );
}

/** The forms that Pydantic takes for an integer and a boolean. */
const INTEGER = /^\s*[+-]?\d+(?:_\d+)*(?:\.0+)?\s*$/;
const TRUE = /^(?:1|true|t|yes|y|on)$/i;
const FALSE = /^(?:0|false|f|no|n|off)$/i;

function readAs(kind: Kind, text: string): unknown {
  if (kind === 'integer' && INTEGER.test(text)) {
    // Finite, so that a number of a thousand digits is too large and not something else.
    const number = Number(text.replaceAll('_', ''));
    return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
  }
  if (kind === 'boolean' && TRUE.test(text)) return true;
  if (kind === 'boolean' && FALSE.test(text)) return false;
  return text;
}
