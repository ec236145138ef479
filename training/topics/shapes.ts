import { readFileSync } from 'node:fs';
import { builtInRows } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import { z } from 'zod';
import type { Example } from './examples.ts';
import { pick, type Random } from './random.ts';

/** One row of `shapes.tsv`. */
export type Shape = z.output<typeof SHAPE>;

const SHAPE = z.object({
  of: z.enum(['companies', 'people_profiles']),
  topic: z.enum(TOPICS),
  text: z.string().includes('X'),
});
const FORMAT = { row: SHAPE, maxRows: 1_000 };
/** Longer texts of a source of names say more than a name. */
const NAME_WORDS_MAX = 4;
const YEAR = { first: 2010, count: 17 };

export function readShapes(path: string): readonly Shape[] {
  return builtInRows('shapes.tsv', readFileSync(path, 'utf8'), FORMAT);
}

/**
 * Names of companies and people as they are searched for, such as a name with `10-K`. Otherwise a
 * model learns that a query with a name is about the name.
 * @param count how many for each kind of name and topic
 */
export function shaped(
  examples: readonly Example[],
  shapes: readonly Shape[],
  count: number,
  random: Random,
): Example[] {
  const kinds = [...new Set(shapes.map((shape) => `${shape.of} ${shape.topic}`))];
  return kinds.flatMap((kind) => {
    const some = shapes.filter((shape) => kind === `${shape.of} ${shape.topic}`);
    const names = examples.filter(
      ({ topic, query }) => topic === some[0]?.of && query.split(' ').length <= NAME_WORDS_MAX,
    );
    if (names.length === 0) return [];
    return Array.from({ length: count }, () =>
      filled(pick(some, random), pick(names, random), random),
    );
  });
}

function filled({ topic, text }: Shape, name: Example, random: Random): Example {
  const year = String(YEAR.first + random.below(YEAR.count));
  const query = text.replaceAll('#', year).replace('X', () => name.query);
  return { ...name, topic, style: 'shaped', query };
}
