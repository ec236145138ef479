import { strToU8, zipSync } from 'fflate';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A ZIP archive of these files. */
export const composeArchive = (files: Files): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  );

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The relations of a part: id → type and target. An address is outside of the document. */
export const relations = (targets: Readonly<Record<string, readonly [string, string]>>): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${Object.entries(targets)
    .map(
      ([id, [type, target]]) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${target.includes('://') ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

const CORE =
  '<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Rules of the basin</dc:title><dc:creator>Ada Moor</dc:creator><dc:description>For guests.</dc:description></cp:coreProperties>';

/** What all Office documents have around their main part. */
function composeOffice(main: string, type: string, files: Files): Uint8Array {
  return composeArchive({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    '_rels/.rels': relations({
      a: ['officeDocument', main],
      b: ['metadata/core-properties', 'docProps/core.xml'],
    }),
    'docProps/core.xml': CORE,
    ...files,
  });
}

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const M = 'http://schemas.openxmlformats.org/officeDocument/2006/math';

/** A Word document. @param body paragraphs and tables in WordprocessingML */
export const composeDocx = (body: string, more: Files = {}): Uint8Array =>
  composeOffice('word/document.xml', 'wordprocessingml.document', {
    'word/document.xml': `<w:document xmlns:w="${W}" xmlns:m="${M}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    ...more,
  });

/** A paragraph of Word. @param style the id of its style */
export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export interface Sheet {
  readonly name: string;
  /** Rows in SpreadsheetML. */
  readonly rows: string;
  readonly state?: string;
  /** What it says about its columns. */
  readonly columns?: string;
}

interface Book {
  /** More sheets in its list. `ch` is one with a chart. */
  readonly sheets?: string;
  readonly properties?: string;
  /** Texts that its cells share. */
  readonly strings?: string;
}

/** A workbook of Excel. Style 1 of its cells is a date, style 2 a share. */
export function composeXlsx(sheets: readonly Sheet[], more: Book = {}): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${OFFICE}">${more.properties ?? ''}<sheets>${sheets
      .map(
        ({ name, state = 'visible' }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="s${at}"/>`,
      )
      .join('')}${more.sheets ?? ''}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      ...Object.fromEntries(
        sheets.map((_, at) => [`s${at}`, ['worksheet', `worksheets/sheet${at}.xml`] as const]),
      ),
      st: ['styles', 'styles.xml'],
      ss: ['sharedStrings', 'strings.xml'],
      ch: ['chartsheet', 'chartsheets/sheet1.xml'],
      no: ['worksheet', 'worksheets/gone.xml'],
    }),
    'xl/chartsheets/sheet1.xml': '<chartsheet/>',
    'xl/strings.xml': `<sst xmlns="${main}">${more.strings ?? ''}</sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
  };
  for (const [at, { rows, columns = '' }] of sheets.entries())
    files[`xl/worksheets/sheet${at}.xml`] =
      `<worksheet xmlns="${main}"><cols>${columns}</cols><sheetData>${rows}</sheetData></worksheet>`;
  return composeOffice('xl/workbook.xml', 'spreadsheetml.sheet', files);
}

/** A row of a sheet: texts, numbers, or the markup of a cell with `@` for its place. */
export const row = (at: number, cells: readonly (string | number)[], attributes = ''): string =>
  `<row r="${at}" ${attributes}>${cells
    .map((cell, column) => {
      const place = `r="${String.fromCharCode(65 + column)}${at}"`;
      if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`;
      if (cell.startsWith('<c')) return cell.replace('@', place);
      return cell === '' ? '' : `<c ${place} t="inlineStr"><is><t>${cell}</t></is></c>`;
    })
    .join('')}</row>`;

export interface Slide {
  /** Shapes in PresentationML. */
  readonly shapes: string;
  readonly attributes?: string;
  /** Shapes of its notes. */
  readonly notes?: string;
}

/** A presentation of PowerPoint. The parts of its slides are named in another order than shown. */
export function composePptx(slides: readonly Slide[], more = ''): Uint8Array {
  const spaces =
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const nameOf = (at: number): string => `slide${slides.length - at}.xml`;
  const files: Record<string, string> = {
    'ppt/presentation.xml': `<p:presentation ${spaces}><p:sldIdLst>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`)
      .join('')}${more}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, at) => [`r${at}`, ['slide', `slides/${nameOf(at)}`]])),
    ),
  };
  for (const [at, { shapes, attributes = '', notes }] of slides.entries()) {
    files[`ppt/slides/${nameOf(at)}`] =
      `<p:sld ${spaces} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
    files[`ppt/slides/_rels/${nameOf(at)}.rels`] = relations({
      link: ['hyperlink', 'https://harbour.example/fees'],
      ...(notes !== undefined && { notes: ['notesSlide', `../notesSlides/${nameOf(at)}`] }),
    });
    if (notes !== undefined)
      files[`ppt/notesSlides/${nameOf(at)}`] =
        `<p:notes ${spaces}><p:cSld><p:spTree>${notes}</p:spTree></p:cSld></p:notes>`;
  }
  return composeOffice('ppt/presentation.xml', 'presentationml.presentation', files);
}

/** A shape with paragraphs. @param place its place in the layout; empty = none */
export const shape = (place: string, paragraphs: readonly string[], about = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" ${about}/><p:nvPr>${place === '' ? '' : `<p:ph type="${place}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;

/** A paragraph of a slide. */
export const slideText = (text: string, properties = ''): string =>
  `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;

/** A book. @param chapters the names and bodies of its chapters, in reading order */
export function composeEpub(
  chapters: Readonly<Record<string, string>>,
  more: Files = {},
  spine = '',
): Uint8Array {
  const names = Object.keys(chapters);
  const items = names.map(
    (name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const files: Record<string, string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tides of the bay</dc:title><dc:creator>Ada Moor</dc:creator><dc:creator>Ben Quay</dc:creator><dc:language>en-GB</dc:language><dc:date>2024-05-01</dc:date></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.reverse().join('')}</manifest><spine><itemref idref="nav"/>${names.map((_, at) => `<itemref idref="c${at}"/>`).join('')}${spine}</spine></package>`,
    'OEBPS/nav.xhtml': chapterOf('<nav><ol><li><a href="one.xhtml">One</a></li></ol></nav>'),
  };
  for (const [name, body] of Object.entries(chapters))
    files[`OEBPS/${decodeURIComponent(name)}`] = chapterOf(body);
  return composeArchive({ ...files, ...more });
}

const chapterOf = (body: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;
