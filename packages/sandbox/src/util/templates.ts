import { isObject, type JsonObject, objectAt, valueAt } from './json.ts';
import type { Dice } from './seed.ts';

/** An object with a value for every property of a JSON Schema; every text is `plain`. */
export function filledSchema(schema: JsonObject, plain: string): JsonObject {
  return Object.fromEntries(
    Object.entries(objectAt(schema, 'properties') ?? {}).map(([name, property]) => [
      name,
      filledValue(isObject(property) ? property : {}, plain),
    ]),
  );
}

function filledValue(property: JsonObject, plain: string): unknown {
  switch (property.type) {
    case 'number':
    case 'integer':
      return plain.length;
    case 'boolean':
      return true;
    case 'array':
      return [filledValue(objectAt(property, 'items') ?? {}, plain)];
    case 'object':
      return filledSchema(property, plain);
    default:
      return plain;
  }
}

/**
 * Fills the values into the template's texts. A text that is a single placeholder, such as
 * `{site.name}`, becomes the value itself.
 */
export function filled(template: JsonObject, values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(template).map(([name, part]) => [name, filledPart(part, values)]),
  );
}

/** A part of a template: a text, a list or an object, or a value without places. */
export function filledPart(part: unknown, values: JsonObject): unknown {
  if (Array.isArray(part)) return part.map((entry) => filledPart(entry, values));
  if (isObject(part)) return filled(part, values);
  if (typeof part !== 'string') return part;
  const alone = /^\{([\w.]+)\}$/.exec(part)?.[1];
  if (alone !== undefined) return valueAt(values, alone);
  return part.replace(/\{([\w.]+)\}/g, (_place, path: string) => String(valueAt(values, path)));
}

/** Removes members of a row at random; `shares` are the shares of rows that keep each member. */
export function thinned(
  row: JsonObject,
  shares: Readonly<Record<string, number>>,
  dice: Dice,
): JsonObject {
  const lost = Object.entries(shares).filter(([, share]) => !dice.chance(share));
  const gaps = Object.fromEntries(lost.map(([name]) => [name, undefined]));
  return { ...row, ...gaps };
}
