import { randomUUID } from 'node:crypto';
import { systemClock } from '@trawl/base';
import { createPasswordLink } from '@trawl/console-api';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { screenshot, violations } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, type PageOptions } from '../support/console.ts';
import { heading, OPERATOR_EMAIL } from '../support/people.ts';
import { linkOf, outcome, runButton } from '../support/playground.ts';
import { seedFetch, seedSearch } from '../support/seed-sessions.ts';

/** How a person may look at a page. */
interface Look {
  readonly name: string;
  readonly context: BrowserContextOptions;
}
const LOOKS: readonly Look[] = [
  { name: 'light', context: { colorScheme: 'light' } },
  { name: 'dark', context: { colorScheme: 'dark' } },
  // a screen of 1280 px, of which a page has half at 200 %
  { name: '200 %', context: { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 } },
  { name: 'forced colours', context: { forcedColors: 'active' } },
];

/** A page, or what opens on it. */
interface View {
  readonly name: string;
  /** Below `/console/`. Absent = the page stays the one before. */
  readonly path?: string;
  /** What is there once the page has read what it shows. */
  readonly shows: (page: Page) => Locator;
  /** What a person does first. */
  readonly first?: (page: Page) => Promise<void>;
}

const text = (words: string) => (page: Page) => page.getByText(words).first();
const table = (name: string) => (page: Page) => page.getByRole('table', { name });
const dialog = (name: string) => (page: Page) => page.getByRole('dialog', { name });
const panel = (page: Page) => page.getByRole('complementary');

/** The tabs of the page before. */
const tabs = (where: string, names: readonly string[]): readonly View[] =>
  names.map((name) => ({
    name: `${where}: ${name}`,
    first: (page) => page.getByRole('tab', { name }).click(),
    shows: (page) => page.getByRole('tabpanel', { name }),
  }));

/** In a page: the texts of cells that run into the next one. */
const OVER_THE_EDGE = `[...document.querySelectorAll('td, th')]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth > 0)
  .map((cell) => 'runs out of its cell: ' + cell.innerText)`;

/** In a page: tables that have to be scrolled sideways, except those that compare by columns. */
const SCROLLING = `[...document.querySelectorAll('section:has(> table)')]
  .filter((frame) => frame.scrollWidth > frame.clientWidth && !/ by provider$/.test(frame.ariaLabel))
  .map((frame) => 'wider than its frame: ' + frame.ariaLabel)`;

/** What is wrong with a page; empty = nothing. */
async function faults(page: Page): Promise<readonly string[]> {
  const [width, screen] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, innerWidth]',
  );
  return [
    ...(await violations(page)),
    ...(await page.evaluate<string[]>(OVER_THE_EDGE)),
    ...(await page.evaluate<string[]>(SCROLLING)),
    ...(width > screen ? [`${width} px wide on a screen of ${screen} px`] : []),
  ];
}

describeConsole('every page in every look', ({ server, withPage }) => {
  /** Visits all, and fails with the faults of all. */
  async function expectFaultless(
    { name: look, context }: Look,
    views: readonly View[],
    options: PageOptions,
  ): Promise<void> {
    const found: Record<string, readonly string[]> = {};
    await withPage({ ...context, ...options }, async (page) => {
      for (const { name, path, first, shows } of views) {
        if (path !== undefined) {
          // a link of another token is the same page to a browser
          await page.goto('about:blank');
          await page.goto(`/console/${path}`);
        }
        await first?.(page);
        await shows(page).waitFor();
        await expect.poll(() => page.getByText('Loading').count()).toBe(0);
        await screenshot(page, `every-${look}-${name}`.replaceAll(/\W+/g, '-'));
        const wrong = await faults(page);
        if (wrong.length > 0) found[name] = wrong;
      }
    });
    expect(found).toEqual({});
  }

  // runs first: an account would end the set-up
  test.each(LOOKS)(
    'the set-up, in $name',
    async (look) => {
      const view: View = { name: 'set-up', path: 'setup', shows: text('trawl console code') };
      await expectFaultless(look, [view], { allowed: [/status of 401/] });
    },
    LIMIT_MS,
  );

  test.each(LOOKS)(
    'for people who are not signed in, in $name',
    async (look) => {
      const links = await madeLinks();
      const views: readonly View[] = [
        { name: 'sign-in', path: 'sign-in', shows: (page) => page.getByLabel('E-mail') },
        { name: 'invitation', path: links.invitation, shows: text('invites you') },
        {
          name: 'invitation that was used',
          path: 'invitation#used',
          shows: text('This invitation does not exist'),
        },
        { name: 'invitation without its token', path: 'invitation', shows: text('again') },
        {
          name: 'password link',
          path: links.password,
          shows: (page) => page.getByLabel('New password', { exact: true }),
        },
        { name: 'password link that was used', path: 'password#used', shows: text('Try again') },
      ];
      await expectFaultless(look, views, { allowed: [/status of 40[14]/] });
    },
    LIMIT_MS,
  );

  /** What a call of the operator in the project answers. */
  async function called(method: string, path: string, body?: object) {
    const operator = await server().operator();
    const { status, text, json } = await operator.call(method, server().path(path), { body });
    expect(status, text).toBe(200);
    return json;
  }

  /** An invitation and a link for a new password, as paths. */
  async function madeLinks() {
    const email = `${randomUUID()}@example.com`;
    const { link: invitation } = await called('POST', '/invitations', { email, role: 'admin' });
    const { store } = server().server;
    const to = { email: OPERATOR_EMAIL, publicUrl: server().url };
    const reset = await createPasswordLink(store, to, systemClock);
    const pathOf = (link = ''): string => link.split('/console/')[1] ?? '';
    return { invitation: pathOf(invitation), password: pathOf(reset?.link) };
  }

  test.each(LOOKS)(
    'with an account, in $name',
    async (look) => {
      const as = await server().operator();
      const views = [...(await projectViews()), ...(await recordViews()), ...OTHER_VIEWS];
      await expectFaultless(look, views, { as });
    },
    5 * LIMIT_MS,
  );

  const inProject = (area: string): string => `p/${server().projectId}/${area}`;

  async function projectViews(): Promise<readonly View[]> {
    const body = {
      name: 'laptop',
      permissions: ['search'],
      allowed_providers: ['exa'],
      monthly_budget_usd: 5,
    };
    const key = await called('POST', '/keys', body);
    const audit = await called('GET', '/audit');
    const watched = { interval_minutes: 60, search: { user_input: { query: 'tidal power' } } };
    const watch = await called('POST', `/v1/watches?as_key=${key.id}`, watched);
    const query = 'tidal power [[exa:status=503]]';
    const request = linkOf({ mode: 'search', body: { user_input: { query } } });
    const run = async (page: Page): Promise<void> => {
      await expect.poll(() => runButton(page).isEnabled()).toBe(true);
      await runButton(page).click();
      await outcome(page).getByText('succeeded in part').waitFor();
    };
    return [
      { name: 'overview', path: inProject('overview'), shows: table('Latest sessions') },
      { name: 'playground', path: inProject('playground'), shows: runButton },
      {
        name: 'playground result',
        path: inProject(`playground?r=${request}`),
        first: run,
        shows: outcome,
      },
      ...tabs('playground', ['Merged', 'Rank map', 'JSON', 'Code']),
      { name: 'watches', path: inProject('watches'), shows: table('Watches') },
      { name: 'watch', path: inProject(`watches?peek=${watch.id}`), shows: panel },
      { name: 'new watch', path: inProject('watches?create=1'), shows: dialog('New watch') },
      { name: 'usage', path: inProject('usage'), shows: table('Usage by provider') },
      { name: 'keys', path: inProject('keys'), shows: table('API keys') },
      { name: 'new key', path: inProject('keys?create=1'), shows: dialog('New key') },
      { name: 'key', path: inProject(`keys/${key.id}`), shows: (page) => heading(page, 'laptop') },
      {
        name: 'providers',
        path: inProject('providers'),
        shows: table('Providers and their figures'),
      },
      { name: 'provider', path: inProject('providers?peek=tavily:search'), shows: panel },
      {
        name: 'fields of providers',
        path: inProject('providers?view=fields'),
        shows: table('Fields by provider'),
      },
      {
        name: 'filters of providers',
        path: inProject('providers?view=filters'),
        shows: table('Filters by provider'),
      },
      {
        name: 'ranking',
        path: inProject('routing'),
        shows: table('Ranking of news'),
      },
      {
        name: 'routing report',
        path: inProject('routing?tab=report'),
        shows: (page) => page.getByRole('tabpanel', { name: 'Report' }),
      },
      { name: 'members', path: inProject('members'), shows: table('Members') },
      { name: 'invite', path: inProject('members?invite=1'), shows: dialog('Invite a person') },
      { name: 'audit', path: inProject('audit'), shows: table('Audit log') },
      {
        name: 'audit entry',
        path: inProject(`audit?peek=${audit.entries[0].id}`),
        shows: panel,
      },
      {
        name: 'settings',
        path: inProject('settings'),
        shows: (page) => page.getByLabel('Name', { exact: true }),
      },
    ];
  }

  async function recordViews(): Promise<readonly View[]> {
    const { sessionId, id } = await seedSearch(server(), {
      query: 'what is a crane',
      goal: 'tell the bird from the machine',
      runs: [
        { provider: 'brave', latencyMs: 700 },
        { provider: 'exa', error: { code: 'timeout', message: 'exa took longer than 10 s.' } },
      ],
    });
    const page = await seedFetch(server(), { url: 'https://example.com/', text: '# A page' });
    const session = inProject(`sessions/${sessionId}`);
    return [
      { name: 'sessions', path: inProject('sessions'), shows: table('Sessions') },
      { name: 'session peek', path: inProject(`sessions?peek=${sessionId}`), shows: panel },
      { name: 'session', path: session, shows: (page) => heading(page, 'what is a crane') },
      ...tabs('session', ['History', 'Trajectory', 'JSON']),
      {
        name: 'interaction',
        path: `${session}/${id}`,
        shows: (page) => page.getByRole('region', { name: 'Run of exa' }),
      },
      ...tabs('interaction', ['Found', 'Sent', 'Raw answer', 'JSON']),
      {
        name: 'interaction of a fetch',
        path: inProject(`sessions/${page.sessionId}/${page.id}`),
        shows: (page) => page.getByRole('region', { name: 'Run of web_fetch' }),
      },
    ];
  }

  const OTHER_VIEWS: readonly View[] = [
    { name: 'projects', path: 'projects', shows: (page) => heading(page, 'Projects') },
    { name: 'new project', path: 'projects?create=1', shows: dialog('New project') },
    { name: 'account', path: 'account', shows: text('this browser') },
    {
      name: 'keyboard shortcuts',
      first: (page) => page.keyboard.press('?'),
      shows: dialog('Keyboard shortcuts'),
    },
    {
      name: 'command menu',
      first: async (page) => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('Control+k');
      },
      shows: (page) => page.getByRole('dialog').getByRole('combobox'),
    },
    { name: 'no such page', path: 'p/another/keys', shows: (page) => heading(page, 'Not found') },
  ];
});
