import { z } from 'zod';
import { WARNINGS, type WarningCode } from '../catalogue.ts';
import { freeObject } from './json.ts';

const codes = <T extends string>(catalogue: Record<T, unknown>) =>
  z.enum(Object.keys(catalogue) as [T, ...T[]]);

export const Warning = z
  .object({ code: codes<WarningCode>(WARNINGS), message: z.string() })
  .meta({ id: 'Warning' });
export type Warning = z.output<typeof Warning>;

export const Usage = z
  .object({
    requests: z.int(),
    units: freeObject(),
    cost_usd: z.number().nullable(),
    cost_source: z.enum(['reported', 'price_list']).nullable(),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof Usage>;
