import { z } from 'zod';

export const Health = z
  .object({ status: z.enum(['ok', 'unavailable']), detail: z.string().optional() })
  .meta({ id: 'Health' });
