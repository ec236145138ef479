import { deflateSync } from 'node:zlib';

/** A PDF of lines; each starts with its size in points. */
export function composePdf({
  title,
  pages,
}: {
  title: string;
  pages: readonly (readonly string[])[];
}): Uint8Array {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>'];
  const kids = pages.map((_, at) => `${5 + at * 2} 0 R`).join(' ');
  objects.push(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  objects.push(`<< /Title (${title}) /CreationDate (D:20250131094500Z) >>`);
  for (const [at, lines] of pages.entries()) {
    const stream = lines.map((line, row) => drawn(line, row)).join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${6 + at * 2} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  return assembled(objects);
}

function drawn(line: string, row: number): string {
  const [size = '12', ...words] = line.split(' ');
  return `BT /F1 ${size} Tf 72 ${760 - row * 16} Td (${words.join(' ')}) Tj ET`;
}

function assembled(objects: readonly string[], trailer = ''): Uint8Array {
  let source = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = source.length;
    source += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R ${trailer} >>\n`;
  const whole = `${source}${table}startxref\n${source.length}\n%%EOF\n`;
  // the reader's PDF library does not accept a Buffer
  return new Uint8Array(Buffer.from(whole, 'latin1'));
}

export interface DrawnPage {
  /** What draws it; the fonts are `/F1` (Helvetica) and `/F2` (its bold). */
  readonly drawing: string;
  /** More entries of the page. */
  readonly entries?: string;
}

/** A PDF of pages that are drawn as given. Further objects get the numbers from 100 on. */
export function composeDrawn(
  pages: readonly DrawnPage[],
  {
    catalog = '',
    trailer = '',
    objects = [],
  }: { catalog?: string; trailer?: string; objects?: readonly string[] } = {},
): Uint8Array {
  const numbers = pages.map((_, at) => 6 + 2 * at);
  const [root = '', ...start] = head(numbers);
  const given = [
    root.replace('>>', `${catalog} >>`),
    ...start,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap(({ drawing, entries = '' }, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 5 0 R >> >> /Contents ${7 + 2 * at} 0 R ${entries} >>`,
      `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    ]),
  ];
  const filler = Array<string>(99 - given.length).fill('null');
  return assembled(objects.length > 0 ? [...given, ...filler, ...objects] : given, trailer);
}

/** Draws a line of text from a place on. */
export const textAt = (x: number, y: number, text: string, size = 12): string =>
  `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`;

/** A PDF of one page whose drawing, packed so many times over, unpacks to this many mebibytes. */
export function composePackedPdf(mebibytes: number, times: number): Uint8Array {
  return composePackedPages(1, packedDrawing(mebibytes, times));
}

/** A PDF of pages that all unpack to this many mebibytes, each with a drawing of its own. */
export function composeLargePages(pages: number, mebibytes: number): Uint8Array {
  return composePackedPages(pages, packedDrawing(mebibytes, 1));
}

/**
 * A PDF of one page with forms, each of which unpacks to this many mebibytes. The next is drawn
 * inside of the one before.
 */
export function composeNestedPdf(forms: number, mebibytes: number): Uint8Array {
  const drawing = packedDrawing(mebibytes, 1, ' /Next Do q q Q Q');
  const form = (next: number) =>
    packed(
      drawing,
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${resources(next < forms ? `/XObject << /Next ${7 + next} 0 R >>` : '')}`,
    );
  return assembled([
    ...head([5]),
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources('/XObject << /Next 7 0 R >>')} /Contents 6 0 R >>`,
    '<< /Length 8 >>\nstream\n/Next Do\nendstream',
    ...Array.from({ length: forms }, (_, at) => form(at + 1)),
  ]);
}

function composePackedPages(pages: number, drawing: PackedDrawing): Uint8Array {
  const numbers = Array.from({ length: pages }, (_, at) => 5 + 2 * at);
  return assembled([
    ...head(numbers),
    ...numbers.flatMap((number) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources()} /Contents ${number + 1} 0 R >>`,
      packed(drawing),
    ]),
  ]);
}

const head = (pages: readonly number[]): readonly string[] => [
  '<< /Type /Catalog /Pages 2 0 R >>',
  `<< /Type /Pages /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] /Count ${pages.length} >>`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  '<< /Title (Packed) >>',
];

const resources = (more = ''): string => `/Resources << /Font << /F1 3 0 R >> ${more} >>`;

interface PackedDrawing {
  readonly stream: string;
  readonly filters: string;
}

/** Draws `Hello`. */
function packedDrawing(mebibytes: number, times: number, more = ''): PackedDrawing {
  let bytes: Uint8Array = Buffer.concat([
    Buffer.from(drawn('12 Hello', 0) + more),
    Buffer.alloc(mebibytes * 1024 * 1024, ' '),
  ]);
  for (let time = 0; time < times; time += 1) bytes = deflateSync(bytes);
  return { stream: Buffer.from(bytes).toString('latin1'), filters: '/FlateDecode '.repeat(times) };
}

const packed = ({ stream, filters }: PackedDrawing, entries = ''): string =>
  `<< ${entries} /Length ${stream.length} /Filter [${filters}] >>\nstream\n${stream}\nendstream`;
