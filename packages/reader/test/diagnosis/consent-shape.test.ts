import { describe, expect, test } from 'vitest';
import { diagnosePage } from '../../src/diagnosis/diagnose.ts';
import { CONSENT_PAGES } from './consent-pages.ts';
import { CONSENT_WORDINGS } from './consent-wordings.ts';
import { evidence } from './diagnose-support.ts';

const buttonOf = (label: string): string =>
  `<div><button class="primary"><span>${label}</span></button></div>`;

describe('6: a page that asks for consent is a wall in each language', () => {
  test.each(Object.entries(CONSENT_WORDINGS))('%s', (_, wordings) => {
    for (const [title, text, button] of wordings) {
      const page = `# ${title}\n\n${text}`;
      const isWall = { code: 'blocked', reason: 'consent_wall', httpStatus: 200 };
      expect(diagnosePage(evidence(`${page}\n\n${button}`, { title })), text).toEqual(isWall);
      expect(diagnosePage(evidence(page, { title, html: buttonOf(button) })), text).toEqual(isWall);
      // nothing asks for an answer
      const other = diagnosePage(evidence(page, { title, html: buttonOf('Menu') }));
      expect(other?.reason, text).not.toBe('consent_wall');
    }
  });
});

test('6: ordinary pages about cookies, privacy and consent stay pages, with their banner', () => {
  const refused = CONSENT_PAGES.filter(({ title, text, button }) => {
    const html = buttonOf(button);
    return diagnosePage(evidence(`# ${title}\n\n${text}`, { title, html })) !== null;
  });
  expect(CONSENT_PAGES).toHaveLength(300);
  expect(refused.map(({ name }) => name)).toEqual([]);
});

test('6: an article behind a question for consent is a page', () => {
  const [[, text = '', button = ''] = []] = CONSENT_WORDINGS.en ?? [];
  const article =
    'The ferry to the islands leaves at nine each morning from the old quay, and comes back at six. Children under four travel without a ticket, and bicycles cost two crowns.';
  expect(diagnosePage(evidence(`${text}\n\n${button}\n\n# Ferry\n\n${article}`))).toBeNull();
});
