import { z } from 'zod';
import { LIMITS } from '../limits.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** The canonical 36-character form of a uuid, any version and case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An optional request field: null counts as absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value): z.output<T> | undefined => value ?? undefined)
    .optional();
}

/**
 * A free-form object, handed on as it came. Unlike `z.record` it copies nothing, so a key such as `__proto__`
 * stays an ordinary key and is read back as sent.
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
 * A list that stops reporting faulty items at a limit: `z.array` makes one issue for each, and a megabyte of them
 * would keep the process busy for a second.
 */
export function listOf<T extends z.ZodType>(item: T, minItems = 0) {
  const { $schema: _, ...items } = z.toJSONSchema(item, { io: 'input' });
  return z
    .custom<z.output<T>[]>()
    .check((context) => {
      const list: unknown = context.value;
      if (!Array.isArray(list)) {
        context.issues.push({ code: 'invalid_type', expected: 'array', input: list });
        return;
      }
      if (list.length < minItems) {
        context.issues.push({ code: 'too_small', origin: 'array', minimum: minItems, input: list });
      }
      let faults = 0;
      for (const [index, input] of list.entries()) {
        const { error } = item.safeParse(input);
        if (!error) continue;
        for (const issue of error.issues) {
          context.issues.push({ ...issue, input, path: [index, ...issue.path] });
        }
        faults += 1;
        // One more than is reported, which tells that there are more.
        if (faults > LIMITS.reportedIssues) return;
      }
    })
    .meta({ type: 'array', items, ...(minItems > 0 ? { minItems } : {}) });
}

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
