import { randomBytes } from 'node:crypto';
import { systemClock } from '@trawl/base';
import { createSetupCode } from '@trawl/console-api';
import type { RunningServer } from '@trawl/server';

/** The account of the demo's console, which its sign-in page fills in. */
export interface DemoAccount {
  readonly email: string;
  readonly password: string;
}

/** A password of its own for each demo, since someone else may reach the port. */
export const demoAccount = (): DemoAccount => ({
  email: 'demo@example.com',
  password: randomBytes(12).toString('base64url'),
});

/** Makes the account, in the way in which a person makes the first one. */
export async function setUpConsole(
  { url, store }: RunningServer,
  { email, password }: DemoAccount,
): Promise<void> {
  const code = await createSetupCode(store, systemClock);
  const response = await fetch(`${url}/console/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ code, email, name: 'Demo', password }),
  });
  if (!response.ok)
    throw new Error(`the console answered ${response.status}: ${await response.text()}`);
}
