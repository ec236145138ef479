import { PAGE_FIELDS } from '@trawl/contract';
import { extractPage } from '@trawl/extract';
import { describe, expect, test } from 'vitest';

const PAGE = 'https://news.example.com/old/page';

async function refreshesOf(html: string, contentType = 'text/html') {
  const reading = await extractPage(
    {
      url: PAGE,
      status: 200,
      contentType,
      contentLanguage: null,
      body: new TextEncoder().encode(html),
    },
    { contentFormat: 'text', fields: new Set(PAGE_FIELDS) },
  );
  if (reading.kind !== 'page') throw new Error('no page');
  return reading;
}

const tag = (content: string): string => `<META HTTP-EQUIV="Refresh" CONTENT="${content}">`;

describe('a page with hardly any text leads to the target of its refresh', () => {
  test.each([
    ['0; url=/new', 'https://news.example.com/new'],
    ['0;URL=https://other.example.org/a?b=1&amp;c=2', 'https://other.example.org/a?b=1&c=2'],
    ["3; url='next'", 'https://news.example.com/old/next'],
    ["0; url='next' class=x", 'https://news.example.com/old/next'],
    ['0; next', 'https://news.example.com/old/next'],
    ['0 , url = /new', 'https://news.example.com/new'],
    ['0.5 url=/new', 'https://news.example.com/new'],
  ])('%s', async (content, target) => {
    expect((await refreshesOf(`<head>${tag(content)}</head>Moved.`)).refresh).toBe(target);
  });

  test('from anywhere in the page, and relative to its base', async () => {
    const page = `<head><base href="/archive/"></head><p>Moved.</p>${'<!-- -->'.repeat(5_000)}${tag('0; url=new')}`;
    expect((await refreshesOf(page)).refresh).toBe('https://news.example.com/archive/new');
  });
});

describe('a browser does not follow', () => {
  test.each([
    ['a reload of the page itself', `${tag('0; url=#top')}Moved.`],
    ['a reload without address', `${tag('5')}Moved.`],
    ['what comes after a reload', `${tag('5')}${tag('0; url=/new')}Moved.`],
    ['a page that should be read first', `${tag('30; url=/new')}Moved.`],
    ['a page with its own text', `${tag('0; url=/new')}<p>${'word '.repeat(100)}`],
    ['a script', `${tag('0; url=javascript:alert(1)')}Moved.`],
    ['a delay that is no number', `${tag('0x; url=/new')}Moved.`],
    ['no refresh', '<meta name="refresh" content="0; url=/new">Moved.'],
    ['a comment', `<!-- ${tag('0; url=/new')} -->Moved.`],
    ['a script that has one', `<script>x = '${tag('0; url=/new')}'</script>Moved.`],
    ['a template', `<template>${tag('0; url=/new')}</template>Moved.`],
    ['one for browsers without scripts', `<noscript>${tag('0; url=/new')}</noscript>Moved.`],
  ])('%s', async (_what, markup) => {
    const { refresh, refreshWithoutScripts } = await refreshesOf(markup);
    expect([refresh, refreshWithoutScripts]).toEqual([null, null]);
  });

  test('one in a text', async () => {
    expect((await refreshesOf(tag('0; url=/new'), 'text/plain')).refresh).toBeNull();
  });
});

test('a page without any text has the target for browsers without scripts', async () => {
  const page = `<head><noscript>${tag('0; url=/plain')}</noscript></head><div id="app"></div>`;
  const { refresh, refreshWithoutScripts } = await refreshesOf(page);
  expect(refresh).toBeNull();
  expect(refreshWithoutScripts).toBe('https://news.example.com/plain');
});
