import { isJsonObject } from '@trawl/contract';
import { z } from 'zod';

/** Names of the members of a body, by place: `''` for the top, `search.providers`; those of list items count as the list's. */
export type BodyNames = ReadonlyMap<string, readonly string[]>;

export function bodyNames(schema: z.ZodType): BodyNames {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = new Map<string, readonly string[]>();
  const collect = (node: unknown, place: string): void => {
    if (!isJsonObject(node)) return;
    const { $ref, items, properties, anyOf } = node;
    if (typeof $ref === 'string') collect(root.$defs?.[$ref.replace('#/$defs/', '')], place);
    collect(items, place);
    for (const branch of Array.isArray(anyOf) ? anyOf : []) collect(branch, place);
    if (!isJsonObject(properties)) return;
    names.set(place, Object.keys(properties));
    for (const [name, member] of Object.entries(properties)) {
      collect(member, place === '' ? name : `${place}.${name}`);
    }
  };
  collect(root, '');
  return names;
}
