import { fixed, type SitePage } from './visit.ts';

/** Sentences in encodings that this machine can read but not write, as base64. */
const JAPANESE_SHIFT_JIS = 'kqqCzJaegr+I+IKrgsWTZItDgvCCwoKtgumPrIKzgsiUrZNkj4qCzJhigsWCt4FC';
const JAPANESE_EUC = 'xKykzsv+pMGw+qStpMfFxbWkpPKkxKSvpOu+rqS1pMrIr8XFveqkzs/DpMekuaGj';
const CHINESE_GBK = '1eLKx9K71/nA+9PDs7HPq7eitee1xNCh0M2159W+tcS5ysrCoaM=';
const RUSSIAN_1251 = '3fLuIPDg8fHq4Ocg7iDs4Ovl7fzq7ukg7/Do6+ji7e7pIP3r5ery8O7x8uDt9ujoLg==';
const WESTERN_1252 = 'Q2Fm6SCTUHJpeJQgliA1IIA=';

/** What the sentences say, for tests. */
export const CHARSET_TEXTS = {
  japanese: '潮の満ち引きで電気をつくる小さな発電所の話です。',
  chinese: '这是一座利用潮汐发电的小型电站的故事。',
  russian: 'Это рассказ о маленькой приливной электростанции.',
  western: 'Café “Prix” – 5 €',
  latin: 'Füße, Ærø, señor, façade',
} as const;

const WIDE = `<!doctype html><html><head><title>Wide</title></head><body><p>${CHARSET_TEXTS.japanese}</p><p>${CHARSET_TEXTS.russian}</p></body></html>`;

function page(title: string, sentence: Buffer, head = ''): Buffer {
  return Buffer.concat([
    Buffer.from(
      `<!doctype html><html><head>${head}<title>${title}</title></head><body><h1>${title}</h1>\n<p>`,
    ),
    sentence,
    Buffer.from('</p>\n<p>The rest of this page is plain ASCII.</p></body></html>\n'),
  ]);
}

const bytes = (base64: string) => Buffer.from(base64, 'base64');
const meta = (charset: string) => `<meta charset="${charset}">`;
const type = (charset?: string) => ({
  'content-type': charset === undefined ? 'text/html' : `text/html; charset=${charset}`,
});

export const CHARSETS: readonly SitePage[] = [
  fixed(
    '/charset-shift-jis',
    'Shift_JIS, declared in the header',
    page('Header', bytes(JAPANESE_SHIFT_JIS)),
    type('Shift_JIS'),
  ),
  fixed(
    '/charset-shift-jis-meta',
    'Shift_JIS, declared in the page alone',
    page('Meta', bytes(JAPANESE_SHIFT_JIS), meta('shift_jis')),
    type(),
  ),
  fixed(
    '/charset-euc-jp-http-equiv',
    'EUC-JP, declared by http-equiv',
    page(
      'Equiv',
      bytes(JAPANESE_EUC),
      '<meta http-equiv="Content-Type" content="text/html; charset=EUC-JP">',
    ),
    type(),
  ),
  fixed('/charset-gbk', 'GBK, declared as gb2312', page('GBK', bytes(CHINESE_GBK)), type('gb2312')),
  fixed(
    '/charset-windows-1251',
    'windows-1251, declared in the page',
    page('Cyrillic', bytes(RUSSIAN_1251), meta('windows-1251')),
    type(),
  ),
  fixed(
    '/charset-missing',
    'windows-1251, declared nowhere',
    page('Undeclared', bytes(RUSSIAN_1251)),
    type(),
  ),
  fixed(
    '/charset-wrong-header',
    'the header says UTF-8, the page says windows-1251 and is right',
    page('Wrong header', bytes(RUSSIAN_1251), meta('windows-1251')),
    type('utf-8'),
  ),
  fixed(
    '/charset-wrong-meta',
    'UTF-8 as the header says; the page says windows-1251',
    page('Wrong meta', Buffer.from(CHARSET_TEXTS.russian), meta('windows-1251')),
    type('utf-8'),
  ),
  fixed(
    '/charset-unknown',
    'UTF-8, declared as something that does not exist',
    page('Unknown', Buffer.from(CHARSET_TEXTS.russian)),
    type('x-made-up'),
  ),
  fixed(
    '/charset-latin-1',
    'Latin-1, declared in the header',
    page('Latin', Buffer.from(CHARSET_TEXTS.latin, 'latin1')),
    type('iso-8859-1'),
  ),
  fixed(
    '/charset-windows-1252',
    'windows-1252, declared as Latin-1, as browsers expect',
    page('Quotes', bytes(WESTERN_1252)),
    type('iso-8859-1'),
  ),
  fixed(
    '/charset-utf-16',
    'UTF-16, little end first, with a byte order mark',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(WIDE, 'utf16le')]),
    type(),
  ),
  fixed(
    '/charset-utf-16-be',
    'UTF-16, big end first, with a byte order mark; the header says UTF-8',
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(WIDE, 'utf16le').swap16()]),
    type('utf-8'),
  ),
  fixed(
    '/charset-utf-8-mark',
    'UTF-8 with a byte order mark; the header says Latin-1',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(WIDE)]),
    type('iso-8859-1'),
  ),
  fixed(
    '/charset-broken-utf-8',
    'UTF-8 with bytes that are none in the middle',
    page(
      'Broken',
      Buffer.concat([
        Buffer.from('before '),
        Buffer.from([0xff, 0xc3, 0x28]),
        Buffer.from(' after'),
      ]),
    ),
    type('utf-8'),
  ),
];
