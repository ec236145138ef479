import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allBlocks, type Block, placeOf } from './blocks.ts';
import { isTestedElsewhere } from './elsewhere.ts';
import { type DocsServer, type PageServer, startDocsServer } from './page-server.ts';
import { createExampleProject, type ExampleProject } from './typescript.ts';

const examples = allBlocks().filter(
  (block) => block.language === 'ts' && block.notRun === undefined && !isTestedElsewhere(block),
);
const nameOf = ({ page, line }: Block): string => `${page.replaceAll(/\W/g, '-')}-${line}`;

describe('every TypeScript example of the docs', () => {
  let docs: DocsServer;
  let server: PageServer;
  let project: ExampleProject;
  let written: ReadonlyMap<string, string>;
  beforeAll(async () => {
    docs = await startDocsServer();
    server = await docs.forPage('docs');
    project = createExampleProject();
    await project.build(await Promise.all(examples.map(filled)), server);
    written = await project.run(examples.map(nameOf), server);
  }, 180_000);
  afterAll(async () => {
    project?.remove();
    await docs?.stop();
  });

  const filled = async (block: Block) => ({
    name: nameOf(block),
    code: await server.fill(block.text),
  });

  test('has correct types', { timeout: 180_000 }, async () => {
    const complaints = await project.typeCheck(await Promise.all(examples.map(filled)));
    expect(atTheirPlaces(complaints)).toBe('');
  });

  test.each(examples.map((block) => [placeOf(block), block] as const))(
    '%s runs',
    (_place, block) => {
      expect(written.get(nameOf(block))).toBe('');
    },
  );
});

/** Turns errors in files of the project into errors in lines of the pages. */
const atTheirPlaces = (complaints: string): string =>
  examples.reduce((text, block) => {
    const place = new RegExp(`^.*\\b${nameOf(block)}\\.ts\\((\\d+)`, 'gm');
    return text.replace(
      place,
      (_all, line: string) => `${block.page}:${block.line + Number(line)} (${line}`,
    );
  }, complaints);
