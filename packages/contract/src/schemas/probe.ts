import { z } from 'zod';
import { PROVIDER } from '../examples/ids.ts';
import { CIRCUIT_STATES, PROBE_OPERATIONS, PROBE_STATUSES } from '../vocabulary/vocabulary.ts';
import { openEnum, optional, uuidOut } from './json.ts';

export const ProbePath = z.object({
  name: z.string().meta({
    description: 'A search or fetch provider of this deployment.',
    example: PROVIDER,
  }),
});

export const ProbeRequest = z
  .strictObject({
    operation: z
      .enum(PROBE_OPERATIONS)
      .describe('What is tried: a provider that does both is probed for each.'),
    url: optional(z.string().min(1)).describe(
      'With `fetch`: the page to ask for, `https://example.com/` when absent. Some providers accept only certain pages.',
    ),
  })
  .refine(({ operation, url }) => operation === 'fetch' || url === undefined, {
    path: ['url'],
    message: 'only a probe of fetch takes a page; leave it out',
  })
  .meta({ id: 'ProbeRequest', description: 'One call that shows whether a provider works.' });
export type ProbeRequest = z.output<typeof ProbeRequest>;

export const Circuit = z
  .object({
    state: openEnum(CIRCUIT_STATES).describe(
      '`closed`: calls pass. `open`: none is sent until the time is over. `half_open`: the next call decides.',
    ),
    cause: z.string().nullable().describe('The error code that opened it; null = closed.'),
    retry_after_ms: z.int().nullable().describe('Until the next call may pass; null = it may now.'),
  })
  .meta({
    id: 'Circuit',
    description: 'Whether calls of one operation of a provider are sent at present.',
  });
export type Circuit = z.output<typeof Circuit>;

export const ProbeError = z
  .object({
    code: z.string().describe('As in the error of a run or page.'),
    message: z.string().describe('What happened and what to do.'),
    http_status: z.int().nullable().describe('Status of the provider, or of the page.'),
    retryable: z.boolean().describe('Whether the same call may succeed later.'),
  })
  .meta({ id: 'ProbeError', description: 'Why a probe did not deliver.' });

export const ProbeResponse = z
  .object({
    provider: z.string().describe('The provider that was asked.'),
    operation: openEnum(PROBE_OPERATIONS).describe('What was tried.'),
    status: openEnum(PROBE_STATUSES).describe(
      '`works`: a usable answer came. `page_failed`: it answered, but could not read this page. `failed`: no usable answer.',
    ),
    error: ProbeError.nullable().describe('null where it works.'),
    result_count: z
      .int()
      .nullable()
      .describe('With `search`: the rows that came, at most one; null otherwise.'),
    latency_ms: z.int().nullable().describe('Wall time; null when nothing was sent.'),
    key_tail: z
      .string()
      .nullable()
      .describe(
        'Last four characters of the provider’s key that was tried, the last one where several were; null = none was sent, or it has fewer than 12 characters.',
      ),
    calls: z.int().describe('Requests that may have reached the provider.'),
    cost_usd: z.number().nullable().describe('As booked; null when it is not known.'),
    circuit: Circuit.describe('After the probe.'),
    session_id: uuidOut.describe('The session of the recorded interaction.'),
    interaction_id: uuidOut.describe('The request and the answer, recorded.'),
  })
  .meta({ id: 'ProbeResponse', description: 'What one call to a provider showed.' });
export type ProbeResponse = z.output<typeof ProbeResponse>;
