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
