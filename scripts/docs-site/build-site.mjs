/**
 * Makes the documentation site: every page of the navigation, and what the server needs to serve
 * them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import MiniSearch from 'minisearch';
import { writeAtomically } from '../write-file.mjs';
import { FILES, TABLE } from './built-site.mjs';
import { notFoundHtml, pageHtml, REFERENCE, referenceHtml } from './layout.mjs';
import { isSchema, relinkedMarkdown } from './links.mjs';
import { llmsFull, llmsIndex } from './llms.mjs';
import { readNavigation } from './navigation.mjs';
import { renderPage } from './render-page.mjs';
import { SEARCH_OPTIONS } from './search-options.mjs';
import { createStore } from './store.mjs';

const HERE = import.meta.dirname;

/**
 * @param {{root: string, folder: string}} options `folder`: where the site goes.
 * @returns {Promise<{names: Set<string>, problems: string[]}>} `names`: the files of this site in
 * `files/`.
 */
export async function buildSite({ root, folder }) {
  const { pages, missing } = readNavigation(root);
  const byFile = new Map(pages.map((page) => [page.file, page]));
  const entries = pages.map((page) => readPage(root, page, byFile));
  const store = createStore(join(folder, FILES));
  const files = await assetFiles(store, entries);
  const assets = Object.fromEntries(
    Object.entries(files).map(([name, { file }]) => [name, `/docs/assets/${file}`]),
  );
  const routes = Object.fromEntries(
    Object.entries(files).map(([name, file]) => [assets[name], { ...file, immutable: true }]),
  );
  for (const { page, rendered, markdown } of entries) {
    const html = pageHtml({ page, rendered, pages, assets });
    routes[page.url] = store.add(`${page.url.slice(1)}.html`, html);
    routes[page.sourceUrl] = store.add(page.sourceUrl.slice(1), markdown);
  }
  // served as they are
  for (const schema of readdirSync(join(root, 'docs')).filter(isSchema)) {
    routes[`/docs/${schema}`] = store.add(schema, readFileSync(join(root, 'docs', schema)));
  }
  routes['/llms.txt'] = store.add('llms.txt', llmsIndex(entries));
  routes['/llms-full.txt'] = store.add('llms-full.txt', llmsFull(entries));
  routes[REFERENCE] = store.add('docs/reference.html', referenceHtml({ pages, assets }));
  const notFound = store.add('not-found.html', notFoundHtml({ pages, assets }));
  await store.written();
  // last, since it names the others
  writeAtomically(join(folder, TABLE), JSON.stringify({ routes, notFound }, null, 1));
  const problems = entries.flatMap(({ rendered }) => rendered.problems);
  return {
    names: store.names,
    problems: [...missing.map((file) => `${file} is not there yet`), ...problems],
  };
}

function readPage(root, page, byFile) {
  const markdown = readFileSync(join(root, page.file), 'utf8');
  return {
    page,
    rendered: renderPage(markdown, page, byFile),
    markdown: relinkedMarkdown(markdown, page, byFile),
  };
}

async function assetFiles(store, entries) {
  const [script, style] = await Promise.all([bundle('site.mjs'), bundle('site.css')]);
  return {
    script: store.add('site.js', script),
    style: store.add('site.css', style),
    icon: store.add('icon.svg', readFileSync(join(HERE, 'browser', 'icon.svg'))),
    search: store.add('search.json', JSON.stringify(searchIndex(entries))),
  };
}

async function bundle(name) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(HERE, 'browser', name)],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0].text;
}

function searchIndex(entries) {
  const index = new MiniSearch(SEARCH_OPTIONS);
  const sections = entries.flatMap(({ page, rendered }) =>
    rendered.sections.map(({ id, heading, text }) => ({
      url: id ? `${page.url}#${id}` : page.url,
      page: page.group === 'Providers' ? `${page.title} provider` : page.title,
      heading,
      text,
    })),
  );
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return index;
}
