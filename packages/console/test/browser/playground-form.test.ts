import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import {
  addProvider,
  chip,
  column,
  linkOf,
  openOptions,
  openPlayground,
  outcome,
  price,
  queryBox,
  runButton,
} from '../support/playground.ts';

describeConsole('the form of the playground', (tests) => {
  test(
    'shows what is wrong with overrides in place, before anything is bought',
    async () => {
      await openPlayground(tests, { allowed: [/status of 4\d\d/] }, async (page) => {
        await queryBox(page).fill('tidal power');
        await openOptions(page);
        await page.getByText('Overrides, user, metadata').click();
        const overrides = page.getByLabel('Provider overrides');
        await overrides.fill('{"exa": ');
        await page.getByText(/^This is not JSON/).waitFor();
        await price(page).getByText('Correct the JSON of: Provider overrides.').waitFor();
        expect(await runButton(page).isDisabled()).toBe(true);
        // it does not hold up the other form
        await page.getByText('Fetch', { exact: true }).click();
        await page.getByLabel('URLs').fill('https://atlas.example.org/wiki/tides');
        expect(await runButton(page).isDisabled()).toBe(false);
        await page.getByText('Search', { exact: true }).click();
        await openOptions(page);
        await page.getByText('Overrides, user, metadata').click();

        await overrides.fill('{"exa": 5}');
        await page.getByText(/^exa: .*dictionary/).waitFor();
        await expectAccessible(page);
        await overrides.fill('{"nobody": {"a": 1}}');
        await page
          .getByText(/unknown provider .nobody/)
          .first()
          .waitFor();
        expect(await overrides.getAttribute('aria-invalid')).toBe('true');
        expect(tests.server().sandbox.calls).toEqual([]);

        await overrides.fill('{"exa": {"category": "news"}}');
        await price(page)
          .getByText(/^2 calls/)
          .waitFor();
        await expect.poll(() => overrides.getAttribute('aria-invalid')).toBeNull();
        await runButton(page).click();
        await outcome(page).getByText('2 runs').waitFor();
        const sent = tests.server().sandbox.calls.map(({ body }) => body);
        expect(sent.some((body) => JSON.stringify(body).includes('news'))).toBe(true);
      });
    },
    LIMIT_MS,
  );

  test(
    'has filters, with what is wrong in place, and each run says how it applied them',
    async () => {
      await openPlayground(tests, { allowed: [/status of 4\d\d/] }, async (page) => {
        await queryBox(page).fill('tidal power');
        await openOptions(page);
        await page.getByText('Filters', { exact: true }).click();
        const sites = page.getByLabel('Only these sites');
        await sites.fill('https://example.com, example.org');
        await page.getByText(/^0: .*write example\.com; its subdomains are included/).waitFor();
        expect(await sites.getAttribute('aria-invalid')).toBe('true');
        await expectAccessible(page);
        await sites.fill('example.com, example.org');
        await page.getByLabel('Published on or after').fill('2024-01-01');
        await page.getByLabel('Language').fill('de');
        await price(page)
          .getByText(/^2 calls/)
          .waitFor();
        await runButton(page).click();
        await outcome(page).getByText('2 runs').waitFor();
        await column(page, 'exa')
          .getByText(
            'Filters: include_domains native, published_after native, language unsupported',
          )
          .waitFor();
        await column(page, 'brave')
          .getByText('Filters: include_domains query, published_after native, language native')
          .waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'is in the address: a reload, a copied link and «back» restore it',
    async () => {
      await openPlayground(tests, {}, async (page) => {
        const link = () => new URL(page.url()).searchParams.get('r') ?? '';
        await queryBox(page).fill('Gezeiten – 潮汐');
        await openOptions(page);
        await page.getByText('max', { exact: true }).click();
        await page.getByLabel('Results per provider').fill('7');
        await chip(page, 'exa').click();
        const restored = async () => {
          await expect.poll(() => queryBox(page).inputValue()).toBe('Gezeiten – 潮汐');
          await page.getByText('Options (2 set)', { exact: true }).waitFor();
          if (!(await page.getByLabel('Results per provider').isVisible())) await openOptions(page);
          expect(await page.getByLabel('max', { exact: true }).isChecked()).toBe(true);
          expect(await page.getByLabel('Results per provider').inputValue()).toBe('7');
          expect([await chip(page, 'exa').count(), await chip(page, 'brave').count()]).toEqual([
            0, 1,
          ]);
        };
        await expect
          .poll(() => Buffer.from(link(), 'base64url').toString())
          .toContain('"include":["brave"]');
        await page.reload();
        await restored();

        await runButton(page).click();
        await outcome(page).getByText('1 run').waitFor();
        // the answer is read back from its record: nothing is bought again
        const bought = tests.server().sandbox.calls.length;
        await page.reload();
        await outcome(page).getByText('1 run').waitFor();
        expect(await column(page, 'brave').locator('ol > li').count()).toBe(7);
        expect(await page.getByText('The form has changed since.').count()).toBe(0);
        expect(tests.server().sandbox.calls.length).toBe(bought);

        await page.getByRole('button', { name: 'Fetch this page' }).first().click();
        await expect.poll(() => page.getByLabel('URLs').inputValue()).toMatch(/^https:/);
        await page.goBack();
        await restored();

        await queryBox(page).fill('a long question about tides '.repeat(120));
        await expect.poll(link).toMatch(/^z\./);
        await page.reload();
        await expect
          .poll(() => queryBox(page).inputValue())
          .toMatch(/^(a long question about tides ){120}$/);
      });
    },
    LIMIT_MS,
  );

  test.each([
    ['no request', '?r=%3Cscript%3Ealert(1)%3C%2Fscript%3E'],
    ['a damaged request', '?r=z.AAAA'],
  ])(
    'is empty for a link with %s, and says so',
    async (_, search) => {
      await openPlayground(tests, { search }, async (page) => {
        await page.getByText('The link holds no request that can be read.').waitFor();
        expect(await queryBox(page).inputValue()).toBe('');
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'keeps what a link holds and the form does not know, which the server judges',
    async () => {
      const request = {
        mode: 'search',
        body: {
          user_input: { query: 'tides', lang: 'en' },
          search: { providers: { include: ['nobody'] } },
        },
      } as const;
      const options = { search: `?r=${linkOf(request)}`, allowed: [/status of 4\d\d/] };
      await openPlayground(tests, options, async (page) => {
        await page
          .getByRole('alert')
          .getByText(/unknown provider .nobody/)
          .waitFor();
        await chip(page, 'nobody').click();
        await addProvider(page, 'exa');
        await price(page)
          .getByText(/^1 call/)
          .waitFor();
        await page.getByRole('tab', { name: 'Code' }).click();
        const code = await column(page, 'curl').locator('code').innerText();
        expect(code).toContain('"lang": "en"');
        expect(code).toContain('$SERVICE_API_KEY');
        const program = await column(page, 'Python').locator('code').innerText();
        expect(program).toContain('client.search(json.loads(');
        expect(program).toContain('"lang": "en"');
      });
    },
    LIMIT_MS,
  );

  test(
    'is usable by keyboard alone',
    async () => {
      await openPlayground(tests, {}, async (page) => {
        await queryBox(page).waitFor();
        await page.getByLabel('Search', { exact: true }).focus();
        await page.keyboard.press('Tab');
        expect(await focused(page)).toMatch(/^textarea/);
        await page.keyboard.type('tidal power');
        await expect.poll(() => runButton(page).isDisabled()).toBe(false);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        expect(await focused(page)).toMatch(/^button exa/);
        await page.keyboard.press('Space');
        await expect.poll(() => chip(page, 'exa').count()).toBe(0);
        // the focus is where another can be chosen
        expect(await focused(page)).toBe('select Add to providers');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('button Run');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Space');
        await page.keyboard.press('Tab');
        await page.keyboard.press('ArrowRight');
        const extended = page.getByLabel('extended', { exact: true });
        await expect.poll(() => extended.isChecked()).toBe(true);
        await page.keyboard.press('Control+Enter');
        await outcome(page).getByText('1 run').waitFor();
        await page.getByRole('tab', { name: 'Results' }).focus();
        for (const next of ['Merged', 'Rank map']) {
          await page.keyboard.press('ArrowRight');
          // the tabs move the focus a moment after the key
          await expect.poll(() => focused(page)).toBe(`button ${next}`);
        }
        await page.getByRole('button', { name: /^Rank 1 at brave/ }).waitFor();
        for (let tab = 0; tab < 4; tab += 1) await page.keyboard.press('Tab');
        expect(await focused(page)).toMatch(/^button Rank 1 at brave/);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: /^Rank 1 at brave/, pressed: true }).waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'chooses fields by name, and fits a phone in every view',
    async () => {
      await openPlayground(tests, { viewport: PHONE }, async (page) => {
        await queryBox(page).fill('tidal power');
        await openOptions(page);
        await page.getByText('by name', { exact: true }).click();
        await page.getByLabel('publish_date').click();
        await price(page)
          .getByText(/^2 calls/)
          .waitFor();
        await expectFits(page);
        await runButton(page).click();
        await outcome(page).getByText('2 runs').waitFor();
        await column(page, 'brave').getByText('publish_date').first().waitFor();
        for (const tab of ['Results', 'Merged', 'Rank map', 'JSON', 'Code']) {
          await page.getByRole('tab', { name: tab }).click();
          await expectFits(page);
          await expectAccessible(page);
          await screenshot(page, `playground-phone-${tab}`);
        }
      });
    },
    LIMIT_MS,
  );
});
