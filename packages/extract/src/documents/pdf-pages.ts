import type { getDocumentProxy } from 'unpdf';
import { fieldsOf, type PdfField } from './pdf-fields.ts';
import type { PdfItem } from './pdf-lines.ts';
import type { UnpackingLimit } from './pdf-unpacking.ts';

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
type PageContent = Awaited<ReturnType<PdfPage['getTextContent']>>['items'][number];
type TextItem = Extract<PageContent, { str: string }>;
export type PdfStructure = NonNullable<Awaited<ReturnType<PdfPage['getStructTree']>>>;

/** What is on a page. */
export interface PdfContent {
  readonly items: readonly PdfItem[];
  readonly fields: readonly PdfField[];
  /** What its author says about its parts; undefined = nothing. */
  readonly structure: PdfStructure | undefined;
}

export interface PdfPages {
  readonly pages: readonly PdfContent[];
  /** Targets of all links, in order. */
  readonly links: readonly string[];
}

/**
 * What the document keeps of its pages, such as fonts, is dropped after a page that unpacked to so
 * much.
 */
const DROPPED_FROM_BYTES = 16 * 1024 * 1024;

/**
 * Reads one page after the other: a page may unpack to 100 MB, and all of them at once to a hundred
 * times that.
 */
export async function readPages(
  document: PdfDocument,
  unpacking: UnpackingLimit,
): Promise<PdfPages> {
  const pages: PdfContent[] = [];
  const links: string[] = [];
  const isTagged = (await document.getMarkInfo().catch(() => null))?.Marked === true;
  // what it took to open the document is not of the first page
  unpacking.startPart();
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const content = await page.getTextContent({ includeMarkedContent: isTagged });
    const structure = isTagged ? await page.getStructTree().catch(() => null) : null;
    const annotations = await annotationsOf(page);
    pages.push({
      items: itemsOf(content.items, page),
      fields: fieldsOf(annotations, (x, y) => placed(page, [0, 0, 0, 0, x, y])),
      structure: structure ?? undefined,
    });
    for (const { subtype, url } of annotations)
      if (subtype === 'Link' && typeof url === 'string' && url !== '') links.push(url);
    page.cleanup();
    if (unpacking.startPart() >= DROPPED_FROM_BYTES) await document.cleanup();
  }
  return { pages, links };
}

/** Empty if they cannot be read. */
const annotationsOf = (page: PdfPage): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  page.getAnnotations().catch(() => []);

/** The text runs of a page, each with the mark that it is inside of. */
function itemsOf(content: readonly PageContent[], page: PdfPage): readonly PdfItem[] {
  const items: PdfItem[] = [];
  const marks: (string | undefined)[] = [];
  let artifacts = 0;
  for (const each of content) {
    if ('str' in each) items.push(itemOf(each, page, artifacts > 0 ? ARTIFACT : marks.at(-1)));
    else if (each.type === 'endMarkedContent') {
      if (marks.pop() === ARTIFACT) artifacts -= 1;
    } else {
      // its type leaves the tag out
      const isArtifact = 'tag' in each && each.tag === 'Artifact';
      if (isArtifact) artifacts += 1;
      marks.push(isArtifact ? ARTIFACT : (each.id ?? marks.at(-1)));
    }
  }
  return items;
}

/** The mark of what is not of the text, such as the number of the page. */
export const ARTIFACT = 'artifact';

function itemOf(item: TextItem, page: PdfPage, mark: string | undefined): PdfItem {
  const [, , c = 0, d = 0]: readonly number[] = item.transform;
  const { str, width, height, hasEOL } = item;
  const place = placed(page, item.transform);
  return { str, width, height, hasEOL, fontSize: Math.hypot(c, d), mark, ...place };
}

/**
 * Where something is for a reader who turns the page until its line runs from left to right; y
 * grows upwards.
 */
function placed(page: PdfPage, [a = 1, b = 0, , , e = 0, f = 0]: readonly number[]) {
  const [va = 1, vb = 0, vc = 0, vd = -1, ve = 0, vf = 0]: readonly number[] = page.getViewport({
    scale: 1,
  }).transform;
  const x = va * e + vc * f + ve;
  const y = -(vb * e + vd * f + vf);
  const angle = Math.atan2(-(vb * a + vd * b), va * a + vc * b);
  const turns = (Math.round(angle / (Math.PI / 2)) + 4) % 4;
  if (turns === 1) return { x: y, y: -x, turns };
  if (turns === 2) return { x: -x, y: -y, turns };
  return turns === 3 ? { x: -y, y: x, turns } : { x, y, turns };
}
