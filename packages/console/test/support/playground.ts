import type { Page } from 'playwright-core';
import type { PlannedRequest } from '../../src/requests/planned.ts';
import type { ConsoleTests, PageOptions } from './console.ts';
import { signedIn } from './people.ts';

/** The parameter of the address that holds a request. */
export const linkOf = (request: PlannedRequest): string =>
  Buffer.from(JSON.stringify(request)).toString('base64url');

interface Opening extends Omit<PageOptions, 'path'> {
  /** The parameters of the address. */
  readonly search?: string;
  /** The role of the person; the operator when absent. */
  readonly role?: 'viewer';
}

/** Opens the playground of the server's project. */
export async function openPlayground(
  { server, withPage }: ConsoleTests,
  { search = '', role, ...options }: Opening,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const running = server();
  const person = await (role ? running.person(role) : running.operator());
  const path = `/console/p/${running.projectId}/playground${search}`;
  await withPage({ ...options, ...signedIn(person), path }, async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await use(page);
  });
}

export const queryBox = (page: Page) => page.getByLabel('Query', { exact: true });
export const runButton = (page: Page) => page.getByRole('button', { name: 'Run', exact: true });
/** The column of a provider or the card of a page. */
export const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const outcome = (page: Page) =>
  page.getByRole('region', { name: 'Answer' }).getByRole('status');
export const price = (page: Page) =>
  page.getByRole('region', { name: 'Request' }).getByRole('status');
/** A provider that is asked; a click removes it. */
export const chip = (page: Page, slug: string) =>
  page.getByRole('button', { name: new RegExp(`^${slug}\\b.*, remove$`) });
export const addProvider = (page: Page, slug: string) =>
  page.getByLabel(/^Add to (?:providers|chain)$/).selectOption(slug);
/** All but what is asked of whom is folded. */
export const openOptions = (page: Page) => page.getByText(/^Options(?: \(\d+ set\))?$/).click();
