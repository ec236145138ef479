/**
 * A page of Google, as services return it that read such pages: rows under the names that most of
 * them share, and the blocks next to the rows, which each of them names otherwise.
 */
import type { Answer, Entity, JsonObject } from '@trawl/contract';
import { type Capabilities, never, rowCapabilities, supplied } from '../declaration/search.ts';
import { namedBlocks, textsAt } from '../parsed/blocks.ts';
import { type RowTable, rowReader } from '../parsed/rows.ts';
import type { SuppliedSearch } from '../parsed/search.ts';
import { withoutImages } from '../values/images.ts';
import { object, objects } from '../values/json.ts';
import { plainText, text, titleText } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

export const GOOGLE_PAGE =
  'One page of Google results with its answer box, knowledge graph and other blocks.';

/** What such a page supplies. */
export const googleCapabilities = (own: Partial<Capabilities>): Capabilities =>
  rowCapabilities({
    excerpt: never('returns one text per result, which is in summary'),
    thumbnail: supplied,
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: supplied,
    ...own,
  });

/** The names of a service for the parts of a page. A part without a name is not there. */
interface PageNames {
  /** The answer box. */
  readonly answer?: string;
  /** The members of `ai_overview`. */
  readonly overview?: OverviewNames;
  /** The knowledge graph. */
  readonly graph: string;
  /** Further searches and questions: each list, and the member of its objects that is a text. */
  readonly related: Readonly<Record<string, string>>;
  /** Our name for each of its blocks other than the web results. */
  readonly verticals: Readonly<Record<string, string>>;
  /** It puts whole images into an answer, which are left out. */
  readonly hasImages?: true;
}

/** The rows of a page; `own` has what a service names otherwise or adds. */
export const googleRows = <Context = void>(own: RowTable<Context>) =>
  rowReader<Context>({ url: 'link', title: 'title', summary: 'snippet', date: 'date', ...own });

/** For `more` of a table: what is left of a row, without whole images. */
export const leftWithoutImages = (_row: JsonObject, left: JsonObject) => ({
  enrichments: object(withoutImages(left)),
});

/** Reads what is next to the rows. */
export const googleBlocks =
  ({ answer, overview, graph, related, verticals, hasImages }: PageNames) =>
  (body: JsonObject): Omit<SuppliedSearch, 'rows'> => ({
    answer:
      (answer === undefined ? null : boxedAnswer(body[answer])) ??
      (overview === undefined ? null : overviewOf(object(body.ai_overview), overview)),
    entities: graphEntity(object(body[graph])),
    related: Object.entries(related).flatMap(([list, member]) => textsAt(body[list], member)),
    verticals: namedBlocks(hasImages ? object(withoutImages(body)) : body, verticals),
  });

const citationsOf = (sources: readonly JsonObject[]): Answer['citations'] =>
  sources
    .map(({ link, title }) => ({ url: text(link), title: titleText(title) }))
    .filter(({ url, title }) => url !== null || title !== null);

/** The answer box: its answer, else its result, else its snippet. */
function boxedAnswer(value: unknown): Answer | null {
  const [box = {}] = objects(Array.isArray(value) ? value : [value]);
  const said = plainText(box.answer) ?? plainText(box.result) ?? plainText(box.snippet);
  return said === null ? null : { text: said, citations: citationsOf([box]) };
}

/** The members of an AI overview and of its blocks. */
interface OverviewNames {
  readonly text: string;
  /** The entries of a list, which are blocks too. */
  readonly entries: string;
  /** The sources. */
  readonly references: string;
}

/** Lists in lists that are read. */
const LIST_DEPTH = 4;

/** The AI overview; it may hold only a token, for a second search that we never make. */
function overviewOf(written: JsonObject, names: OverviewNames): Answer | null {
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
function graphEntity(graph: JsonObject): readonly Entity[] {
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
