import { z } from 'zod';

export const Health = z
  .object({
    status: z.enum(['ok', 'unavailable']).describe('Whether the server takes requests.'),
    detail: z.string().optional().describe('Why it does not.'),
  })
  .meta({ id: 'Health', description: 'The state of the server.' });
export type Health = z.output<typeof Health>;
