import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPIC_RANKING } from '@trawl/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

describe('ROUTING_FILE', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-routing-file-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function file(content: unknown): Promise<string> {
    const path = join(folder, 'routing.json');
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  /** The problem of a file; undefined = none. */
  function problemsOf(path: string): readonly string[] | undefined {
    try {
      readConfig({ ROUTING_FILE: path });
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  it('replaces only the order of the topics that it names', async () => {
    const news = [
      { provider: 'you', reason: 'measured here', source: 'https://example.com/report' },
      { provider: 'brave', reason: 'measured here', source: 'https://example.com/report' },
    ];
    const path = await file({ version: '2027-01', topics: { news, companies: ['linkup', 'exa'] } });
    const { ranking } = readConfig({ ROUTING_FILE: path });
    expect(ranking.version).toBe('2027-01');
    expect(ranking.topics.news).toEqual(news);
    expect(ranking.topics.companies).toMatchObject([{ provider: 'linkup' }, { provider: 'exa' }]);
    expect(ranking.topics.academic_papers).toBe(TOPIC_RANKING.topics.academic_papers);
    expect(readConfig({}).ranking).toBe(TOPIC_RANKING);
  });

  it('without a version it uses the version of the built-in ranking', async () => {
    const { ranking } = readConfig({ ROUTING_FILE: await file({ topics: { news: ['exa'] } }) });
    expect(ranking.version).toBe(`${TOPIC_RANKING.version}, changed by the operator`);
  });

  it('accepts the built-in ranking itself', async () => {
    expect(problemsOf(await file(TOPIC_RANKING))).toBeUndefined();
  });

  it.each([
    ['{"topics": {"news": [', 'is not JSON; check it with a JSON validator'],
    [[], 'must be a JSON object'],
    [{}, 'needs an object topics; write {"topics": {"news": ["<provider>", "<provider>"]}}'],
    [{ topics: ['news'] }, 'needs an object topics'],
    [{ topics: {}, order: 1 }, 'has the unknown key order; it takes version and topics'],
    [{ version: 3, topics: {} }, 'has a version that is not a text; write it in quotes'],
    [
      { topics: { sports: ['exa'] } },
      'ranks the topic sports, which is unknown; the topics are news, companies,',
    ],
    [
      { topics: { general: ['exa'] } },
      'ranks the topic general, whose queries run on the default providers',
    ],
    [{ topics: { news: 'exa' } }, 'needs a list of providers at topics.news'],
    [{ topics: { news: [] } }, 'needs a list of providers at topics.news'],
    [
      { topics: { news: ['exa', 'nimbus'] } },
      'names the unknown provider nimbus at topics.news[1]; the providers are exa, brave,',
    ],
    [
      { topics: { news: ['exa', 'you', 'exa'] } },
      'names exa twice, again at topics.news[2]; leave one out',
    ],
    [{ topics: { news: [{ provider: 'exa' }, 7] } }, 'names no provider at topics.news[1]'],
    [
      { topics: { news: [{ slug: 'exa' }] } },
      'has the unknown key slug at topics.news[0]; it takes provider, reason, source',
    ],
    [
      { topics: { news: [{ provider: 'exa', reason: 1 }] } },
      'has a reason or source that is not a text at topics.news[0]',
    ],
  ])(
    '%j stops the start with one line that names file, place and fix',
    async (content, problem) => {
      const path = await file(content);
      const problems = problemsOf(path);
      expect(problems).toHaveLength(1);
      expect(problems?.[0]).toContain(`ROUTING_FILE must name a routing file: ${path} ${problem}`);
    },
  );

  it('an unreadable file stops the start too', () => {
    const path = join(folder, 'absent.json');
    expect(problemsOf(path)).toEqual([
      `ROUTING_FILE must name a routing file: ${path} cannot be read (ENOENT); check the path and its permissions`,
    ]);
  });
});
