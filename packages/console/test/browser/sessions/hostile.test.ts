import { byForm } from '@trawl/test-support/form';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../../support/checks.ts';
import { DESKTOP, describeConsole, LIMIT_MS, PHONE } from '../../support/console.ts';
import { seedFetch, seedSearch } from '../../support/seed-sessions.ts';

const SCRIPT = '<script>window.broken = 1</script><img src=x onerror="window.broken = 1">';
const HUGE = 'w'.repeat(5_000);
const REVERSED = '\u202Egnihtyna seod\u202C';
const MARKDOWN = [
  '# A page',
  SCRIPT,
  '[run](javascript:window.broken=1) [file](data:text/html,<script>window.broken=1</script>)',
  '[good](https://example.com/good)',
  '![picture](https://tracker.example/pixel.png)',
  '<iframe src="https://tracker.example"></iframe>',
  HUGE,
].join('\n\n');

describeConsole('hostile content', ({ server, withPage }) => {
  test(
    'of a search does not run, does not call, and does not break the layout',
    async () => {
      const { projectId } = server();
      const record = await seedSearch(server(), {
        query: `${SCRIPT} ${REVERSED} ${HUGE}`,
        goal: `${SCRIPT} ${HUGE}`,
        userId: SCRIPT,
        metadata: { [SCRIPT]: HUGE },
        runs: [
          {
            provider: 'exa',
            results: [
              { url: 'javascript:window.broken=1', title: SCRIPT, rank: 1, summary: HUGE },
              { url: 'data:text/html,x', title: REVERSED, rank: 2, full_content: MARKDOWN },
              { url: `https://example.com/${HUGE}`, title: HUGE, rank: 3 },
            ],
          },
          { provider: 'brave', error: { code: 'odd_code', message: SCRIPT + HUGE } },
        ],
      });
      const as = await server().person('viewer');
      const list = `/console/p/${projectId}/sessions`;
      const session = `${list}/${record.sessionId}`;
      const [found = '', failed = ''] = record.runs.map(
        ({ id }) => `${session}/${record.id}?run=${id}`,
      );
      const paths = [
        `${list}?peek=${record.sessionId}`,
        session,
        `${session}?tab=trajectory`,
        `${session}?tab=json`,
        found,
        failed,
      ];
      for (const viewport of byForm({ small: [PHONE], full: [PHONE, DESKTOP] })) {
        for (const path of paths) {
          await withPage({ as, path, viewport }, async (page) => {
            await page
              .locator('main')
              .getByText(/window\.broken/)
              .first()
              .waitFor();
            expect(await page.evaluate('window.broken')).toBeUndefined();
            expect(
              await page.locator('a[href^="javascript:"], a[href^="data:"], main img').count(),
            ).toBe(0);
            const width = await page.evaluate('document.documentElement.scrollWidth');
            expect([path, width]).toEqual([path, viewport.width]);
          });
        }
      }
      await withPage({ as, path: found }, async (page) => {
        await page.getByText('Page text').click();
        const good = page.getByRole('link', { name: 'good' });
        await good.waitFor();
        expect(await good.getAttribute('rel')).toBe('noreferrer noopener');
        expect(await page.getByRole('link', { name: 'run', exact: true }).count()).toBe(0);
        expect(await page.locator('main iframe, main script').count()).toBe(0);
        expect(await page.evaluate('window.broken')).toBeUndefined();
        await expectFits(page);
        await expectAccessible(page);
        await screenshot(page, 'hostile');
      });
    },
    LIMIT_MS,
  );

  test(
    'a page of a megabyte is shown a part at a time',
    async () => {
      const text = Array.from(
        { length: 20_000 },
        (_, line) => `- line ${line} *with* [a link](https://example.com/${line})`,
      ).join('\n');
      const record = await seedFetch(server(), { url: 'https://example.com/long', text });
      const as = await server().person('viewer');
      const path = `/console/p/${server().projectId}/sessions/${record.sessionId}/${record.id}`;
      await withPage({ as, path }, async (page) => {
        await page.getByText('line 0 with').waitFor();
        await page.getByText(/Characters 1 to 10,000 of/).waitFor();
        expect(await page.locator('main li').count()).toBeLessThan(500);
        await page.getByRole('button', { name: 'Next part' }).click();
        await page.getByText(/Characters 10,001 to 20,000 of/).waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
