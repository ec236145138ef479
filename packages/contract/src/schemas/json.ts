import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../values/json-object.ts';
import { LIMITS } from '../vocabulary/limits.ts';

/** The canonical 36-character form of a uuid, any version and case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An optional request field: null counts as absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value): z.output<T> | undefined => value ?? undefined)
    .optional();
}

/**
 * A free-form object, passed on unchanged. Unlike `z.record` it copies nothing, so a key such as
 * `__proto__` stays an ordinary key and is read back as sent.
 */
export function freeObject() {
  return z
    .custom<JsonObject>()
    .check((context) => {
      if (isJsonObject(context.value)) return;
      context.issues.push({ code: 'invalid_type', expected: 'record', input: context.value });
    })
    .meta({ type: 'object', additionalProperties: true });
}

/**
 * A list that stops reporting faulty items at a limit: `z.array` makes one issue for each, and a
 * megabyte of them would keep the process busy for a second.
 */
export function listOf<T extends z.ZodType>(item: T, minItems = 0, maxItems?: number) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input', unrepresentable: 'any' });
  return z
    .custom<z.input<T>[]>()
    .check((context) => {
      const list: unknown = context.value;
      if (!Array.isArray(list)) {
        context.issues.push({ code: 'invalid_type', expected: 'array', input: list });
        return;
      }
      if (list.length < minItems) {
        context.issues.push({ code: 'too_small', origin: 'array', minimum: minItems, input: list });
      }
      if (maxItems !== undefined && list.length > maxItems) {
        context.issues.push({ code: 'too_big', origin: 'array', maximum: maxItems, input: list });
        return;
      }
      let faults = 0;
      for (const [index, value] of list.entries()) {
        const { error } = item.safeParse(value);
        if (!error) continue;
        for (const issue of error.issues) {
          const input = issue.path.reduce((inner, step) => inner?.[step], value);
          context.issues.push({ ...issue, input, path: [index, ...issue.path] });
        }
        faults += 1;
        // One more than is reported, which shows that there are more.
        if (faults > LIMITS.reportedIssues) return;
      }
    })
    .meta({
      type: 'array',
      items,
      ...(minItems > 0 ? { minItems } : {}),
      ...(maxItems === undefined ? {} : { maxItems }),
    });
}

/** The same, with its items as their schema reads them: a pipe would report unknown keys twice. */
export const readListOf = <T extends z.ZodType>(item: T, minItems: number, maxItems: number) =>
  listOf(item, minItems, maxItems).transform((list) =>
    // a list with a faulty item is refused before it is used
    list.map((value) => item.safeParse(value).data as z.output<T>),
  );

/** The canonical 36-character form, any version and case; answered in lower case. */
export const uuid = z
  .custom<string>()
  .check((context) => {
    const input: unknown = context.value;
    if (typeof input !== 'string') {
      context.issues.push({ code: 'invalid_type', expected: 'uuid', input });
    } else if (!UUID.test(input)) {
      context.issues.push({ code: 'invalid_format', format: 'uuid', input });
    }
  })
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** Ids and times in answers: described, not checked again. */
export const uuidOut = z.string().meta({ format: 'uuid' });
export const dateTimeOut = z.string().meta({ format: 'date-time' });

/** Keywords of a list of words that may grow: the words, and what each means. */
export const OPEN_WORDS = 'x-extensible-enum';
export const WORD_MEANINGS = 'x-enum-descriptions';

/** Words of answers in a list that may grow: a client must accept one that it does not know. */
export function openEnum<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words).meta({ [OPEN_WORDS]: words });
}

/** The words of a catalogue with their meanings; open like those of `openEnum`. */
export function wordsOf<Word extends string>(catalogue: Readonly<Record<Word, string>>) {
  return { [OPEN_WORDS]: Object.keys(catalogue), [WORD_MEANINGS]: catalogue };
}
