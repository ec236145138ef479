import { tableLines } from '@trawl/base';
import { describe, expect, test } from 'vitest';
import wordsTable from '../src/words/consent-words.tsv?raw';
import { contentOf } from './support/read.ts';

test('the words of consent have each part in each language', () => {
  const [head, ...rows] = tableLines(wordsTable);
  expect(head?.cells).toEqual(['language', 'part', 'stems']);
  const parts = new Map<string, string[]>();
  for (const { cells } of rows) {
    const [language = '', part = '', stems = '', ...more] = cells;
    expect(stems, `${language} ${part}`).toMatch(/^\S+(?: \S+)*$/);
    expect(stems).toBe(stems.toLowerCase());
    expect(more).toEqual([]);
    parts.set(language, [...(parts.get(language) ?? []), part]);
  }
  const [any, ...languages] = parts;
  expect(any).toEqual(['any', ['storage', 'accept']]);
  expect(languages).toHaveLength(24);
  for (const [language, named] of languages)
    expect(named.toSorted(), language).toEqual(
      [
        'storage',
        'consent',
        'others',
        'purpose',
        'near',
        'we',
        'accept',
        'about',
        'ask',
      ].toSorted(),
    );
});

describe('a consent panel is no part of the text', () => {
  const TEXT = Array.from(
    { length: 4 },
    (_, at) =>
      `<p>Le bureau du port publie chaque printemps le guide numéro ${at}, et ceux qui naviguent le lisent.</p>`,
  ).join('');
  const ARTICLE = `<article><h1>Les marées</h1>${TEXT}</article>`;
  const PANELS = {
    'of a manager with sections':
      '<div id="tarteaucitronRoot"><div id="tarteaucitronAlertBig"><span>Ce site utilise des cookies et vous donne le contrôle sur ceux que vous souhaitez activer.</span><button>Tout accepter</button><button>Tout refuser</button></div><div id="tarteaucitron"><h2>Panneau de gestion des cookies</h2><p>En autorisant ces services tiers, vous acceptez le dépôt et la lecture de cookies et de technologies de suivi nécessaires à leur fonctionnement.</p><ul><li>Mesure d’audience <button>Autoriser</button><button>Interdire</button></li></ul></div></div>',
    'without a name':
      '<div class="x1"><p>Nous et nos partenaires utilisons des cookies pour mesurer l’audience et personnaliser la publicité. Vous pouvez accepter ou refuser à tout moment.</p><button>Accepter</button><button>Refuser</button></div>',
  };

  test.each(Object.entries(PANELS))('%s', async (_, panel) => {
    const pages = [panel + ARTICLE, ARTICLE + panel, `<main>${panel}${ARTICLE}</main>`];
    for (const page of pages) {
      const content = await contentOf(page);
      expect(content, page).not.toMatch(/cookies|accepter/i);
      expect(content, page).toMatch(/numéro 0.*numéro 3/s);
    }
  });

  test('but a part of an article about cookies is', async () => {
    const about =
      '<div class="demo"><p>A cookie is a line of text that a server asks the browser to keep, and gets back with each request after that; its name and its value may hold nearly any sign of ASCII.</p><p>Whoever clears them must sign in again on every page, since nothing else tells the server who is asking.</p><button>Copy</button></div>';
    expect(await contentOf(`<article><h1>Cookies</h1>${TEXT}${about}</article>`)).toContain(
      'gets back with each request',
    );
  });

  test('but a page without anything else is kept for its diagnosis', async () => {
    expect(await contentOf(`<h1>Votre choix</h1>${PANELS['without a name']}`)).toContain(
      'Nous et nos partenaires',
    );
  });
});
