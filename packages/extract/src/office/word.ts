import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { zipSync } from 'fflate';
import type { PageElement } from '../dom/dom.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { parseXml } from '../dom/parse-xml.ts';
import type { TreeNode } from '../dom/tree.ts';
import { elementAt, type Relations, relationsOf, textOf } from './parts.ts';
import type { ArchiveParts } from './unpack.ts';

/** In addition to the library's own, which are for headings, lists and notes. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  'r.math => span.math',
];

/** The main part and the notes, in whatever folder. */
const HAS_TEXT = /(?:^|\/)(?:document\d*|footnotes|endnotes)\.xml$/;

/**
 * The text of a Word document as HTML, by the library, and what is missing in it. It gets an
 * archive of the parts that were checked, so that it unpacks nothing else.
 */
export async function readWord(parts: ArchiveParts): Promise<WordReading> {
  const { default: mammoth } = await import('mammoth');
  const encoder = new TextEncoder();
  const files: Record<string, Uint8Array> = {};
  let hasOthers = false;
  for (const [name, bytes] of parts.bytes) {
    files[name] = bytes;
    if (!HAS_TEXT.test(name)) continue;
    const text = textOf(parts, name);
    hasOthers ||= text.includes('<w:altChunk');
    files[name] = encoder.encode(readableMarkup(text, relationsOf(parts, name)));
  }
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(files, { level: 0 })) },
    {
      styleMap: STYLES,
      includeEmbeddedStyleMap: false,
      // without what it would read for the bytes of each picture
      convertImage: mammoth.images.imgElement(async ({ contentType }) => ({
        src: `data:${contentType}`,
      })),
    },
  );
  return { content: parseHtml(value).body, remarks: hasOthers ? [OTHERS] : [] };
}

interface WordReading extends Pick<ParsedPage, 'remarks'> {
  readonly content: PageElement;
}

const OTHERS = {
  code: 'upstream_warning',
  message: 'content: without the files of other types that the document takes text from',
} as const;

/**
 * What the library cannot read in the markup of a Word document, in a form that it can: formulas as
 * TeX, in runs of the style `math`. Left out are hidden text, references to nothing, at which it
 * fails, and fields that take it long to read.
 * @param source WordprocessingML, in the prefixes that all programs use
 */
function readableMarkup(source: string, relations: Relations): string {
  if (!source.includes('xmlns:w=')) return source;
  const known = source.replace(REFERRING, (tag) =>
    tag.replace(REFERENCE, (whole: string, id: string) => (relations.has(id) ? whole : '')),
  );
  const short = known.replace(INSTRUCTION, (whole: string, text: string) =>
    text.length > INSTRUCTION_CHARACTERS ? '' : whole.replace(/\s+/g, ' '),
  );
  const named = new Set<string>();
  const plain = short.replace(NAMED, (tag) => {
    if (named.size < NAMED_MAX) named.add(tag);
    return named.has(tag) ? tag : tag.replace(VALUE, '="x"');
  });
  return withTex(withoutHidden(plain));
}

/** Styles and signs: the library keeps a message about each that it does not know. */
const NAMED = /<w:(?:pStyle|rStyle|tblStyle|sym|br) [^<>]*>/g;
/** More have one name: it compares each message with all others. */
const NAMED_MAX = 500;
const VALUE = /=(?:"[^"]*"|'[^']*')/g;

const REFERRING = /<(?:a:blip|v:imagedata|w:hyperlink) [^<>]*>/g;
const REFERENCE = /r:(?:embed|link|id)=["']([^"']*)["']/g;

const INSTRUCTION = /<w:instrText(?: [^<>]{0,100})?>([^<]*)<\/w:instrText>/g;
/** Longer than any link. The time that the library takes grows with the square of blanks. */
const INSTRUCTION_CHARACTERS = 10_000;

/** Where a run begins. */
const RUN = /<w:r(?=[ >])/;
/** At the start of a run: what it says about itself, up to what that was before a change. */
const PROPERTIES = /^[^<>]*>\s*<w:rPr>(.*?)(?:<w:rPrChange|<\/w:rPr>)/s;
const HIDDEN = /<w:vanish(?: ?\/>| w:val="(?:1|true|on)")/;
const TEXT = /<w:t(?: [^<>]{0,100})?>[^<]*<\/w:t>/g;
const RUN_END = '</w:r>';

/** Each part is cut at the next run, so that all of them are as long as the source. */
const withoutHidden = (source: string): string =>
  source.includes('<w:vanish') ? source.split(RUN).map(withoutHiddenText).join('<w:r') : source;

/** @param part a run without its first letters, and what is between it and the next one */
function withoutHiddenText(part: string, at: number): string {
  if (at === 0 || !HIDDEN.test(PROPERTIES.exec(part)?.[1] ?? '')) return part;
  const end = part.indexOf(RUN_END);
  return part.slice(0, end).replace(TEXT, '') + part.slice(end);
}

const FORMULA = '<m:oMath';
const FORMULA_END = '</m:oMath>';
/** What is around a formula on a line of its own, with everything in which the library ignores. */
const AROUND = /<\/?m:oMathPara(?: [^<>]{0,1000})?>/g;

function withTex(source: string): string {
  const [before = '', ...others] = source.replace(AROUND, '').split(FORMULA);
  const parts = others.map((part) => {
    const end = part.indexOf(FORMULA_END);
    if (end < 0 || !/^[ >]/.test(part)) return `${FORMULA}${part}`;
    const tex = texOf(parseXml(`${FORMULA}${part.slice(0, end)}${FORMULA_END}`)).trim();
    const text = tex.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const rest = part.slice(end + FORMULA_END.length);
    return `<w:r><w:rPr><w:rStyle w:val="math"/></w:rPr><w:t>\\(${text}\\)</w:t></w:r>${rest}`;
  });
  return before + parts.join('');
}

/** A formula of Office (ECMA-376 part 1, 22.1) as TeX; of anything unknown the text. */
function texOf(element: TreeNode): string {
  const childOf = (name: string) => element.children.find(({ localName }) => localName === name);
  const group = (name: string): string => {
    const child = childOf(name);
    return `{${child ? texOf(child) : ''}}`;
  };
  const all = (): readonly string[] =>
    element.children.filter(({ localName }) => localName === 'e' || localName === 'mr').map(texOf);
  const sign = (name: string, otherwise: string): string =>
    elementAt(element, `${element.localName}Pr`, name)?.getAttribute('m:val') ?? otherwise;
  switch (element.localName) {
    case 't':
      return element.textContent;
    case 'f':
      return `\\frac${group('num')}${group('den')}`;
    case 'sSup':
      return `${group('e')}^${group('sup')}`;
    case 'sSub':
      return `${group('e')}_${group('sub')}`;
    case 'sSubSup':
      return `${group('e')}_${group('sub')}^${group('sup')}`;
    case 'rad': {
      const degree = group('deg');
      return degree === '{}' ? `\\sqrt${group('e')}` : `\\sqrt[${degree}]${group('e')}`;
    }
    case 'nary':
      return `${sign('chr', '∫')}_${group('sub')}^${group('sup')} ${group('e')}`;
    case 'd':
      return `${sign('begChr', '(')}${all().join(sign('sepChr', '|'))}${sign('endChr', ')')}`;
    case 'limLow':
      return `${group('e')}_${group('lim')}`;
    case 'limUpp':
      return `${group('e')}^${group('lim')}`;
    case 'm':
    case 'eqArr':
      return `\\begin{matrix}${all().join(' \\\\ ')}\\end{matrix}`;
    case 'mr':
      return all().join(' & ');
    default:
      return element.children.map(texOf).join('');
  }
}
