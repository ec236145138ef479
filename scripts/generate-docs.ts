/**
 * `npm run docs`: updates the tables in the pages of `docs/` from the code, the page of each
 * provider from its `notes.md`, the entries of these pages in the navigation, the JSON schemas of
 * the files of declared providers and of web rules, and the examples of the OpenAPI document. A
 * table is between `<!-- generated: NAME -->` and `<!-- end -->`. With `--check` it writes nothing,
 * and fails where a file is out of date.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PROVIDERS, type Provider, providersFileSchema } from '@trawl/providers';
import { webRulesFileSchema } from '@trawl/server';
import { regenerated } from './docs-tables/all-tables.ts';
import { recordedExamples } from './openapi-examples/record.ts';
import { writeOrCheck } from './write-or-check.ts';

const NAVIGATION = 'docs/navigation.json';
const SCHEMA = 'docs/providers-file.schema.json';
const RULES_SCHEMA = 'docs/web-rules-file.schema.json';
const EXAMPLES = 'packages/contract/src/openapi/recorded.json';

const notesOf = ({ slug }: Provider): string => `packages/providers/src/${slug}/notes.md`;

function providerPage(provider: Provider): string {
  const source = notesOf(provider);
  const page = regenerated(readFileSync(source, 'utf8'));
  return `<!-- npm run docs makes this page: edit ${source} -->\n\n${page}`;
}

/** Our own reader first, then the vendors by name. */
function providerEntries(): string {
  const rank = ({ fetch }: Provider) => (fetch?.kind === 'own' ? 0 : 1);
  return PROVIDERS.toSorted(
    (one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name, 'en'),
  )
    .map(({ slug, name }) => `        { "file": "providers/${slug}.md", "title": "${name}" }`)
    .join(',\n');
}

const navigation = readFileSync(NAVIGATION, 'utf8').replace(
  /(?: *\{ "file": "providers\/[^}]*\},?\n)+/,
  () => `${providerEntries()}\n`,
);

// the test of complete folders names the notes that are missing
const providers = PROVIDERS.filter((provider) => existsSync(notesOf(provider)));
const ownPages = new Map(
  providers.map((provider) => [`docs/providers/${provider.slug}.md`, providerPage(provider)]),
);
const otherPages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name}`)
  .filter((path) => path.endsWith('.md') && !ownPages.has(path))
  .map((path) => [path, regenerated(readFileSync(path, 'utf8'))] as const);

const schemaText = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

writeOrCheck(
  new Map([
    ...otherPages,
    ...ownPages,
    [NAVIGATION, navigation],
    [SCHEMA, schemaText(providersFileSchema())],
    [RULES_SCHEMA, schemaText(webRulesFileSchema())],
    [EXAMPLES, await recordedExamples()],
  ]),
  'npm run docs',
);
