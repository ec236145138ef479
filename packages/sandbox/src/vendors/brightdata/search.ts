import { refuse, unsupported, type VendorRoute } from '../../shell/declaration.ts';
import { dayOfAmerican, filterOf, sitesIn } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, type Page, SANDBOX_NOW, sentencesOf } from '../../web/pages.ts';
import { serpBlocks } from '../../web/serp.ts';
import api from './api.json' with { type: 'json' };

const IMAGE = 'data:image/jpeg;base64,/9j/4AAQSkZJRg==';

/** Parameters of Google that may be in the address. */
const KNOWN = new Set('q gl hl lr cr tbs safe tbm start num uule brd_json brd_mobile'.split(' '));

const TBS = /^cdr:1(?:,cd_min:([\d/]{10}))?(?:,cd_max:([\d/]{10}))?$/;

function organicRow(page: Page, index: number): JsonObject {
  const dice = diceFor('brightdata row', page.topic, page.id);
  const hasImage = dice.chance(0.4);
  return {
    link: page.url,
    title: page.title,
    description: dice.chance(0.85) ? sentencesOf(page, 'snippet', 1)[0] : undefined,
    display_link: `https://${page.site.host}`,
    image: hasImage ? IMAGE : undefined,
    image_url: hasImage ? imageOf(page, 'thumbnail') : undefined,
    rank: index + 1,
    global_rank: index + 2,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const address = new URL(textAt(asked, 'url') ?? '');
  const unknown = [...address.searchParams.keys()].find((name) => !KNOWN.has(name));
  if (unknown !== undefined) {
    refuse({ status: 400, message: `unknown parameter ${unknown}`, details: undefined });
  }
  if (textAt(asked, 'format') === 'json') {
    return unsupported('brightdata: the sandbox does not support format json');
  }
  const q = address.searchParams.get('q') ?? '';
  const [, min, max] = TBS.exec(address.searchParams.get('tbs') ?? '') ?? [];
  const filter = filterOf({
    ...sitesIn(q),
    after: dayOfAmerican(min),
    before: dayOfAmerican(max),
  });
  const start = Number(address.searchParams.get('start') ?? 0);
  const wanted = { query: q, start, count: api.pageRows, filter };
  const organic = rowsFound(request, api.search, wanted, organicRow);
  if (!address.searchParams.has('brd_json')) return { organic, top_stories: [] };
  const { name, reference, stories, videos, questions, related } = serpBlocks('brightdata', q);
  return {
    general: { search_engine: 'google', query: q, timestamp: `${SANDBOX_NOW}.000Z` },
    input: { original_url: address.href, request_id: `hl_${request.fingerprint.slice(0, 12)}` },
    organic,
    knowledge: { name, description: reference.description, image: IMAGE },
    top_stories: stories.map(({ title, url: link }) => ({ title, link, image: IMAGE })),
    videos: videos.map(({ title, url: link }) => ({ title, link, image_base64: IMAGE })),
    people_also_ask: questions.map(({ question, url }) => ({ question, answer_link: url })),
    related: [{ items: related.map((text) => ({ text })), rank: 1 }],
  };
}

/** The synchronous form of the SERP API, for Google. */
export const searchRoute: VendorRoute = { ...api.search, answer: search };
