import type { HealthMeasure } from '@trawl/router';

const percent = (value: number): string => `${Math.round(value * 100)} %`;

/** What was measured, in a sentence. */
export function measureText({ kind, field, recent, before, answers }: HealthMeasure): string {
  const newest = `of its last ${answers} answers`;
  switch (kind) {
    case 'empty':
      return `${newest} ${percent(1 - recent)} had no rows, and ${percent(1 - before)} of those before; where all others found nothing either, an answer does not count`;
    case 'rows':
      return `${newest} with rows, each has ${percent(recent)} of the rows that were usual before`;
    case 'field':
      return `${newest} that should have ${field}, ${percent(recent)} have it; ${percent(before)} of those before`;
  }
}
