import { z } from 'zod';

export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An optional request field: null counts as absent. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value): z.output<T> | undefined => value ?? undefined);
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

/** The canonical 36-character form, any version and case; answered in lower case. */
export const uuid = z
  .guid()
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** Ids and times in answers: described, not checked again. */
export const uuidOut = z.string().meta({ format: 'uuid' });
export const dateTimeOut = z.string().meta({ format: 'date-time' });
