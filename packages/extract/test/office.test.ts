import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  composeArchive,
  composeDocx,
  composeEpub,
  composePptx,
  composeXlsx,
  paragraph,
  row,
  shape,
  slideText,
} from './support/archives.ts';
import { read, readPage } from './support/read.ts';

const contentOf = async (body: Uint8Array): Promise<string | null> =>
  (await readPage({ body, contentType: 'application/octet-stream' })).content;

const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
const tableRow = (...texts: readonly string[]): string =>
  `<w:tr>${texts.map(cell).join('')}</w:tr>`;

describe('a Word document', () => {
  const body = [
    paragraph('Berths', 'Heading1'),
    paragraph('The fee is nine crowns.'),
    `<w:tbl>${tableRow('Port', 'Depth')}${tableRow('North | quay', '9 m')}</w:tbl>`,
    paragraph('Guests', 'Heading2'),
    paragraph('Call the office.'),
  ].join('');
  const expected =
    '# Berths\n\nThe fee is nine crowns.\n\n| Port | Depth |\n| --- | --- |\n| North \\| quay | 9 m |\n\n## Guests\n\nCall the office.';

  test('has its headings and tables, and what it says about itself', async () => {
    const page = await readPage({ body: composeDocx(body), contentType: null });
    expect(page).toMatchObject({
      content: expected,
      title: 'Rules of the basin',
      author: 'Ada Moor',
      description: 'For guests.',
    });
  });

  test.each(['text/html', 'text/plain', 'application/pdf', 'application/zip', 'image/png'])(
    'is known by its bytes, also as %s',
    async (contentType) => {
      const url = 'https://site.example/report.pdf';
      expect((await readPage({ body: composeDocx(body), contentType, url })).content).toBe(
        expected,
      );
    },
  );

  test('is plain text too', async () => {
    const page = await readPage({ body: composeDocx(body), format: 'text' });
    expect(page.content).toBe(
      'Berths\n\nThe fee is nine crowns.\n\nPort | Depth\nNorth | quay | 9 m\n\nGuests\n\nCall the office.',
    );
  });

  test('has its formulas as TeX, inside of a line and on lines of their own', async () => {
    const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const power = `<m:sSup><m:e>${run('c')}</m:e><m:sup>${run('2')}</m:sup></m:sSup>`;
    const share = `<m:f><m:num>${run('a')}</m:num><m:den>${run('b &lt; 2')}</m:den></m:f>`;
    const sum = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${run('i')}</m:e></m:nary>`;
    const root = `<m:rad><m:deg/><m:e>${run('x')}</m:e></m:rad>`;
    const fence = `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${run('y')}</m:e></m:d>`;
    const content = await contentOf(
      composeDocx(
        `<w:p><w:r><w:t xml:space="preserve">Mass is </w:t></w:r><m:oMath>${run('E=m')}${power}</m:oMath><w:r><w:t>.</w:t></w:r></w:p>` +
          `<w:p><m:oMathPara><m:oMathParaPr><m:jc m:val="center"/></m:oMathParaPr><m:oMath>${share}${sum}${root}${fence}</m:oMath></m:oMathPara></w:p>`,
      ),
    );
    expect(content).toBe('Mass is $E=m{c}^{2}$.\n\n$\\frac{a}{b < 2}∑_{i=1}^{n} {i}\\sqrt{x}[y]$');
  });

  test('has no words that it hides, and keeps those that it shows again', async () => {
    const hidden = (value: string): string =>
      `<w:r><w:rPr><w:vanish${value}/></w:rPr><w:t>secret</w:t></w:r>`;
    const content = await contentOf(
      composeDocx(
        `<w:p><w:r><w:t xml:space="preserve">Nine </w:t></w:r>${hidden('')}${hidden(' w:val="true"')}<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>crowns</w:t></w:r></w:p>`,
      ),
    );
    expect(content).toBe('Nine crowns');
  });

  test('keeps the words before a paragraph of which only the end is hidden', async () => {
    const mark = '<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>';
    const changed =
      '<w:r><w:rPr><w:b/><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>open</w:t></w:r>';
    const body = `${paragraph('First')}<w:p>${mark}<w:r><w:t>Second</w:t></w:r></w:p><w:p>${changed}</w:p>`;
    expect(await contentOf(composeDocx(body))).toBe('First\n\nSecond\n\n**open**');
  });

  test('is read where a picture or a link refers to nothing', async () => {
    const picture =
      '<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="gone"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>';
    const spaces =
      'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
    const link =
      '<w:hyperlink r:id="gone" w:anchor="here"><w:r><w:t>see below</w:t></w:r></w:hyperlink>';
    const body = `<w:p ${spaces}><w:r>${picture}<w:t>Before </w:t></w:r>${link}</w:p>`;
    expect(await contentOf(composeDocx(body))).toBe('Before see below');
  });

  test('with a page of HTML in it is read, and says that this is missing', async () => {
    const page = await readPage({
      body: composeDocx(`${paragraph('Own')}<w:altChunk r:id="h"/>`, {
        'word/part.html': '<!DOCTYPE html><p>Foreign<br>',
      }),
      contentType: null,
    });
    expect(page.content).toBe('Own');
    expect(page.remarks).toMatchObject([{ message: expect.stringContaining('other types') }]);
  });

  test('without text is an empty page', async () => {
    const verdict = await read({ body: composeDocx(paragraph('')) });
    expect(verdict).toMatchObject({ code: 'empty_page', reason: 'document_without_text' });
  });
});

describe('a workbook', () => {
  test('has a heading and its tables for each sheet that is shown', async () => {
    const body = composeXlsx([
      {
        name: 'Fees_2026',
        rows: [
          row(1, ['Fees of the harbour']),
          row(3, ['', 'Boat', 'Fee', 'Since', 'Share']),
          row(4, [
            '',
            'Sloop | sail',
            9.5,
            '<c @ s="1"><v>46023</v></c>',
            '<c @ s="2"><v>0.15</v></c>',
          ]),
          row(5, [
            '',
            'Ketch',
            '<c @ t="b"><v>1</v></c>',
            '',
            '<c @ t="str"><f>A1</f><v>half</v></c>',
          ]),
          row(6, ['', 'Ghost', 1], 'hidden="1"'),
        ].join(''),
      },
      { name: 'Secret', rows: row(1, ['not', 'shown']), state: 'hidden' },
      { name: 'Deep', rows: row(1, ['not', 'shown']), state: 'veryHidden' },
      { name: 'Empty', rows: '' },
      { name: 'Notes', rows: row(2, ['Call *first*']) + row(3, ['Then come']) },
    ]);
    expect(await contentOf(body)).toBe(
      [
        '## Fees_2026',
        'Fees of the harbour',
        '| Boat | Fee | Since | Share |\n| --- | --- | --- | --- |\n| Sloop \\| sail | 9.5 | 2026-01-01 | 0.15 |\n| Ketch | true |  | half |',
        '## Notes',
        'Call \\*first\\*\n\nThen come',
      ].join('\n\n'),
    );
  });

  test('has its dates and times as they are, without a zone', async () => {
    const cells = [46023, 46023.354166666664, 0.3541666666666667, 99_999_999].map(
      (value) => `<c @ s="1"><v>${value}</v></c>`,
    );
    const book = (is1904: boolean): Uint8Array =>
      composeXlsx([{ name: 'A', rows: row(1, ['x', ...cells]) }], {
        properties: `<workbookPr date1904="${is1904 ? 1 : 0}"/>`,
      });
    const table = (...texts: readonly string[]): string =>
      `## A\n\n| x | ${texts.join(' | ')} |\n| ${Array(5).fill('---').join(' | ')} |`;
    expect(await contentOf(book(false))).toBe(
      table('2026-01-01', '2026-01-01T08:30', '08:30', '########'),
    );
    expect(await contentOf(book(true))).toBe(
      table('2030-01-02', '2030-01-02T08:30', '08:30', '########'),
    );
  });

  test('is read where charts and sheets that are not there are named too, each sheet once', async () => {
    const sheets =
      '<sheet name="Chart" sheetId="8" r:id="ch"/><sheet name="Gone" sheetId="9" r:id="no"/><sheet name="Again" sheetId="10" r:id="s0"/>';
    const body = composeXlsx([{ name: 'A', rows: row(1, ['x', 1]) }], { sheets });
    expect(await contentOf(body)).toBe('## A\n\n| x | 1 |\n| --- | --- |');
  });

  test('is without columns that it hides, and one column is text', async () => {
    const body = composeXlsx([
      {
        name: 'A',
        rows: row(1, ['x', 'secret', 'y']),
        columns: '<col min="2" max="2" hidden="1"/>',
      },
      { name: 'B', rows: row(1, ['# no heading']) + row(2, ['- no list | at all']) },
    ]);
    expect(await contentOf(body)).toBe(
      '## A\n\n| x | y |\n| --- | --- |\n\n## B\n\n\\# no heading\n\n\\- no list | at all',
    );
  });

  test('is lines with tabs in plain text', async () => {
    const body = composeXlsx([{ name: 'A', rows: row(1, ['x', 1]) + row(2, ['y', 2]) }]);
    expect((await readPage({ body, format: 'text' })).content).toBe('A\n\nx\t1\ny\t2');
  });
});

describe('a presentation', () => {
  const level = (number: number): string => `<a:pPr lvl="${number}"/>`;
  const tableCell = (text: string, attributes = ''): string =>
    `<a:tc ${attributes}><a:txBody>${slideText(text)}</a:txBody></a:tc>`;
  const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${tableCell('Port')}${tableCell('Depth')}</a:tr><a:tr>${tableCell('All', 'gridSpan="2"')}${tableCell('', 'hMerge="1"')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const link =
    '<a:p><a:r><a:rPr><a:hlinkClick r:id="link"/></a:rPr><a:t>Fees</a:t></a:r><a:br/><a:r><a:t>and more</a:t></a:r></a:p>';

  test('has its slides in their order, with headings, lists, tables and notes', async () => {
    const body = composePptx([
      {
        shapes:
          shape('body', [
            slideText('Boats'),
            slideText('Sloops', level(1)),
            slideText('Ketches', level(1)),
            slideText('People'),
          ]) +
          shape('ctrTitle', [
            '<a:p><a:r><a:t>Who</a:t></a:r><a:br/><a:r><a:t>is</a:t></a:r></a:p>',
            slideText('here'),
          ]) +
          shape('ftr', [slideText('Harbour office')]) +
          shape('sldNum', [slideText('1')]) +
          `<p:grpSp>${shape('', [link])}</p:grpSp>`,
        notes: shape('sldImg', []) + shape('body', [slideText('Say it slowly.')]),
      },
      { shapes: shape('title', [slideText('Secret')]), attributes: 'show="0"' },
      {
        shapes:
          table +
          shape('', [slideText('never seen')], 'hidden="1"') +
          `<mc:AlternateContent xmlns:mc="x"><mc:Choice>${shape('', [slideText('Once')])}</mc:Choice><mc:Fallback>${shape('', [slideText('Once')])}</mc:Fallback></mc:AlternateContent>`,
      },
    ]);
    const page = await readPage({ body, contentType: 'application/zip' });
    expect(page.content).toBe(
      [
        '## Slide 1: Who is here',
        '- Boats\n  - Sloops\n  - Ketches\n- People',
        '[Fees](https://harbour.example/fees)  \nand more',
        '### Notes',
        'Say it slowly.',
        '## Slide 3',
        '| Port | Depth |\n| --- | --- |\n| All |  |',
        'Once',
      ].join('\n\n'),
    );
    expect(page.title).toBe('Rules of the basin');
  });

  test('has lists by their levels, whichever are left out, and their numbers', async () => {
    const numbered = (number: number, start = ''): string =>
      `<a:pPr lvl="${number}"><a:buAutoNum type="arabicPeriod" ${start}/></a:pPr>`;
    const shapes = shape('body', [
      slideText('A', level(2)),
      slideText('B', level(900_000_000)),
      slideText('C', level(2)),
      slideText('D'),
      slideText('third', numbered(1, 'startAt="3"')),
      slideText('fourth', numbered(1)),
      slideText('E', level(1)),
    ]);
    expect(await contentOf(composePptx([{ shapes }]))).toBe(
      '## Slide 1\n\n- A\n  - B\n- C\n- D\n\n  3. third\n  4. fourth\n  - E',
    );
  });

  test('that names one slide again and again is read once', async () => {
    const one = shape('', [slideText('Once')]);
    const body = composePptx([{ shapes: one }], '<p:sldId r:id="r0"/>'.repeat(3));
    expect(await contentOf(body)).toBe('## Slide 1\n\nOnce');
  });
});

describe('a book', () => {
  test('has its chapters in the order of its spine, and no list of them', async () => {
    const body = composeEpub({
      'one.xhtml':
        '<h1>One</h1><p>Read <a href="two%20b.xhtml#x">on</a> or <a href="https://tides.example/">there</a>.<script>no()</script></p><p hidden="hidden">unseen</p>',
      'two%20b.xhtml': '<h1>Two</h1><img src="../map.jpg" alt="Map"/><p>&hellip; the end.</p>',
    });
    const page = await readPage({ body, contentType: 'application/epub+zip' });
    expect(page).toMatchObject({
      content:
        '# One\n\nRead on or [there](https://tides.example/).\n\n# Two\n\n![Map](data:image/jpeg;base64,...)\n\n… the end.',
      title: 'Tides of the bay',
      author: 'Ada Moor, Ben Quay',
      language: 'en-GB',
      publish_date: '2024-05-01',
    });
  });
});

test('a book says which chapters are missing, and has each once', async () => {
  const body = composeEpub(
    { 'one.xhtml': '<p>One.</p>', 'two.txt': '<p>Two.</p>' },
    {},
    '<itemref idref="c0"/>'.repeat(5),
  );
  const page = await readPage({ body, contentType: null });
  expect(page.content).toBe('One.');
  expect(page.remarks).toMatchObject([{ message: expect.stringContaining('without 1 of') }]);
});

const COMPOUND = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const compound = (stream: string): Uint8Array =>
  Buffer.concat([
    Buffer.from(COMPOUND.padEnd(512, '\0'), 'latin1'),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(64),
  ]);
const openDocument = (type: string): Uint8Array =>
  composeArchive({ mimetype: `application/vnd.oasis.opendocument.${type}`, 'content.xml': '<a/>' });
const MHTML =
  'From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="b"\r\n\r\n--b\r\n\r\n<p>Hello';

describe('what is not read is named, with a way out', () => {
  test.each<readonly [string, string | Uint8Array, string]>([
    ['a rich text document (rtf)', '{\\rtf1\\ansi Hello}', 'text/rtf'],
    ['a rich text document (rtf)', '{\\rtf1\\ansi Hello}', 'text/plain'],
    ['a PostScript document', '%!PS-Adobe-3.0\n(Hello) show', 'application/postscript'],
    ['a web archive (mhtml)', MHTML, 'application/x-mimearchive'],
    ['a web archive (mhtml)', MHTML, 'text/plain'],
    ['a web archive (mhtml)', '--b\r\n\r\n<p>Hello', 'multipart/related; boundary=b'],
    ['an OpenDocument text (odt)', openDocument('text'), 'application/zip'],
    ['an OpenDocument spreadsheet (ods)', openDocument('spreadsheet'), 'text/html'],
    ['an OpenDocument presentation (odp)', openDocument('presentation'), 'text/html'],
    ['an old Word document (doc)', compound('WordDocument'), 'application/msword'],
    ['an old Excel workbook (xls)', compound('Workbook'), 'text/plain'],
    ['an old presentation (ppt)', compound('PowerPoint Document'), 'text/plain'],
    ['a ZIP archive', composeArchive({ 'a.txt': 'x' }), 'text/html'],
    ['a ZIP archive', locked(composeArchive({ 'a.xml': 'x' })), 'text/html'],
    ['a package of another program', composeArchive({ '[Content_Types].xml': '<Types/>' }), 'x/y'],
    ['an OpenDocument file', openDocument('constructor'), 'text/html'],
    ['a message of Outlook (msg)', compound('__properties_version1.0'), 'text/plain'],
    ['a file of an old Office program or of Windows', compound('EncryptedPackages'), 'x/y'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'text/html'],
    ['a video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0', 'latin1'), 'text/html'],
    ['an archive', Buffer.from('\x1f\x8b\x08\0\0\0\0\0', 'latin1'), 'text/html'],
    [
      'data of no known kind, which the site calls application/x-thing',
      Buffer.from([7, 0, 1, 0, 2, 0]),
      'application/x-thing; a=b',
    ],
  ])('%s', async (type, body, contentType) => {
    const verdict = await read({ body, contentType });
    expect(verdict).toMatchObject({ code: 'unsupported_type', httpStatus: 200 });
    expect(verdict).toMatchObject({
      meaning: expect.stringContaining(`The file is ${type}`),
    });
    expect(verdict).toMatchObject({ meaning: expect.stringContaining('download') });
  });

  test('a text about such files is a text', async () => {
    const body = 'A file that begins with {\\rtf1 is rich text; %!PS is PostScript.';
    expect((await readPage({ body, contentType: 'text/plain' })).content).toBe(body);
    const mail = 'MIME-Version: 1.0 is a header.\n\nContent-Type: multipart/related is another.';
    expect((await readPage({ body: mail, contentType: 'text/plain' })).content).toBe(mail);
    const letter = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\nDear all,';
    expect((await readPage({ body: letter, contentType: 'text/plain' })).content).toBe(letter);
  });
});

/** The archive with the flags of encryption at all of its entries (APPNOTE 4.4.4). */
function locked(archive: Uint8Array, flags = 1): Uint8Array {
  const bytes = Buffer.from(archive);
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
    bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) | flags, at + 8);
  return bytes;
}

describe('a document that needs a password says so', () => {
  const encryption = (uri: string): string =>
    `<encryption><EncryptedData><CipherData><CipherReference URI="${uri}"/></CipherData></EncryptedData></encryption>`;
  const book = (uri: string): Uint8Array =>
    composeEpub({ 'one.xhtml': '<p>One.</p>' }, { 'META-INF/encryption.xml': encryption(uri) });

  test.each([
    ['of Office', compound('EncryptedPackage')],
    ['in a locked archive', locked(composeDocx(paragraph('Hello')))],
    ['in an archive of strong encryption', locked(composeDocx(paragraph('Hello')), 0x41)],
    ['that is a book', book('OEBPS/one.xhtml')],
  ])('%s', async (_, body) => {
    expect(await read({ body, contentType: 'text/html' })).toMatchObject({
      code: 'unsupported_type',
      reason: 'password_needed',
      meaning: expect.stringContaining('needs a password'),
    });
  });

  test('but not a book of which only the fonts are encrypted', async () => {
    expect(await contentOf(book('OEBPS/font.otf'))).toBe('One.');
  });
});

/** Writes another unpacked size of the entry into both of its heads. */
function withSize(archive: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archive);
  const [local, central] = [bytes.indexOf(name), bytes.lastIndexOf(name)];
  bytes.writeUInt32LE(size, local - 8);
  bytes.writeUInt32LE(size, central - 22);
  return bytes;
}

/** Words that hardly pack, so that no ratio is exceeded. */
const words = (bytes: number): string => randomBytes(bytes / 2).toString('hex');

describe('a hostile archive', () => {
  const large = (text: string): Uint8Array => composeDocx(paragraph(text));

  test.each<readonly [string, () => Uint8Array, string]>([
    [
      'that unpacks to far more than it has',
      () => large(' '.repeat(2_000_000)),
      'a part of it unpacks to more than 200 times its size',
    ],
    [
      'that says that it has too much text',
      () => {
        const names = Array.from({ length: 5 }, (_, at) => `word/${at}.xml`);
        const parts = Object.fromEntries(names.map((name) => [name, words(160_000)]));
        return names.reduce(
          (archive, name) => withSize(archive, name, 14_000_000),
          composeDocx(paragraph('x'), parts),
        );
      },
      'its text unpacks to more than 64 MiB',
    ],
    [
      'of more than ten thousand files',
      () =>
        composeArchive(
          Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, ''])),
        ),
      'more than 10,000 files in it',
    ],
    [
      'with markup that is nested too deep',
      () => composeDocx(`${'<w:tbl><w:tr><w:tc>'.repeat(200)}${paragraph('x')}`),
      'elements nested deeper than 500',
    ],
    [
      'with too many elements',
      () =>
        composeXlsx([
          {
            name: 'A',
            rows: Array.from({ length: 260_000 }, (_, at) => `<row r="${at + 1}"><c/></row>`).join(
              '',
            ),
          },
        ]),
      'more than 500,000 elements',
    ],
    [
      'of a workbook with two cells far apart',
      () =>
        composeXlsx([
          { name: 'A', rows: `${row(1, ['x'])}<row r="900000"><c r="D900000"/></row>` },
        ]),
      'more than 2,000,000 cells',
    ],
    [
      'of a workbook whose cells share a long text',
      () =>
        composeXlsx(
          [
            {
              name: 'A',
              rows: Array.from({ length: 200 }, (_, at) =>
                row(at + 1, Array<string>(20).fill('<c @ t="s"><v>0</v></c>')),
              ).join(''),
            },
          ],
          { strings: `<si><t>${words(32_000)}</t></si>` },
        ),
      'more than 64 MiB of text in its cells',
    ],
    [
      'of a book with too many elements in its chapters together',
      () =>
        composeEpub(
          Object.fromEntries(
            Array.from({ length: 3 }, (_, at) => [
              `${at}.xhtml`,
              Array.from({ length: 170_000 }, (_, i) => `<hr/>${(i * 7919) % 10}`).join(''),
            ]),
          ),
        ),
      'more than 500,000 elements',
    ],
    [
      'with thousands of names of elements',
      () => composeDocx(Array.from({ length: 3_000 }, (_, at) => `<w:x${at}/>`).join('')),
      'more than 2,000 names of elements',
    ],
  ])('%s is too large', async (_, compose, reason) => {
    const verdict = await read({ body: compose(), contentType: 'text/html' });
    expect(verdict).toMatchObject({ code: 'too_large', reason, httpStatus: 200 });
    expect(verdict).toMatchObject({ meaning: expect.stringMatching(/docx.*xlsx.*download it/) });
  });

  const declared = (inside: string): string =>
    `<!DOCTYPE w:document [${inside}]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('&e;')}</w:body></w:document>`;
  const doubled = (): Uint8Array => {
    const bytes = Buffer.from(composeDocx(paragraph('one'), { 'word/document.xmm': 'two' }));
    return Buffer.from(
      bytes.toString('latin1').replaceAll('document.xmm', 'document.xml'),
      'latin1',
    );
  };

  test.each<readonly [string, () => Uint8Array]>([
    ['with entities', () => composeDocx('', { 'word/document.xml': declared('<!ENTITY e "x">') })],
    [
      'with entities of files',
      () =>
        composeDocx('', {
          'word/document.xml': declared('<!ENTITY e SYSTEM "file:///etc/passwd">'),
        }),
    ],
    [
      'with a name that leads out of it',
      () => composeArchive({ '../../evil.xml': '<a/>', mimetype: 'x' }),
    ],
    ['with a name from the root', () => composeArchive({ '/etc/evil.xml': '<a/>', mimetype: 'x' })],
    [
      'with a size that is not true',
      () => withSize(large('x'.repeat(5_000)), 'word/document.xml', 100),
    ],
    ['with two entries of one name', doubled],
    ['that breaks off', () => large('x').slice(0, 300)],
    ['of one head', () => Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1')],
    [
      'of a workbook with cells in no column',
      () => composeXlsx([{ name: 'A', rows: '<row r="1"><c r="ZZZZZZZZ1"><v>1</v></c></row>' }]),
    ],
  ])('%s is broken', async (_, compose) => {
    expect(await read({ body: compose(), contentType: 'text/html' })).toMatchObject({
      code: 'unsupported_type',
      reason: 'unreadable_archive',
      meaning: expect.stringContaining('broken'),
    });
  });

  test('inside of a document stays packed, and so do pictures', async () => {
    const bomb = composeArchive({ 'a.xml': ' '.repeat(3_000_000) });
    const body = composeDocx(paragraph('Hello'), {
      'word/embeddings/inner.docx': bomb,
      'word/media/image1.png': new Uint8Array(3_000_000),
    });
    expect(await contentOf(body)).toBe('Hello');
  });

  test.each([
    ['formulas that never end', '<m:oMath>'.repeat(400)],
    ['hidden runs that never end', '<w:r><w:vanish/>'.repeat(200)],
    ['roots in the degrees of roots', `<m:oMath>${'<m:rad><m:deg>'.repeat(200)}`],
    [
      'nested roots',
      `<m:oMath>${'<m:rad><m:deg>'.repeat(100)}<m:r/>${'</m:deg></m:rad>'.repeat(100)}</m:oMath>`,
    ],
    [
      'instructions of blanks',
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${' '.repeat(500_000)}</w:instrText><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    ],
    [
      'thousands of unknown styles',
      Array.from({ length: 5_000 }, (_, at) => paragraph('x', `s${at}`)).join(''),
    ],
  ])('with %s ends', async (_, markup) => {
    const verdict = await read({ body: composeDocx(markup), contentType: 'text/html' });
    expect('code' in verdict ? verdict.httpStatus : verdict.http_status).toBe(200);
  });
});
