import { closest, isLink, namesOf, type PageDocument, type PageElement } from '../dom/dom.ts';
import { type Measures, measureAll } from '../dom/measure.ts';

/**
 * The kind of a page. An article is one text with much around it, a discussion has many texts by
 * many authors, and a list exists to link to other pages. From any other page more is kept than
 * from an article.
 */
export type PageKind = 'article' | 'discussion' | 'list' | 'other';

/** From this share of the page's prose on, an element is the main content. */
export const PROSE_OF: Readonly<Record<PageKind, number>> = {
  article: 120,
  discussion: 120,
  list: 300,
  other: 300,
};

const ARTICLE_TYPE = /"@type"\s{0,20}:\s{0,20}(?:\[\s{0,20})?"(?:\w{0,40}NewsArticle|BlogPosting)"/;
const DISCUSSION_TYPE =
  /"@type"\s{0,20}:\s{0,20}(?:\[\s{0,20})?"(?:DiscussionForumPosting|QAPage)"/;
const DISCUSSION_ITEM = /schema\.org\/(?:DiscussionForumPosting|QAPage)/;
const FORUM_SOFTWARE =
  /discourse|phpbb|vbulletin|xenforo|invision|flarum|vanilla|nodebb|mybb|simple machines|fluxbb|khoros|lithium/i;
const FORUM_ADDRESS =
  /^https?:\/\/(?:[^/]{0,120}\.)?(?:forums?|community|communities|discuss|discussions?|boards?|bbs|answers)\.|\/(?:forums?|threads?|topics?|boards?|discussions?|questions|comments)\/|viewtopic|showthread|\/t\/[^/]{1,500}\/\d/i;
/** Names that forum software gives to one contribution. */
export const CONTRIBUTION = / (?:comment|comments|post|message|reply|answer|entry|topic body) /;

const TEXT_FROM = 600;

/** The kind that the page declares or looks like. */
export function pageKind(document: PageDocument, url: string): PageKind {
  if (isDiscussion(document, url)) return 'discussion';
  const type = document.findAll('meta[property="og:type"]')[0]?.getAttribute('content');
  if (
    type?.toLowerCase() === 'article' ||
    document.findAll('meta[property="article:published_time"]')[0]
  )
    return 'article';
  if (saysOfItself(document, ARTICLE_TYPE)) return 'article';
  return isList(document) ? 'list' : 'other';
}

/** Whether most of the page's text is linked headlines. */
function isList(document: PageDocument): boolean {
  if (linkedHeadlines(document) < 8) return false;
  const { body } = document;
  const frame = measureAll(body);
  let { text, linked } = frame(body);
  for (const part of body.querySelectorAll('nav, footer, noscript')) {
    text -= frame(part).text;
    linked -= frame(part).linked;
  }
  return linked > text * 0.35 && !holdsText(body, frame);
}

const LINKED_HEADINGS = new Set(['h2', 'h3', 'h4', 'h5']);

/** How many links are in headings, headings in links, and linked images in items. */
function linkedHeadlines(document: PageDocument): number {
  const isInBody = (element: PageElement): boolean => document.body.contains(element);
  const headings = [...LINKED_HEADINGS].flatMap((name) => document.findAll(name)).filter(isInBody);
  // upwards from each link: headings may hold each other, and then share their links
  const inHeadings = document
    .findAll('a')
    .filter((link) => closest(link.parentNode, isLinkedHeading) !== null && isInBody(link));
  const linked = headings.filter(({ parentNode }) => closest(parentNode, isLink));
  const images = document.findAll('li a img, article a img').filter(isInBody);
  return inHeadings.length + linked.length + images.length;
}

const isLinkedHeading = ({ localName }: PageElement): boolean => LINKED_HEADINGS.has(localName);

/** Whether paragraphs next to each other form a text, whatever is around them. */
function holdsText(body: PageElement, measures: Measures): boolean {
  const together = new Map<PageElement, number>();
  for (const paragraph of body.querySelectorAll('p')) {
    const parent = paragraph.parentNode;
    if (!parent) continue;
    const { prose, linked } = measures(paragraph);
    const size = (together.get(parent) ?? 0) + (linked > prose * 0.5 ? 0 : prose);
    if (size > TEXT_FROM) return true;
    together.set(parent, size);
  }
  return false;
}

function isDiscussion(document: PageDocument, url: string): boolean {
  if (saysOfItself(document, DISCUSSION_TYPE)) return true;
  for (const element of document.findAll('[itemtype]')) {
    if (!DISCUSSION_ITEM.test(element.getAttribute('itemtype') ?? '')) continue;
    if (element !== document.body && document.body.contains(element)) return true;
  }
  const software = document.findAll('meta[name="generator"]')[0]?.getAttribute('content') ?? '';
  return (FORUM_SOFTWARE.test(software) || FORUM_ADDRESS.test(url)) && contributions(document) >= 2;
}

/** How many contributions have text of their own. */
function contributions({ body }: PageDocument): number {
  const measures = measureAll(body);
  let count = 0;
  for (const element of body.querySelectorAll('article, div, li, section, tr')) {
    if (measures(element).prose > 40 && CONTRIBUTION.test(namesOf(element))) count += 1;
  }
  return count;
}

function saysOfItself(document: PageDocument, type: RegExp): boolean {
  return document
    .findAll('script[type="application/ld+json"]')
    .some((script) => type.test(script.textContent));
}
