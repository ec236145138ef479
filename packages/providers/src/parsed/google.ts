/** What services that read Google's pages return next to the rows, under names of their own. */
import type { Answer, Entity, JsonObject } from '@trawl/contract';
import { list, object, objects } from '../values/json.ts';
import { plainText, text, titleText } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const citationsOf = (sources: readonly JsonObject[]): Answer['citations'] =>
  sources
    .map(({ link, title }) => ({ url: text(link), title: titleText(title) }))
    .filter(({ url, title }) => url !== null || title !== null);

/** The answer box: its answer, else its result, else its snippet. */
export function boxedAnswer(value: unknown): Answer | null {
  const [box = {}] = objects(Array.isArray(value) ? value : [value]);
  const said = plainText(box.answer) ?? plainText(box.result) ?? plainText(box.snippet);
  return said === null ? null : { text: said, citations: citationsOf([box]) };
}

/** The members of an AI overview and of its blocks, which each service names otherwise. */
export interface OverviewNames {
  readonly text: string;
  /** The entries of a list, which are blocks too. */
  readonly entries: string;
  /** The sources. */
  readonly references: string;
}

/** Lists in lists that are read. */
const LIST_DEPTH = 4;

/** The AI overview; it may hold only a token, for a second search that we never make. */
export function overview(written: JsonObject, names: OverviewNames): Answer | null {
  const textsOf = (blocks: unknown, depth: number): readonly string[] =>
    objects(blocks).flatMap((block) => {
      const said = plainText(block[names.text]);
      const entries = depth > 0 ? textsOf(block[names.entries], depth - 1) : [];
      return said === null ? entries : [said, ...entries];
    });
  const parts = textsOf(written.text_blocks, LIST_DEPTH);
  if (parts.length === 0) return null;
  return { text: parts.join('\n\n'), citations: citationsOf(objects(written[names.references])) };
}

/** The knowledge graph as one entity. */
export function graphEntity(graph: JsonObject): readonly Entity[] {
  const name = titleText(graph.title);
  if (name === null) return [];
  const pages = [graph.website, graph.descriptionLink, object(graph.source).link];
  const urls = pages.map((page) => absoluteUrl(page, undefined));
  return [
    {
      name,
      type: titleText(graph.type) ?? titleText(graph.entity_type),
      description: plainText(graph.description),
      url: urls.find((url) => url !== null) ?? null,
    },
  ];
}

/** The texts of one member of each object in a list. */
export const textsAt = (rows: unknown, member: string): readonly string[] =>
  objects(rows).flatMap((row) => titleText(row[member]) ?? []);

/**
 * The blocks of a page that hold something, under our names.
 * @param names our name for each of the vendor's
 */
export function namedBlocks(
  body: JsonObject,
  names: Readonly<Record<string, string>>,
): JsonObject | null {
  const blocks = new Map<string, unknown>();
  for (const [block, name] of Object.entries(names)) {
    const value = body[block];
    const isFilled = list(value).length > 0 || Object.keys(object(value)).length > 0;
    if (!isFilled) continue;
    const known = blocks.get(name);
    // two blocks of one kind become one list; a block that cannot be joined keeps the vendor's name
    if (known === undefined) blocks.set(name, value);
    else if (Array.isArray(known) && Array.isArray(value)) blocks.set(name, [...known, ...value]);
    else blocks.set(block, value);
  }
  return blocks.size > 0 ? Object.fromEntries(blocks) : null;
}
