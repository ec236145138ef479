import { describe, expect, test } from 'vitest';
import { diagnosePage } from '../../src/diagnosis/diagnose.ts';
import { comparable } from '../../src/diagnosis/diagnose-text.ts';
import { builtInFamilies } from '../../src/diagnosis/page-families.ts';
import { BINARIES, EMPTY, ENCODED, MISREAD } from './diagnose-damaged.ts';
import { BOT_CHECKS, REFUSALS } from './diagnose-guards.ts';
import { ABOUT_WALLS, ARTICLES } from './diagnose-long-pages.ts';
import { MATERIAL } from './diagnose-material.ts';
import { ERROR_PAGES, PARKED, SIGN_INS, SUBSCRIPTIONS } from './diagnose-paywalls.ts';
import { SECOND_PAGES } from './diagnose-second-pages.ts';
import { SECOND_WALLS } from './diagnose-second-walls.ts';
import { SHORT } from './diagnose-short-pages.ts';
import { evidence, type PageCase } from './diagnose-support.ts';
import { CONSENT_WALLS, MISSING, SHELLS } from './diagnose-walls.ts';
import { WILD_PAGES, WILD_WALLS } from './diagnose-walls-in-the-wild.ts';

const WALLS: readonly (readonly [code: string, reason: string, cases: readonly PageCase[]])[] = [
  ['blocked', 'bot_check', BOT_CHECKS],
  ['blocked', 'access_denied', REFUSALS],
  ['blocked', 'consent_wall', CONSENT_WALLS],
  ['empty_page', 'script_shell', SHELLS],
  ['empty_page', 'empty_page', EMPTY],
  ['not_found', 'soft_404', MISSING],
  ['paywall', 'subscription_wall', SUBSCRIPTIONS],
  ['paywall', 'sign_in_wall', SIGN_INS],
  ['target_error', 'error_page', ERROR_PAGES],
  ['target_error', 'parked_domain', PARKED],
  ['unsupported_type', 'binary_as_text', BINARIES],
  ['unsupported_type', 'base64_as_text', ENCODED],
  ['bad_response', 'mojibake', MISREAD],
];

for (const [code, reason, cases] of WALLS) {
  describe(`6: what is not a page gets ${code}, ${reason}`, () => {
    for (const [name, content, more] of cases) {
      test(name, () => {
        expect(diagnosePage(evidence(content, more))).toEqual({ code, reason, httpStatus: 200 });
      });
    }
  });
}

describe('6: a page that fits two families gets the reason that explains the other', () => {
  test.each([
    [
      'bot_check',
      'a check that needs scripts, not an application',
      'Please enable JavaScript to view this page.',
      'Just a moment...',
    ],
    [
      'consent_wall',
      'cookies are asked for before the subscription',
      'We use cookies. Accept all cookies\n\nSubscribe to continue reading',
    ],
    [
      'subscription_wall',
      'signing in is for those who have a subscription',
      '# Harbour dues\n\nSubscribe to continue reading. Already a subscriber? Sign in to continue reading.',
    ],
    [
      'sign_in_wall',
      'the form for signing in needs scripts',
      'Sign in to continue\n\nPlease enable JavaScript to view this page.',
    ],
  ])('%s: %s', (reason, _why, content, title?: string) => {
    expect(diagnosePage(evidence(content, title ? { title } : {}))).toMatchObject({ reason });
  });
});

describe('a page is a page', () => {
  const pages = { SHORT, MATERIAL, ABOUT_WALLS, ARTICLES };
  for (const [group, cases] of Object.entries(pages)) {
    for (const [name, content, more] of cases) {
      test(`${group.toLowerCase()}: ${name}`, () => {
        expect(diagnosePage(evidence(content, more))).toBeNull();
        expect(diagnosePage(evidence(content, { ...more, httpStatus: null }))).toBeNull();
      });
    }
  }
});

describe('a second opinion', () => {
  for (const [reason, content, more] of SECOND_WALLS) {
    test(`${reason}: ${content.slice(0, 40)}`, () => {
      expect(diagnosePage(evidence(content, more))).toMatchObject({ reason });
    });
  }

  for (const [content, more] of SECOND_PAGES) {
    test(`a page: ${content.slice(0, 40)}`, () => {
      expect(diagnosePage(evidence(content, more))).toBeNull();
    });
  }
});

describe('walls as sites answer with them', () => {
  for (const [reason, content, more] of WILD_WALLS) {
    test(`${reason}: ${content.slice(0, 40)}`, () => {
      expect(diagnosePage(evidence(content, more))).toMatchObject({ reason });
    });
  }

  for (const [content, more] of WILD_PAGES) {
    test(`a page: ${content.slice(0, 40)}`, () => {
      expect(diagnosePage(evidence(content, more))).toBeNull();
    });
  }
});

describe('6: the target’s own status', () => {
  test.each([
    [404, 'not_found'],
    [410, 'not_found'],
    [401, 'paywall'],
    [402, 'payment_required'],
    [403, 'blocked'],
    [429, 'blocked'],
    [451, 'blocked'],
    [408, 'timeout'],
    [504, 'timeout'],
    [500, 'target_error'],
    [502, 'target_error'],
    [503, 'target_error'],
    [400, 'target_error'],
    [418, 'target_error'],
    [301, 'target_error'],
    [103, 'target_error'],
    [999, 'target_error'],
  ])('%i is %s, whatever the text says', (httpStatus, code) => {
    const verdict = { code, reason: `http_${httpStatus}`, httpStatus };
    expect(diagnosePage(evidence('A long and good text.', { httpStatus }))).toEqual(verdict);
    expect(diagnosePage(evidence('', { httpStatus }))).toEqual(verdict);
  });

  test.each([200, 201, 203, 206, null])('%s leaves it to the text', (httpStatus) => {
    expect(diagnosePage(evidence('Hello world', { httpStatus }))).toBeNull();
  });

  test('an unknown status is never made up', () => {
    const verdict = diagnosePage(evidence('404 page not found', { httpStatus: null }));
    expect(verdict).toEqual({ code: 'not_found', reason: 'soft_404', httpStatus: null });
  });
});

describe('rules', () => {
  test.each(builtInFamilies().map((rule) => [rule.reason, rule] as const))(
    '%s is written as texts are compared, each entry once',
    (_reason, rule) => {
      const lists = [
        rule.titles,
        rule.weakTitles,
        rule.phrases,
        rule.hints,
        rule.topics,
        rule.labels,
      ];
      for (const list of [...lists, rule.about]) {
        const entries = list;
        expect(entries.map((entry) => comparable(entry))).toEqual(
          entries.map((entry) => entry.trim()),
        );
        expect([...new Set(entries)]).toEqual(entries);
      }
    },
  );

  test.each(builtInFamilies().map((rule) => [rule.reason, rule] as const))(
    'every phrase of %s alone is enough, and quoted it is not',
    (_reason, rule) => {
      const labels = rule.needsLabel ? `\n\n${rule.labels[0]}` : '';
      for (const phrase of rule.phrases) {
        expect.soft(diagnosePage(evidence(`${phrase}${labels}`)), phrase).not.toBeNull();
        const quoted = `Since Monday the old site shows me this strange sentence and nothing else:\n\n> ${phrase}\n\nDoes anybody know what it means and whom I could ask about it?`;
        expect.soft(diagnosePage(evidence(quoted)), quoted).toBeNull();
      }
    },
  );
});
