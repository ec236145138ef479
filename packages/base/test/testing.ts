import type { JsonText } from '../src/text/json-text.ts';

/** Declares that a text is the JSON of this type: tests build records by hand. */
export const takenFor = <T>(text: string): JsonText<T> => text as JsonText<T>;
