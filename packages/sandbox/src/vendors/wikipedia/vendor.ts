import { defineVendor, refuse } from '../../shell/declaration.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const PATH = new RegExp(`^/(${api.editions})/w/api\\.php$`);

/** Each edition has its own host, which the sandbox has as the first part of the path. */
function editionOf({ path }: VendorRequest): string {
  return PATH.exec(path)?.[1] ?? refuse({ status: 404 });
}

function pageOf(page: Page, index: number, edition: string, props: readonly string[]): JsonObject {
  const dice = diceFor('wikipedia page', page.topic, page.id);
  // titles of this web repeat, addresses of articles never do
  const name = encodeURIComponent(`${page.title}_(${page.id})`.replaceAll(' ', '_'));
  const url = `https://${edition}.wikipedia.org/wiki/${name}`;
  const [hasImage, isDescribed, id] = [dice.chance(0.7), dice.chance(0.8), dice.below(1_000_000)];
  const has = (prop: string) => props.includes(prop);
  return {
    pageid: 1_000 + id,
    ns: 0,
    title: page.title,
    index: index + 1,
    ...(has('extracts') ? { extract: sentencesOf(page, 'lead', 5).join(' ') } : {}),
    thumbnail:
      has('pageimages') && hasImage
        ? {
            source: `https://upload.wikimedia.org/sandbox/320px-${id}.jpg`,
            width: 320,
            height: 213,
          }
        : undefined,
    description: has('description') && isDescribed ? `Page about ${page.topic}` : undefined,
    ...(has('info')
      ? {
          contentmodel: 'wikitext',
          touched: `${page.published}Z`,
          lastrevid: 1_000_000 + id,
          length: 9_000 + id,
          fullurl: url,
          canonicalurl: url,
        }
      : {}),
    ...(has('pageprops') ? { pageprops: { wikibase_item: `Q${1_000 + id}` } } : {}),
  };
}

/** The Action API of all editions. The texts of its errors are ours. */
export const wikipedia = defineVendor({
  api,
  readKey: () => undefined,
  readText: ({ query }) => query.get('gsrsearch') ?? '',
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const edition = editionOf(request);
        const props = String(asked.prop ?? '').split('|');
        const query = String(asked.gsrsearch);
        const count = Number(asked.gsrlimit ?? api.resultsDefault);
        const pages = rowsFound(request, { ...api, habits: {} }, { query, count }, (page, index) =>
          pageOf(page, index, edition, props),
        );
        // by page id, and not by rank
        return pages.length === 0
          ? { batchcomplete: true }
          : { batchcomplete: true, query: { pages: pages.toReversed() } };
      },
    },
  ],
});
