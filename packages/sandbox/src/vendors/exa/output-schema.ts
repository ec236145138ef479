import { anyObject, bool, type Check, listOf, members, oneOf, text } from '../../check.ts';
import { isObject, type JsonObject, objectAt } from '../../json.ts';

const PROPERTIES_MAX = 10;
const DEPTH_MAX = 2;

const textSchema = members({ type: text(), description: text() });
const objectSchema = members(
  {
    type: oneOf('text', 'object'),
    description: text(),
    properties: anyObject,
    required: listOf(text(1)),
    additionalProperties: bool,
    $schema: text(),
  },
  ['type'],
);

/** `outputSchema` of https://exa.ai/docs/reference/search: text, or an object of few properties. */
export const outputSchema: Check = (value, path) => {
  if (!isObject(value)) return anyObject(value, path);
  const problems = (value.type === 'text' ? textSchema : objectSchema)(value, path);
  if (problems.length > 0) return problems;
  const { properties, depth } = extentOf(value);
  if (properties > PROPERTIES_MAX) {
    return [{ path, message: `outputSchema may have at most ${PROPERTIES_MAX} properties` }];
  }
  return depth > DEPTH_MAX
    ? [{ path, message: `outputSchema may be nested at most ${DEPTH_MAX} levels deep` }]
    : [];
};

function extentOf(schema: JsonObject): { readonly properties: number; readonly depth: number } {
  let properties = 0;
  let depth = 0;
  for (const child of Object.values(objectAt(schema, 'properties') ?? {})) {
    const inner = extentOf(objectAt(child, 'items') ?? (isObject(child) ? child : {}));
    properties += 1 + inner.properties;
    depth = Math.max(depth, 1 + inner.depth);
  }
  return { properties, depth };
}
