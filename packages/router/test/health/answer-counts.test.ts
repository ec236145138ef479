import type { FieldPlan, ParsedRow } from '@trawl/providers';
import { describe, expect, it } from 'vitest';
import { countedAnswers, countsOf } from '../../src/search/answer-counts.ts';
import type { NormalizedRun } from '../../src/search/normalize.ts';
import type { RunPlan } from '../../src/search/plan.ts';

const plan = { rowsMax: 10, missing: new Set(), search: { count: 10 } } as unknown as RunPlan;
const fields = { row: ['title'] } as unknown as FieldPlan;
const row = (url: string | null) => ({ url, title: 'Tides' }) as ParsedRow;

describe('what is counted of an answer', () => {
  it('are rows with an address: one whose name a vendor changed is missing', () => {
    const good = countsOf(
      [row('https://a.example/'), row('https://b.example/')],
      plan,
      fields,
      false,
    );
    expect(good).toMatchObject({ rows: 2, filled: good.fields });
    const renamed = countsOf([row(null), row('mailto:a@b.example')], plan, fields, false);
    expect(renamed).toMatchObject({ rows: 0, filled: 0 });
  });

  it('counts what others found by their rows, whatever a web rule or filter dropped', () => {
    const run = (name: string, rows: number, resultCount: number) =>
      ({
        run: { value: { id: name, preprocessor_name: name, batch_index: 0 } },
        counts: { asked: 10, rows, fields: 0, filled: 0 },
        resultCount,
      }) as unknown as NormalizedRun;
    const [exa] = countedAnswers([run('exa', 0, 0), run('brave', 5, 0)], undefined);
    expect(exa?.othersFound).toBe(true);
  });
});
