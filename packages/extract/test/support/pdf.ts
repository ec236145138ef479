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

function assembled(objects: readonly string[]): Uint8Array {
  let source = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = source.length;
    source += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\n`;
  const whole = `${source}${table}startxref\n${source.length}\n%%EOF\n`;
  // the reader's PDF library does not accept a Buffer
  return new Uint8Array(Buffer.from(whole, 'latin1'));
}

/** A PDF of one page whose drawing, packed so many times over, unpacks to this many mebibytes. */
export function composePackedPdf(mebibytes: number, times: number): Uint8Array {
  let packed: Uint8Array = Buffer.concat([
    Buffer.from(drawn('12 Hello', 0)),
    Buffer.alloc(mebibytes * 1024 * 1024, ' '),
  ]);
  for (let time = 0; time < times; time += 1) packed = deflateSync(packed);
  const stream = Buffer.from(packed).toString('latin1');
  const filters = '/FlateDecode '.repeat(times);
  return assembled([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Title (Packed) >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents 6 0 R >>',
    `<< /Length ${stream.length} /Filter [${filters}] >>\nstream\n${stream}\nendstream`,
  ]);
}
