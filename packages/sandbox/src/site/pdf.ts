/** Writes small PDF files: one font, one column, a line per text. */

const LINE_POINTS = 18;
const TOP_POINTS = 780;

/** A valid PDF with one page per list of lines. Plain ASCII without parentheses. */
export function pdfOf(pages: readonly (readonly string[])[], title: string): Buffer {
  const count = pages.length;
  const font = 3 + count * 2;
  const kids = pages.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...pages.flatMap((lines, index) => {
      const text = contentOf(lines);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${4 + index * 2} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title (${title}) /Author (Mara Lindqvist) /CreationDate (D:20260611090000Z) >>`,
  ];
  return assembled(objects, `/Info ${font + 1} 0 R`);
}

/** The same file with an encryption that no empty password opens. */
export function encryptedPdf(pages: readonly (readonly string[])[], title: string): Buffer {
  const whole = pdfOf(pages, title).toString('latin1');
  const secret = '5a'.repeat(32);
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${secret}> /U <${secret}> /P -4 >> /ID [<${'ab'.repeat(16)}> <${'ab'.repeat(16)}>]`;
  return Buffer.from(whole.replace('trailer\n<<', `trailer\n<< ${encryption}`), 'latin1');
}

function contentOf(lines: readonly string[]): string {
  const moves = lines.map((line) => `(${line}) Tj 0 -${LINE_POINTS} Td`).join('\n');
  return `BT /F1 12 Tf 60 ${TOP_POINTS} Td\n${moves}\nET`;
}

function assembled(objects: readonly string[], trailer: string): Buffer {
  let body = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n';
  const places: number[] = [];
  for (const [index, object] of objects.entries()) {
    places.push(body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(`${body}${table}${end}`, 'latin1');
}
