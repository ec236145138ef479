import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from '../../scripts/source-files.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** Path from the root of the repository. */
  readonly page: string;
  /** Line of the fence, counted from 1. */
  readonly line: number;
  /** The word after the fence; empty without one. */
  readonly language: string;
  readonly text: string;
  /** The reason in `<!-- not run: REASON -->` above the fence; empty where it gives none. */
  readonly notRun: string | undefined;
  /**
   * The name in `<!-- file: NAME -->` above the fence: the block is this file for the commands of
   * the page.
   */
  readonly file: string | undefined;
  /** The line of text that follows the block. */
  readonly after: string;
}

const FENCE = /^( *)(`{3,}|~{3,})(.*)$/;
const NOT_RUN = /^<!-- not run(?::(.*))? *-->$/;
const FILE = /^<!-- file: (\S+) -->$/;

/** The place of a block, as editors and terminals understand it. */
export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;

export function readBlocks(page: string, text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; start += 1) {
    const [, indent = '', fence = '', language = ''] = FENCE.exec(lines[start] ?? '') ?? [];
    if (fence === '') continue;
    const end = lines.findIndex((line, index) => index > start && line.trim() === fence);
    if (end < 0) throw new Error(`${page}:${start + 1}: the block has no end`);
    const above = (lines[start - 1] ?? '').trim();
    const marker = NOT_RUN.exec(above);
    blocks.push({
      page,
      line: start + 1,
      language: language.trim(),
      text: lines
        .slice(start + 1, end)
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join('\n'),
      notRun: marker ? (marker[1] ?? '').trim() : undefined,
      file: FILE.exec(above)?.[1],
      after: lines.slice(end + 1).find((line) => line.trim() !== '') ?? '',
    });
    start = end;
  }
  return blocks;
}

const PAPERS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'skills/trawl/SKILL.md',
];

const docsPages = (): readonly string[] =>
  [...filesBelow(join(ROOT, 'docs'))]
    .filter((path) => path.endsWith('.md'))
    .map((path) => relative(ROOT, path))
    .sort();

const packagePapers = (): readonly string[] =>
  readdirSync(join(ROOT, 'packages')).flatMap((name) =>
    readdirSync(join(ROOT, 'packages', name))
      .filter((file) => file === 'README.md')
      .map((file) => `packages/${name}/${file}`),
  );

/** All blocks of all pages that people read. */
export const allBlocks = (): readonly Block[] =>
  [...PAPERS, ...packagePapers(), ...docsPages()].flatMap((page) =>
    readBlocks(page, readFileSync(join(ROOT, page), 'utf8')),
  );
