import { describe, expect, test } from 'vitest';
import { decodeText } from '../src/charset/charset.ts';
import { encode } from './support/encode.ts';
import { readPage } from './support/read.ts';

const SAMPLES = {
  shift_jis: '港の防波堤は、この冬の高波で大きく壊れた。修復には二年かかるという。',
  'euc-jp': '夜行列車が十一年ぶりに海沿いの線路に戻ってくることになった。',
  gbk: '保留煤气灯的小镇，起初是因为没有钱改造，后来是因为谁也不愿意改。这里的人说话都很轻。',
  big5: '這個小鎮的人說，他們不知道為什麼在這裡說話會比較輕，可是大家都這樣。',
  'euc-kr':
    '조력 방앗간은 밀물과 썰물의 힘으로 움직이는 물레방아이다. 하루의 일은 날마다 늦어진다.',
  'windows-1251': 'Часы достались мне от деда и молчали лет двадцать, и я решил попробовать сам.',
  'koi8-r': 'Сначала нужно снять стрелки, не погнув ось, а потом промыть детали.',
  'windows-1252': 'Où est passé le café crème ? L’été dernier, déjà, il était à côté.',
} as const;

const html = (text: string, head = '') =>
  `<html><head>${head}<title>x</title></head><body><p>${text}</p></body></html>`;

describe.each(Object.entries(SAMPLES))('a page in %s', (charset, text) => {
  const body = (head?: string) => encode(html(text, head), charset);

  test('is read as its header says', async () => {
    const page = await readPage({ body: body(), contentType: `text/html; charset=${charset}` });
    expect(page.content).toBe(text);
  });

  test('is read as its meta element says', async () => {
    for (const head of [
      `<meta charset="${charset}">`,
      `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`,
    ]) {
      expect((await readPage({ body: body(head), contentType: 'text/html' })).content).toBe(text);
    }
  });

  test('is read correctly although the header claims UTF-8', () => {
    const lying = 'text/html; charset=utf-8';
    expect(decodeText(body(`<meta charset=${charset}>`), lying).text).toContain(text);
  });

  test('is recognized when nothing names it', () => {
    expect(decodeText(body(), 'text/html').text).toContain(text);
  });

  test('in UTF-8 comes out right although the header names the other', () => {
    const utf8 = new TextEncoder().encode(html(text, '<meta charset="utf-8">'));
    expect(decodeText(utf8, `text/html; charset=${charset}`).text).toContain(text);
  });
});

describe('character sets', () => {
  const TEXT = 'Grüße – 港 – дом';

  test('a byte order mark wins over the header', () => {
    const body = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(TEXT)]);
    expect(decodeText(body, 'text/html; charset=shift_jis').text).toBe(TEXT);
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(TEXT, 'utf16le')]);
    expect(decodeText(utf16, 'text/html; charset=utf-8').text).toBe(TEXT);
  });

  test('UTF-16 without a mark is recognized by its markup', () => {
    expect(decodeText(Buffer.from('<p>Grüße</p>', 'utf16le'), null).text).toBe('<p>Grüße</p>');
  });

  test('an XML declaration is followed', () => {
    const source = '<?xml version="1.0" encoding="windows-1251"?><a>Дом у моря</a>';
    expect(decodeText(encode(source, 'windows-1251'), 'application/xml').text).toBe(source);
  });

  test('the header wins when the document names another character set', () => {
    const body = encode(html(SAMPLES.shift_jis, '<meta charset="euc-jp">'), 'shift_jis');
    const { text, charset } = decodeText(body, 'text/html; charset=shift_jis');
    expect(text).toContain(SAMPLES.shift_jis);
    expect(charset).toBe('shift_jis');
  });

  test('UTF-8 labelled as Latin-1 by default is UTF-8', () => {
    const body = new TextEncoder().encode('crème brûlée');
    expect(decodeText(body, 'text/html; charset=ISO-8859-1').text).toBe('crème brûlée');
  });

  test('one stray byte does not spoil a page in UTF-8', () => {
    const body = new TextEncoder().encode('дом у моря '.repeat(200));
    body[5] = 0xff;
    const { text, charset } = decodeText(body, 'text/html; charset=utf-8');
    expect(charset).toBe('utf-8');
    expect(text).toContain('дом у моря дом у моря');
  });

  test('a declaration behind a long head is found', () => {
    const text = SAMPLES['windows-1251'];
    for (const length of [2_000, 3_000]) {
      const head = `<style>${'a'.repeat(length)}</style><meta charset="windows-1251">`;
      const { charset } = decodeText(encode(html(text, head), 'windows-1251'), null);
      expect(charset).toBe('windows-1251');
    }
    // nothing else in this page could show its character set
    const short = encode(
      html('кот', `<!--${'-'.repeat(3_000)}--><meta charset="koi8-r">`),
      'koi8-r',
    );
    expect(decodeText(short, 'text/html').text).toContain('кот');
  });

  test('an unknown name is ignored', () => {
    expect(decodeText(new TextEncoder().encode('é'), 'text/html; charset=utf-9').text).toBe('é');
  });
});

describe('bytes are decoded as the Encoding standard says', () => {
  test.each([
    ['euc-kr', [0x8c, 0x63, 0xb9, 0xe6, 0xc0, 0xc0], '똠방응'],
    ['ks_c_5601-1987', [0xc2, 0xee, 0xa3, 0xc1], '찌Ａ'],
    ['gb2312', [0x95, 0x32, 0x82, 0x36, 0xd2, 0xb0], '𠀀野'],
    ['big5', [0x88, 0x62, 0xa4, 0xa4], 'Ê̄中'],
    ['shift_jis', [0x87, 0x40, 0xfa, 0x42], '①ⅲ'],
    ['euc-jp', [0x8f, 0xb0, 0xa1], '丂'],
    ['koi8-u', [0xae, 0xd2], 'ўр'],
    ['windows-874', [0xa1, 0x85], 'ก…'],
    ['iso-8859-8-i', [0xf9, 0xec], 'של'],
    ['iso-8859-16', [0xaa, 0xfe], 'Șț'],
    ['macintosh', [0x8e, 0xd5], 'é’'],
    ['latin1', [0x80, 0x93], '€“'],
    ['x-user-defined', [0x41, 0x80], 'A\uf780'],
  ])('%s', (label, bytes, text) => {
    const decoded = decodeText(new Uint8Array(bytes), `text/html; charset=${label}`);
    expect(decoded.text).toBe(text);
  });

  test.each(['hz-gb-2312', 'iso-2022-kr', 'utf-9', 'x-unknown'])('%s is ignored', (label) => {
    const body = new TextEncoder().encode('Grüße');
    expect(decodeText(body, `text/html; charset=${label}`).text).toBe('Grüße');
  });

  test('UTF-16 in the header counts only for bytes that can be UTF-16', () => {
    const utf16 = Buffer.from('<p>港</p>', 'utf16le').swap16();
    expect(decodeText(utf16, 'text/html; charset=utf-16be').text).toBe('<p>港</p>');
    const utf8 = new TextEncoder().encode('<p>港</p>');
    expect(decodeText(utf8, 'text/html; charset=utf-16').text).toBe('<p>港</p>');
  });
});

describe('the declaration is found as browsers find it', () => {
  // one Cyrillic word is too short to be recognized: only the declaration names its charset
  const read = (head: string, charset = 'koi8-r') =>
    decodeText(encode(`${head}<p>ёж</p>`, charset), 'text/html').text;

  test.each([
    '<meta charset=koi8-r>',
    "<META\tCHARSET = ' KOI8-R '>",
    '<meta name=x charset="koi8-r" />',
    '<meta content="text/html;charset=koi8-r" http-equiv=content-type>',
    '<meta http-equiv="Content-Type" content="text/html; charset = \'koi8-r\'">',
    '<meta http-equiv=content-type content="charset; charset=koi8-r; x">',
    '<!-- <meta charset=utf-8> --><meta charset=koi8-r>',
    '<!--><meta charset=koi8-r>',
    '<meta name=a content="charset=utf-8"><meta charset=koi8-r>',
    '<meta charset=nothing><meta charset=koi8-r>',
    '<meta http-equiv=refresh content="0; charset=utf-8"><meta charset=koi8-r>',
    '<div title="<meta charset=utf-8>"><meta charset=koi8-r>',
    '<metadata charset=utf-8><meta charset=koi8-r>',
    '</meta charset=utf-8><meta charset=koi8-r>',
    '<?php <meta charset=utf-8?><meta charset=koi8-r>',
    '<?xml version="1.0" encoding=\'koi8-r\'?><html xmlns="http://www.w3.org/1999/xhtml">',
    `<script>${'x'.repeat(1024)}</script><script>'<meta charset=utf-8>'</script><meta charset=koi8-r>`,
  ])('%s', (head) => {
    expect(read(head)).toBe(`${head}<p>ёж</p>`);
  });

  test('what can be read byte by byte is not UTF-16, and private characters are Western', () => {
    expect(decodeText(new TextEncoder().encode('<meta charset=utf-16>é'), null).charset).toBe(
      'utf-8',
    );
    const body = Buffer.from('<meta charset=x-user-defined>caf\xe9s', 'latin1');
    expect(decodeText(body, null).text).toContain('cafés');
  });

  test('a commented declaration and a label with a character reference decide nothing', () => {
    const german = 'Die Größe des Bootes, die Höhe der Brücke und die Tiefe für Gäste';
    const body = encode(`<!-- <meta charset="koi8-r"> --><p>${german}</p>`, 'windows-1252');
    expect(decodeText(body, 'text/html').text).toContain(german);
    const entity = encode(`<meta charset="koi8&#45;r"><p>${german}</p>`, 'windows-1252');
    expect(decodeText(entity, 'text/html').text).toContain(german);
  });
});

describe('stray bytes in UTF-8', () => {
  const withStray = (text: string) => Buffer.from(text.replace('|', '\xff'), 'latin1');
  const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

  test.each([
    ['a short page with a header', `${utf8('Grüße')} |`, 'text/html; charset=utf-8'],
    ['a short page with a meta', `<meta charset=utf-8>${utf8('Grüße')} |`, 'text/html'],
    ['a page without a declaration', `${utf8('Grüße, Übermut')} |`, 'text/html'],
    [
      'a page with the default of the server',
      `${utf8('Grüße, Übermut')} |`,
      'text/html; charset=iso-8859-1',
    ],
    ['no other character', 'Greetings |', 'text/html; charset=utf-8'],
  ])('%s: one byte is one replacement character', (_, text, contentType) => {
    const decoded = decodeText(withStray(text), contentType);
    expect(decoded.charset).toBe('utf-8');
    expect(decoded.text.split('\ufffd')).toHaveLength(2);
  });
});

describe('a page that names no character set', () => {
  const MENU = '<ul><li><a href="/">Home</a><li><a href="/news">News of today</a></ul>';

  test.each([
    ['windows-1253', 'Το καράβι φεύγει στις οκτώ και γυρίζει το βράδυ από το νησί.'],
    ['iso-8859-7', 'Ο ψαράς άπλωσε τα δίχτυα του στον ήλιο και περίμενε τη βάρκα.'],
    ['windows-1255', 'הספינה יוצאת בשמונה וחוזרת בערב מן האי הקטן.'],
    ['windows-1256', 'تغادر السفينة في الثامنة وتعود مساء من الجزيرة الصغيرة.'],
    ['windows-1254', 'Gemi sabah sekizde kalkıyor ve akşam küçük adadan geri dönüyor.'],
    ['windows-874', 'เรือออกตอนแปดโมงเช้าและกลับจากเกาะในตอนเย็น'],
    ['iso-8859-5', 'Корабль уходит в восемь и возвращается вечером с острова.'],
    ['koi8-u', 'Корабель відпливає о восьмій і повертається ввечері з острова, її чекають.'],
    ['windows-1250', 'Loď odplouvá v osm hodin a večer se vrací z ostrova, když není bouře.'],
    ['iso-8859-2', 'Statek odpływa o ósmej, a wieczorem wraca z wyspy, jeśli nie ma śniegu.'],
    ['windows-1257', 'Laivas išplaukia aštuntą valandą, o vakare grįžta iš mažos salos.'],
    ['windows-1252', 'Båten går klockan åtta och kommer åter från den lilla ön på kvällen.'],
  ])('%s is recognized, also with a menu in front', (charset, text) => {
    expect(decodeText(encode(`<p>${text}</p>`, charset), null).text).toContain(text);
    expect(decodeText(encode(`${MENU}<p>${text}</p>`, charset), null).text).toContain(text);
  });

  test('ISO-2022-JP is recognized by its escapes', () => {
    const body = Buffer.from('<p>\x1b$B9A\x1b(B</p>', 'latin1');
    expect(decodeText(body, 'text/html').text).toBe('<p>港</p>');
  });
});
