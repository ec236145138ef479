import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { readDeclared, type SearchProvider } from '../../src/index.ts';

const PAGE = 'docs/own-providers.md';
const page = readFileSync(new URL(`../../../../${PAGE}`, import.meta.url), 'utf8');

/** A file that the page of declared providers shows. */
function shownFile(name: string): unknown {
  const [, text] = page.split(`<!-- file: ${name} -->\n\`\`\``)[1]?.split(/^(?:yaml|json)\n/) ?? [];
  if (text === undefined) throw new Error(`${PAGE} has no file ${name}`);
  return load(text.slice(0, text.indexOf('\n```')));
}

/** Stands for the value of each variable. */
export const DECLARED_SECRET = 'planted-secret-5fJ2';

function declaredIn(name: string): SearchProvider {
  const read = readDeclared(shownFile(name), {
    variable: () => DECLARED_SECRET,
    variableFault: () => undefined,
    addressFault: () => undefined,
  });
  const [provider] = 'providers' in read ? read.providers : [];
  if (provider === undefined) throw new Error(`${name} of ${PAGE}: ${JSON.stringify(read)}`);
  return provider;
}

const company = declaredIn('company.yaml');
const serp = declaredIn('serp.json');

/** The two examples of the page, as providers. */
export const DECLARED: readonly SearchProvider[] = [company, serp];

/** An answer of each, by slug. */
export const DECLARED_ANSWERS: ReadonlyMap<string, unknown> = new Map([
  [company.slug, shownFile('company-answer.json')],
  [serp.slug, shownFile('serp-answer.json')],
]);
