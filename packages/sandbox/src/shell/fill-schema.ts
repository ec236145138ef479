import { isObject, type JsonObject, objectAt } from '../util/json.ts';

/** An object with a value for every property of a JSON Schema; texts are `plain`. */
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
