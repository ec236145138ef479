import { describe, expect, test } from 'vitest';
import { readPage } from './support/read.ts';

/** A sentence that is long enough to count as text, with a subject of its own. */
const about = (subject: string): string =>
  `${subject} is what this sentence is about, which is long enough to count as text of the page.`;
const paragraphs = (subject: string, count = 4): string =>
  Array.from({ length: count }, (_, at) => `<p>${about(`${subject} ${at}`)}</p>`).join('');
const read = async (body: string, url = 'https://site.example/page'): Promise<string> =>
  (await readPage({ body, url, format: 'text' })).content ?? '';

describe('markup that browsers forgive', () => {
  test('a CDATA mark in a page has no effect', async () => {
    expect(await read(`<![CDATA[<div>x</div><main>${paragraphs('Tide')}</main>`)).toContain(
      about('Tide 3'),
    );
  });

  test('what follows the end of the body, or a second body, belongs to the page', async () => {
    const page = `<html><body><p>${about('First')}</p></body><body><p>${about('Second')}</p></body></html>${paragraphs('Third')}`;
    const content = await read(page);
    for (const subject of ['First', 'Second', 'Third 3']) expect(content).toContain(about(subject));
  });
});

describe('text that scripts would show', () => {
  test('a page that is complete only for readers without scripts', async () => {
    const page = `<div id="app">Loading</div><noscript><nav>Home</nav><div>${paragraphs('Reply', 6)}</div></noscript>`;
    expect(await read(page)).toContain(about('Reply 5'));
  });

  test('a hint to enable scripts is not text', async () => {
    const page = `${paragraphs('Tide')}<noscript><p>${about('Please switch JavaScript on. It')}</p></noscript>`;
    expect(await read(page)).not.toContain('JavaScript');
  });

  test('parts that React streamed late are moved to their place', async () => {
    const page = `<main><p>${about('Start')}</p><template id="B:1"></template><p>${about('End')}</p></main>
      <div hidden id="S:1">${paragraphs('Late', 3)}</div>`;
    const content = await read(page);
    const places = ['Start', 'Late 2', 'End'].map((subject) => content.indexOf(about(subject)));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
  });

  test('the text in structured data, when the visible text is missing', async () => {
    const articleBody = `${about('Stated')}\n${about('Stated again')} ${about('And again')}`;
    const data = JSON.stringify({ '@type': 'NewsArticle', headline: 'Tides', articleBody });
    const page = `<script type="application/ld+json">${data}</script><div>Please wait</div>`;
    expect(await read(page)).toBe(
      `${about('Stated')}\n\n${about('Stated again')} ${about('And again')}`,
    );
  });

  test('structured text comes without markup and entities', async () => {
    const articleBody = `<p>Tides &amp; waves, <b>${about('both')}</b></p><p>${about('More')} Array<string> stays. ${about('Last')}</p>`;
    const data = JSON.stringify({ '@type': 'NewsArticle', headline: 'Tides', articleBody });
    expect(await read(`<script type="application/ld+json">${data}</script>`)).toBe(
      `Tides & waves, ${about('both')}\n\n${about('More')} Array<string> stays. ${about('Last')}`,
    );
  });

  test('collapsed text and text in tabs is text; a closed dialog is not', async () => {
    const page = `<main>${paragraphs('Open')}
      <div class="accordion__content" hidden>${paragraphs('Folded')}</div>
      <div role="tabpanel" style="display:none">${paragraphs('Tab')}</div>
      <div class="modal panel" hidden>${paragraphs('Dialog')}</div></main>`;
    const content = await read(page);
    expect(content).toContain(about('Folded 3'));
    expect(content).toContain(about('Tab 3'));
    expect(content).not.toContain('Dialog');
  });
});

describe('names that mislead', () => {
  test.each(['jump-link-content', 'lm_navSource', 'accordion-dropdown', 'skip-item', 'cta-row'])(
    'sentences in "%s" are text',
    async (name) => {
      const page = `<main>${paragraphs('Tide')}<div class="${name}">${paragraphs('Wave')}</div></main>`;
      expect(await read(page)).toContain(about('Wave 3'));
    },
  );

  test.each(['newsletter-box', 'cookie-notice', 'related-stories', 'author-bio', 'site-footer'])(
    'sentences in "%s" are not, when they are next to the text too',
    async (name) => {
      const page = `<main>${paragraphs('Tide', 8)}</main><div class="${name}">${paragraphs('Wave')}</div>`;
      expect(await read(page)).not.toContain('Wave');
    },
  );
});

describe('discussions', () => {
  const post = (subject: string, name: string) =>
    `<article class="${name}"><h4>${subject} writes</h4><div class="message-userExtras">Joined 2019 Posts 7</div>${paragraphs(subject, 2)}</article>`;
  const thread = (name: string) =>
    `<div class="thread">${['Ada', 'Ben', 'Cy'].map((who) => post(who, name)).join('')}</div>`;

  test('the contributions are the text of a thread, not the details about their authors', async () => {
    const content = await read(thread('comment'), 'https://forum.example.com/topic/7-tides/');
    for (const who of ['Ada 1', 'Ben 1', 'Cy 1']) expect(content).toContain(about(who));
    expect(content).not.toContain('Joined 2019');
  });

  test('below an article it is left out', async () => {
    const page = `<meta property="og:type" content="article"><main>${paragraphs('Tide', 8)}</main><section class="comments">${thread('comment')}</section>`;
    const news = await read(page, 'https://news.example.com/tides');
    expect(news).not.toContain('Ada');
  });
});

describe('pages that lead to others', () => {
  const card = (at: number) =>
    `<div class="card read-more"><h3><a href="/${at}">Headline number ${at} of the day</a></h3></div>`;
  const cards = Array.from({ length: 12 }, (_, at) => card(at)).join('');

  test('their headlines are their text', async () => {
    const content = await read(`<nav><a href="/">Home</a></nav><main>${cards}</main>`);
    expect(content).toContain('Headline number 11 of the day');
    expect(content).not.toContain('Home');
  });

  test('around an article they are not', async () => {
    const page = `<main>${paragraphs('Tide', 8)}</main><div class="related">${cards}</div>`;
    expect(await read(page)).not.toContain('Headline');
  });
});

test.each(['Das könnte Sie auch interessieren', 'Lea también', 'À lire aussi', 'Leia mais'])(
  'a list below "%s" leads away',
  async (heading) => {
    const list =
      '<ul><li><a href="/1">Elsewhere one</a></li><li><a href="/2">Elsewhere two</a></li></ul>';
    const page = `<main>${paragraphs('Tide', 8)}<h3>${heading}</h3>${list}</main>`;
    expect(await read(page)).not.toContain('Elsewhere');
  },
);
