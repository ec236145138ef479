import { parseJson } from '@trawl/contract/exact-json';
import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';
import { titleText } from '@trawl/providers/text';
import type { PageDocument, PageElement } from '../dom/dom.ts';
import { appendText, createElement } from '../dom/tree.ts';

const MAX_CHARACTERS = 300_000;
const MAX_OBJECTS = 200;
/** How deeply a name or an address may be nested in objects. */
const MAX_LEVELS = 10;

/**
 * The page's JSON-LD objects, with graphs flattened. Scripts that are not valid JSON are skipped.
 */
export function readJsonLd(document: PageDocument): readonly JsonObject[] {
  const objects: JsonObject[] = [];
  let characters = 0;
  for (const script of document.findAll('script[type="application/ld+json"]')) {
    const source = script.textContent
      .trim()
      .replace(/^(?:<!--|\/\/<!\[CDATA\[)|(?:-->|\/\/\]\]>)$/g, '');
    characters += source.length;
    if (characters > MAX_CHARACTERS || objects.length >= MAX_OBJECTS) break;
    try {
      addObjects(parseJson(source), objects);
    } catch {
      // often written by hand and invalid; the page has the same facts in other places
    }
  }
  return objects;
}

/**
 * Adds the objects of lists and graphs, in order. Not by recursion, which would copy all objects
 * once for each list around them.
 */
function addObjects(root: unknown, objects: JsonObject[]): void {
  const open: unknown[] = [root];
  while (open.length > 0 && objects.length < MAX_OBJECTS) {
    const value = open.pop();
    const list = isJsonObject(value) ? value['@graph'] : value;
    if (Array.isArray(list)) for (const item of list.toReversed()) open.push(item);
    else if (isJsonObject(value)) objects.push(value);
  }
}

/** The object itself, or all objects under one key if there are several. */
export function structuredOf(objects: readonly JsonObject[]): JsonObject | null {
  const [only] = objects;
  if (!only) return null;
  return objects.length === 1 ? only : { '@graph': [...objects] };
}

const WORK =
  /(?:Article|BlogPosting|Report|Review|Recipe|NewsMediaPosting|SocialMediaPosting|Product|Book|Event|VideoObject|Course|Dataset|QAPage|DiscussionForumPosting|HowTo|JobPosting|WebPage)$/;

/** The object that describes the main subject of the page, by preference of type. */
export function mainObject(objects: readonly JsonObject[]): JsonObject | undefined {
  const works = objects.filter((object) => types(object).some((type) => WORK.test(type)));
  return (
    works.find((object) => typeof object.headline === 'string' || object.datePublished) ?? works[0]
  );
}

function types(object: JsonObject): string[] {
  return [object['@type']].flat().filter((type) => typeof type === 'string');
}

/** Names of a person or organisation, or of several. */
export function namesIn(value: unknown, levels = MAX_LEVELS): string[] {
  if (typeof value === 'string')
    return value.trim() === '' || /^https?:/.test(value) ? [] : [value.trim()];
  if (levels === 0) return [];
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, levels - 1));
  return isJsonObject(value) ? namesIn(value.name, levels - 1) : [];
}

/** The address of an image that is given as text, object or list. */
export function addressIn(value: unknown, levels = MAX_LEVELS): string | undefined {
  if (typeof value === 'string') return value;
  if (levels === 0) return undefined;
  if (Array.isArray(value))
    return value.map((one) => addressIn(one, levels - 1)).find((address) => address !== undefined);
  return isJsonObject(value) ? addressIn(value.url ?? value.contentUrl, levels - 1) : undefined;
}

/** Shorter ones are summaries. */
const CHARACTERS_MIN = 200;

/**
 * The full text that a page gives as structured data. Its visible markup may only be rendered by a
 * script.
 */
export function structuredText(objects: readonly JsonObject[]): PageElement | null {
  const main = mainObject(objects) ?? {};
  const text = [main.articleBody, main.text, main.description].find(
    (value) => typeof value === 'string' && value.trim().length >= CHARACTERS_MIN,
  );
  if (typeof text !== 'string') return null;
  const root = createElement('div');
  // some pages put markup into it
  for (const part of text.split(/\n|<(?:br|\/p|\/li|\/h\d|\/div)\b[^<>]{0,500}>/i)) {
    const line = titleText(part);
    if (line === null) continue;
    const paragraph = createElement('p');
    appendText(paragraph, line);
    root.append(paragraph);
  }
  return root;
}
