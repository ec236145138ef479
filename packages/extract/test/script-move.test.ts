import { PAGE_FIELDS } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { extractPage } from '../src/documents/extract-page.ts';

const PAGE = 'https://news.example.com/old/page';

async function moveOf(html: string) {
  const reading = await extractPage(
    {
      url: PAGE,
      status: 200,
      contentType: 'text/html',
      contentLanguage: null,
      body: new TextEncoder().encode(html),
    },
    { contentFormat: 'markdown', fields: new Set(PAGE_FIELDS) },
  );
  if (reading.kind !== 'page') throw new Error('no page');
  return reading.move;
}

const scripted = (script: string, text = '<p>Redirecting…</p>') =>
  `<head><title>Moved</title></head><body>${text}<script>${script}</script></body>`;

describe('a page with hardly any text leads where its script moves on to', () => {
  test.each([
    'location="/new"',
    "location.href = '/new';",
    'window.location.href=`/new`',
    'top.location.replace("/new")',
    "document.location.assign('\\/new')",
    'window.location = "\\x2fnew"; // moved',
    'setTimeout(function(){window.location="/new"},0)',
    "setTimeout(() => { location.href = '/new' }, 3000);",
    'function go() { location.replace("/new"); }\nsetTimeout(go, 100);',
    'window.onload = function () { location.href = "/new"; };',
    'document.addEventListener("DOMContentLoaded", function () { location.replace("/new") })',
    '(function(){ if (!seen) { location.replace("/new") } })()',
  ])('%s', async (script) => {
    expect(await moveOf(scripted(script))).toEqual({
      target: 'https://news.example.com/new',
      isNear: true,
    });
  });

  test.each([
    ['another host', 'location="https://other.example/x"', 'https://other.example/x'],
    ['another scheme', 'location="http://news.example.com/x"', 'http://news.example.com/x'],
    ['another port', 'location="https://news.example.com:8/x"', 'https://news.example.com:8/x'],
    ['a private address', 'location="http://10.0.0.1/"', 'http://10.0.0.1/'],
    ['itself', 'location.href="/old/page"', PAGE],
    ['an address put together', 'location.href="/x?" + rest', null],
  ])('but not to %s', async (_, script, target) => {
    expect(await moveOf(scripted(script))).toEqual({ target, isNear: false });
  });
});

describe('no move is', () => {
  test.each([
    ['a comparison', 'if (location.href == "/new") start()'],
    ['what waits for the visitor', 'button.onclick = function () { location.href = "/new" }'],
    ['a function that nobody calls', 'function leave() { location.href = "/new" }'],
    ['a listener', 'b.addEventListener("click", () => { location = "/new" })'],
    ['a comment', '// location.href = "/new"'],
    ['a place on the page', 'location = "#top"'],
    ['another scheme', 'location.href = "javascript:go()"'],
    ['another name', 'mylocation = "/new"; $location.href = "/new"'],
    ['leaving a frame', 'if (top != self) top.location.href = "https://news.example.com/"'],
    ['a long program', `location.href = "/new";${'x();'.repeat(2_000)}`],
  ])('%s', async (_, script) => {
    expect(await moveOf(scripted(script))).toBeNull();
  });

  test('that of a page with its own text', async () => {
    const text = `<p>${'The harbour office publishes this guide each spring. '.repeat(9)}</p>`;
    expect(await moveOf(scripted('location="/new"', text))).toBeNull();
    const note = `<p>${'The office is closed on Monday and Tuesday. '.repeat(3)}</p>`;
    expect(await moveOf(scripted('location = base + rest', note))).toBeNull();
  });
});
