/** An object of JSON, with any members. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is an object of JSON: not null, and not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
