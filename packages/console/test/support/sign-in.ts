import type { Page } from 'playwright-core';
import { systemClock } from '../../../base/src/time/clock.ts';
import { createSetupCode } from '../../../console-api/src/accounts/setup-code.ts';
import type { TestServer } from '../../../server/test/support/harness.ts';

const OPERATOR = { email: 'ada@example.com', password: 'correct horse battery' };
const withAccount = new WeakSet<TestServer>();

/** Signs the browser of a page in as the server's operator, whose account is made the first time. */
export async function signInAsOperator(server: TestServer, page: Page): Promise<void> {
  const isFirst = !withAccount.has(server);
  withAccount.add(server);
  const path = isFirst ? '/console/api/setup' : '/console/api/sign-in';
  const data = isFirst
    ? {
        ...OPERATOR,
        name: 'Ada',
        code: await createSetupCode(server.server.store.accounts, systemClock),
      }
    : OPERATOR;
  const answer = await page.context().request.post(path, { data, headers: { origin: server.url } });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`);
}
