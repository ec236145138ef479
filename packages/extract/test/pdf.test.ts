import { composeDrawn, type DrawnPage, textAt } from '@trawl/test-support/pdf';
import { describe, expect, test } from 'vitest';
import { read, readPage } from './support/read.ts';

const contentType = 'application/pdf';

async function contentOf(
  pages: readonly DrawnPage[],
  more?: Parameters<typeof composeDrawn>[1],
): Promise<string | null> {
  return (await readPage({ body: composeDrawn(pages, more), contentType })).content;
}

const drawing = (...lines: readonly string[]): DrawnPage => ({ drawing: lines.join('\n') });

describe('text that is drawn twice is there once', () => {
  test.each([
    ['to look bold', 0.4, 0],
    ['with a shadow', 0.8, -0.8],
    ['at the same place', 0, 0],
  ])('%s', async (_, dx, dy) => {
    const twice = (x: number, y: number, text: string) =>
      `${textAt(x, y, text)} ${textAt(x + dx, y + dy, text)}`;
    const page = drawing(twice(72, 700, 'Mind the gap'), textAt(72, 684, 'and the step.'));
    expect(await contentOf([page])).toBe('Mind the gap\nand the step.');
  });

  test('also where all of a page is drawn before it is drawn again', async () => {
    const lines = [textAt(72, 700, 'First line'), textAt(72, 684, 'second line.')];
    expect(await contentOf([drawing(...lines, '0.3 w', ...lines)])).toBe(
      'First line\nsecond line.',
    );
  });

  test('letters and words that are repeated stay', async () => {
    const letters = [...'all ill'].map((letter, at) => textAt(72 + at * 2.7, 700, letter));
    const page = drawing(...letters, textAt(72, 660, 'had had'), textAt(72, 644, 'had had'));
    const content = await contentOf([page]);
    expect(content).toContain('had had\nhad had');
    expect(content?.replaceAll(' ', '')).toContain('allill');
  });
});

describe('a page that is turned', () => {
  test.each([90, 180, 270])('by %i degrees is read like another', async (rotate) => {
    // drawn so that it is upright after the turn
    const matrix = { 90: '0 1 -1 0', 180: '-1 0 0 -1', 270: '0 -1 1 0' }[rotate];
    const line = (along: number, across: number, text: string) => {
      const place = {
        90: [across, along],
        180: [595 - along, across],
        270: [595 - across, 842 - along],
      }[rotate];
      return `BT /F1 12 Tf ${matrix} ${place?.join(' ')} Tm (${text}) Tj ET`;
    };
    const words = [
      line(72, 100, 'Port'),
      line(172, 100, 'Depth'),
      line(72, 116, 'North'),
      line(172, 116, 'Nine metres'),
    ];
    const page = { drawing: words.join('\n'), entries: `/Rotate ${rotate}` };
    const body = composeDrawn([page]);
    const content = (await readPage({ body, contentType })).content;
    expect(content).toBe('Port Depth\nNorth Nine metres');
  });

  test('and text that alone is turned comes after the text', async () => {
    const stamp = 'BT /F1 10 Tf 0 1 -1 0 30 300 Tm (Draft of May) Tj ET';
    const page = drawing(stamp, textAt(72, 700, 'The lock opens at noon.'));
    expect(await contentOf([page])).toBe('The lock opens at noon.\n\nDraft of May');
  });
});

const LEFT = [
  'The harbour was built when the river',
  'still carried timber from the hills to',
  'the sea, and every spring the rafts ca-',
  'me down in a line that took two days',
  'to pass the bridge. The men on them',
  'slept in huts of bark and were paid by',
];
const RIGHT = [
  'the trunk. When the railway came the',
  'rafts ended within ten years, and the',
  'basin filled with sand. It was dredged',
  'again for the yachts that lie there to-',
  'day, and the bark huts are a museum.',
  'It is open on most days of the week.',
];

describe('columns', () => {
  const whole =
    'The harbour was built when the river\nstill carried timber from the hills to\nthe sea, and every spring the rafts came down in a line that took two days\nto pass the bridge. The men on them\nslept in huts of bark and were paid by\nthe trunk. When the railway came the\nrafts ended within ten years, and the\nbasin filled with sand. It was dredged\nagain for the yachts that lie there today, and the bark huts are a museum.\nIt is open on most days of the week.';
  const at = (column: number, row: number, text: string) =>
    textAt(72 + column * 240, 700 - row * 14, text);

  test.each([
    ['line by line', LEFT.flatMap((text, row) => [at(0, row, text), at(1, row, RIGHT[row] ?? '')])],
    [
      'one after the other',
      [...LEFT.map((text, row) => at(0, row, text)), ...RIGHT.map((text, row) => at(1, row, text))],
    ],
    [
      'the right one first',
      [...RIGHT.map((text, row) => at(1, row, text)), ...LEFT.map((text, row) => at(0, row, text))],
    ],
  ])('that are drawn %s are read one after the other', async (_, lines) => {
    expect(await contentOf([drawing(...lines)])).toBe(whole);
  });

  test('stay below a heading that goes over both', async () => {
    const heading = textAt(72, 740, 'From timber to yachts: a harbour in three hundred years', 18);
    const lines = LEFT.flatMap((text, row) => [at(0, row, text), at(1, row, RIGHT[row] ?? '')]);
    expect(await contentOf([drawing(heading, ...lines)])).toBe(
      `## From timber to yachts: a harbour in three hundred years\n\n${whole}`,
    );
  });

  test('of a table are not columns of text: its rows stay', async () => {
    const rows = ['Noon', 'Dusk', 'Midnight', 'Dawn', 'Noon again', 'Evening'];
    const lines = rows.flatMap((name, row) => [
      at(0, row, name),
      at(1, row, `${row + 2}.5 metres`),
    ]);
    expect(await contentOf([drawing(...lines)])).toContain(
      '| Noon | 2.5 metres |\n| --- | --- |\n| Dusk | 3.5 metres |',
    );
  });
});

describe('aligned columns', () => {
  /** Rows of cells, each cell at its place and the rows 16 points apart. */
  const rows = (xs: readonly number[], cells: readonly (readonly string[])[], top = 700) =>
    cells.flatMap((row, at) =>
      row.flatMap((text, column) =>
        text === '' ? [] : textAt(xs[column] ?? 0, top - at * 16, text),
      ),
    );

  test('of three rows are a table, with its head, empty cells and cells of two lines', async () => {
    const page = drawing(
      textAt(72, 760, 'The ports of the bay and their depths:'),
      ...rows([80, 210, 300], [['Port', 'Depth', 'Note']], 716),
      ...rows(
        [72, 200, 300],
        [
          ['North quay', '9.5 m', 'Open all year'],
          ['South quay', '4.2 m', 'Closed when the'],
          ['', '', 'ice is thick'],
          ['Old basin', '', 'For boats of the town'],
          ['East pier', '3.1 m', 'Open in June'],
        ],
      ),
      textAt(72, 560, 'Depths are those of low water.'),
    );
    expect(await contentOf([page])).toBe(
      [
        'The ports of the bay and their depths:\n',
        '| Port | Depth | Note |',
        '| --- | --- | --- |',
        '| North quay | 9.5 m | Open all year |',
        '| South quay | 4.2 m | Closed when the ice is thick |',
        '| Old basin |  | For boats of the town |',
        '| East pier | 3.1 m | Open in June |',
        '\nDepths are those of low water.',
      ].join('\n'),
    );
  });

  test('are lines with tabs in plain text', async () => {
    const cells = ['One', 'Two', 'Three'].map((name, at) => [name, `${at} | 1`]);
    const given = { body: composeDrawn([drawing(...rows([72, 200], cells))]), contentType };
    expect((await readPage({ ...given, format: 'text' })).content).toBe(
      'One\t0 | 1\nTwo\t1 | 1\nThree\t2 | 1',
    );
    const again = { body: composeDrawn([drawing(...rows([72, 200], cells))]), contentType };
    expect((await readPage(again)).content).toContain('| Two | 1 \\| 1 |');
  });

  test.each([
    [
      'two rows',
      [
        ['Noon', '9 m'],
        ['Dusk', '8 m'],
      ],
      'Noon 9 m\nDusk 8 m',
    ],
    [
      'numbers of a list',
      [
        ['1.', 'Cast off'],
        ['2.', 'Leave the basin'],
        ['3.', 'Call the watch'],
      ],
      '1. Cast off\n2. Leave the basin\n3. Call the watch',
    ],
    [
      'bullets of any font',
      [
        ['v', 'Cast off'],
        ['v', 'Leave'],
        ['v', 'Call'],
      ].map(([, text = '']) => ['+', text]),
      '+ Cast off\n+ Leave\n+ Call',
    ],
  ])('of %s are not', async (_, cells, expected) => {
    expect(await contentOf([drawing(...rows([72, 130], cells))])).toBe(expected);
  });
});

describe('running heads and numbers of pages', () => {
  const page = (lines: readonly string[], top: string, end: string) =>
    drawing(
      textAt(72, 800, top, 9),
      ...lines.map((text, at) => textAt(72, 740 - at * 16, text)),
      textAt(280, 30, end, 9),
    );
  const TEXTS = [
    'Mind the gap of one',
    'Two boats wait',
    'Three left',
    'Four returned',
    'All is well',
  ];
  const whole = TEXTS.map((text) => `${text} today.\n${text} yesterday.`).join('\n\n');
  const both = (text: string) => [`${text} today.`, `${text} yesterday.`];

  test('that are on most pages go, whatever number is in them', async () => {
    const pages = TEXTS.map((text, at) =>
      page(both(text), 'Harbour guide 2026', at === 0 ? 'Issue of May' : `Page ${at + 7} of 40`),
    );
    expect(await contentOf(pages)).toBe(whole.replace('\n\nTwo', '\n\nIssue of May\n\nTwo'));
  });

  test('that change from side to side go too', async () => {
    const pages = [...TEXTS, ...TEXTS].map((text, at) =>
      page(both(text), at % 2 === 0 ? 'The bay' : 'Chapter of boats', `- ${at + 1} -`),
    );
    expect(await contentOf(pages)).toBe(`${whole}\n\n${whole}`);
  });

  test.each([
    ['are on some pages only', (at: number) => (at < 2 ? 'For members' : `Part ${at * at}`)],
    ['have numbers that do not count pages', (at: number) => `Depth of ${at * 3 + 1} metres`],
  ])('lines that %s stay', async (_, headOf) => {
    const pages = TEXTS.map((text, at) => page(both(text), headOf(at), `${at + 1}`));
    const content = (await contentOf(pages)) ?? '';
    for (const at of TEXTS.keys()) expect(content).toContain(headOf(at));
  });

  test('a line that is again next to the text stays, and so does a heading', async () => {
    const pages = TEXTS.map((text, at) =>
      drawing(
        textAt(72, 780, `Chapter ${at + 1}`, 20),
        textAt(72, 740, 'Port and depth'),
        ...both(text).map((line, row) => textAt(72, 724 - row * 16, line)),
      ),
    );
    const content = (await contentOf(pages)) ?? '';
    expect(content.match(/Port and depth/g)).toHaveLength(TEXTS.length);
    expect(content.match(/## Chapter \d/g)).toHaveLength(TEXTS.length);
  });

  test('of two pages stay', async () => {
    const pages = TEXTS.slice(0, 2).map((text, at) => page(both(text), 'Guide', `${at + 1}`));
    expect(await contentOf(pages)).toContain('Guide');
  });
});

test('a PDF that needs a password says so', async () => {
  const secret = 'ab'.repeat(32);
  const trailer = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${secret}> /U <${secret}> /P -4 >> /ID [<${'cd'.repeat(16)}> <${'cd'.repeat(16)}>]`;
  const body = composeDrawn([drawing(textAt(72, 700, 'Secret'))], { trailer });
  expect(await read({ body, contentType })).toMatchObject({
    code: 'unsupported_type',
    reason: 'password_needed',
    meaning: expect.stringContaining('needs a password'),
  });
});

describe('words', () => {
  test('with ligatures have plain letters', async () => {
    const map =
      'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <66> <FB01> <67> <FB02> <68> <FB03> endbfchar endcmap';
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 101 0 R >>';
    const page = {
      drawing: 'BT /F3 12 Tf 72 700 Td (fnd a gow, o hce) Tj ET',
      entries: '/Resources << /Font << /F3 100 0 R >> >>',
    };
    const content = await contentOf([page], {
      objects: [font, `<< /Length ${map.length} >>\nstream\n${map}\nendstream`],
    });
    expect(content).toBe('find a flow, o ffice');
  });

  test('that a line end, a column or a page divides are one', async () => {
    const first = drawing(
      textAt(72, 700, 'The light-'),
      textAt(72, 684, 'house is white, and its har-'),
    );
    const second = drawing(textAt(72, 700, 'bour is small.'));
    expect(await contentOf([first, second])).toBe(
      'The lighthouse is white, and its harbour is small.',
    );
  });

  test('that a soft hyphen divides are one', async () => {
    const soft = (text: string) => textAt(72, 700, text).replace('/F1', '/F2');
    const page = drawing(soft('The light\\255'), textAt(72, 684, 'house is white.'));
    expect(await contentOf([page])).toBe('The lighthouse is white.');
  });
});

describe('a form', () => {
  const widget = (rect: string, entries: string) =>
    `<< /Type /Annot /Subtype /Widget /Rect [${rect}] ${entries} >>`;
  const state = '/AP << /N << /Yes 106 0 R /Off 106 0 R >> >>';
  const objects = [
    widget('150 695 300 711', '/FT /Tx /T (owner) /V (Ada Moor)'),
    widget('72 680 84 692', `/FT /Btn /T (berth) /V /Yes /AS /Yes ${state}`),
    widget('72 664 84 676', `/FT /Btn /T (crane) /V /Off /AS /Off ${state}`),
    widget(
      '400 400 500 416',
      '/FT /Ch /Ff 131072 /T (Port) /V (North quay) /Opt [(North quay) (South)]',
    ),
    widget('150 645 300 661', '/FT /Tx /Ff 8192 /T (pin) /V (1234)'),
    widget('150 625 300 641', '/FT /Tx /F 2 /T (hidden) /V (not shown)'),
    '<< /Type /XObject /Subtype /Form /BBox [0 0 10 10] /Length 0 >>\nstream\n\nendstream',
  ];

  test('has the values of its fields next to their labels', async () => {
    const numbers = [100, 101, 102, 103, 104, 105].map((number) => `${number} 0 R`).join(' ');
    const page = {
      drawing: [
        textAt(72, 698, 'Owner:'),
        textAt(90, 682, 'I want a berth'),
        textAt(90, 666, 'I want a crane'),
        textAt(72, 650, 'Code'),
      ].join('\n'),
      entries: `/Annots [${numbers}]`,
    };
    const catalog = `/AcroForm << /Fields [${numbers}] >>`;
    expect(await contentOf([page], { catalog, objects })).toBe(
      'Owner: Ada Moor\n☒ I want a berth\nI want a crane\nCode\n\nPort: North quay',
    );
  });
});

describe('tags', () => {
  const marked = (tag: string, id: number, text: string, y: number, size = 12) =>
    `/${tag} << /MCID ${id} >> BDC ${textAt(72, y, text, size)} EMC`;
  const element = (role: string, children: string, parent = 101) =>
    `<< /Type /StructElem /S /${role} /P ${parent} 0 R /Pg 6 0 R /K [${children}] >>`;
  const page = {
    drawing: [
      `/Artifact << /Type /Pagination >> BDC ${textAt(300, 820, 'Harbour news, page 7')} EMC`,
      marked('P', 5, 'It is deep enough for all.', 560),
      marked('H1', 0, 'Rules of the basin', 760),
      marked('P', 1, 'Please keep to these:', 740),
      marked('Lbl', 2, '\\225', 720),
      marked('LBody', 3, 'No wash', 700),
      marked('LBody', 4, 'No swimming', 680),
      marked('H2', 6, 'Depth', 600),
    ].join('\n'),
    entries: '/StructParents 0',
  };
  const objects = [
    '<< /Type /StructTreeRoot /K [101 0 R] /ParentTree << /Nums [0 [102 0 R 103 0 R 105 0 R 106 0 R 107 0 R 109 0 R 108 0 R]] >> >>',
    element('Document', '102 0 R 103 0 R 104 0 R 108 0 R 109 0 R', 100),
    element('H1', '0'),
    element('P', '1'),
    element('L', '110 0 R 111 0 R'),
    element('Lbl', '2', 110),
    element('LBody', '3', 110),
    element('LBody', '4', 111),
    element('H2', '6'),
    element('P', '5'),
    element('LI', '105 0 R 106 0 R', 104),
    element('LI', '107 0 R', 104),
  ];
  const catalog = '/MarkInfo << /Marked true >> /StructTreeRoot 100 0 R';
  const expected =
    '# Rules of the basin\n\nPlease keep to these:\n\n- No wash\n- No swimming\n\n## Depth\n\nIt is deep enough for all.';

  test('say what is a heading and a list, and in which order they are read', async () => {
    expect(await contentOf([page], { catalog, objects })).toBe(expected);
  });

  test('that name only a part leave the other text where it is', async () => {
    const more = { ...page, drawing: `${page.drawing}\n${textAt(72, 400, 'Without a tag.')}` };
    expect(await contentOf([more], { catalog, objects })).toBe(`${expected}\n\nWithout a tag.`);
  });
});

describe('pages that are pictures', () => {
  const picture = { drawing: 'q 595 0 0 842 0 0 cm Q' };

  test('are an empty page, which says what they need', async () => {
    const verdict = await read({ body: composeDrawn([picture, picture]), contentType });
    expect(verdict).toMatchObject({ code: 'empty_page', reason: 'pdf_without_text' });
    expect(verdict).toMatchObject({ meaning: expect.stringContaining('needs OCR') });
  });

  test('among others are named', async () => {
    const body = composeDrawn([drawing(textAt(72, 700, 'Cover')), picture]);
    const page = await readPage({ body, contentType });
    expect(page.content).toBe('Cover');
    expect(page.remarks).toMatchObject([{ message: expect.stringMatching(/page 2 .*OCR/) }]);
  });
});
