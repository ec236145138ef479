import { joined, jsonText, readJson } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import type { TrajectoryNode } from '@trawl/contract';
import { at } from '@trawl/test-support/records';
import { expect, it } from 'vitest';
import { trajectoryParts } from '../../src/history/sessions.ts';
import type { StoredInteraction } from '../../src/interaction/records.ts';

const RUN = '00000000-0000-4000-8000-000000000001';

const page = {
  url: 'https://example.com/cranes',
  status: 'succeeded',
  error: null,
  title: 'Harbour cranes',
  content: 'The text of the page itself.',
  content_format: 'markdown',
  content_length: 28,
  http_status: 200,
  provider: 'jina',
  latency_ms: 310,
  warnings: [
    { code: 'content_truncated', message: 'content: cut' },
    { code: 'capability_gap', message: 'language: cannot supply' },
  ],
  truncated: true,
};

const failedPage = {
  ...page,
  url: 'https://example.com/gone',
  status: 'failed',
  error: { code: 'not_found', message: 'The page answered 404.', http_status: 404 },
  title: null,
  content: null,
  content_length: null,
  http_status: 404,
  warnings: [],
};

/** The interaction's node of a session whose only interaction fetched these pages. */
async function fetched(rows: readonly object[]): Promise<TrajectoryNode | undefined> {
  const run = {
    id: RUN,
    preprocessor_name: 'web_fetch',
    status: 'succeeded',
    batch_index: 0,
    query: '',
    request_payload: {},
    output_payload: { fetched_results: rows, succeeded_count: 1, failed_count: 1, warnings: [] },
    raw_payload: null,
    error: null,
    latency_ms: 320,
  };
  const interaction: StoredInteraction = {
    id: '00000000-0000-4000-8000-000000000002',
    instanceId: 'instance-1',
    sessionId: '00000000-0000-4000-8000-000000000003',
    status: 'partially_succeeded',
    outcome: 'partial',
    createdAt: at(0),
    completedAt: at(1),
    normalizedSchemaVersion: null,
    trajectoryId: '00000000-0000-4000-8000-000000000004',
    parentTrajectoryId: null,
    trajectoryGoal: null,
    userInput: jsonText({ urls: rows.map(() => 'https://example.com/') }),
    metadata: jsonText({}),
    routing: null,
    request: null,
    preprocessorRuns: [takenFor(JSON.stringify(run))],
    postprocessorRuns: [],
    mergedLists: [],
  };
  const session = {
    id: interaction.sessionId,
    createdAt: at(0),
    updatedAt: at(1),
    latestInteractionAt: at(0),
    interactionCount: 1,
    deletedCount: 0,
  };
  const parts = await trajectoryParts({
    instanceId: 'instance-1',
    session,
    interactions: (async function* () {
      yield [interaction];
    })(),
    nextAfter: async () => undefined,
    onStep: () => undefined,
  });
  return readJson(joined(parts)).trajectory.children[0];
}

it('4.7 the pages of a fetch are documents with their outcomes', async () => {
  const interaction = await fetched([page, failedPage]);
  const [run] = interaction?.children ?? [];
  expect([interaction?.label, run?.label]).toEqual(['2 pages', 'web_fetch']);
  expect(run?.data).toMatchObject({ status: 'succeeded', result_count: 2 });
  expect(run?.children).toEqual([
    {
      node_id: `${RUN}:0`,
      node_type: 'document',
      parent_id: RUN,
      label: 'Harbour cranes',
      data: {
        url: 'https://example.com/cranes',
        status: 'succeeded',
        provider: 'jina',
        http_status: 200,
        latency_ms: 310,
        content_length: 28,
        warning_codes: ['content_truncated', 'capability_gap'],
        error_code: null,
      },
      children: [],
    },
    {
      node_id: `${RUN}:1`,
      node_type: 'document',
      parent_id: RUN,
      label: 'https://example.com/gone',
      data: {
        url: 'https://example.com/gone',
        status: 'failed',
        provider: 'jina',
        http_status: 404,
        latency_ms: 310,
        content_length: null,
        warning_codes: [],
        error_code: 'not_found',
      },
      children: [],
    },
  ]);
});

it('4.7 the tree holds no text of a page', async () => {
  const long = { ...page, content: 'unmistakable '.repeat(2_000), raw_html: '<p>unmistakable</p>' };
  expect(JSON.stringify(await fetched([long]))).not.toContain('unmistakable');
});
