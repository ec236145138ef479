import { likenessOf, type Measure, type PageElement } from '../dom/dom.ts';
import type { Measures } from '../dom/measure.ts';
import { HEADING } from '../dom/tags.ts';
import { placesOf } from './sign-places.ts';

/** Where a passage is in the tree. */
export const PLACE_SIGNS = [
  'depth',
  'in_nav',
  'in_header',
  'in_footer',
  'in_article',
  'in_main',
  'in_ul',
  'in_li',
  'in_figure',
  'up1_text',
  'up1_prose',
  'up2_text',
  'up2_prose',
  'up3_text',
  'up3_linked',
  'up4_text',
  'up4_linked',
  'small_share',
  'small_linked',
  'small_prose',
  'small_depth',
  'middle_share',
  'middle_linked',
  'middle_prose',
  'middle_media',
  'middle_depth',
  'large_share',
  'large_linked',
  'large_prose',
  'large_media',
  'large_depth',
  'group_size',
  'group_share',
  'group_linked',
  'group_prose',
  'member_text',
  'headline_share',
  'headline_up',
] as const;
const AT = placesOf(PLACE_SIGNS);

/** Elements that say what their content is for. */
const FRAMES = ['nav', 'header', 'footer', 'article', 'main', 'ul', 'li', 'figure'] as const;
const FRAME_NAMES: readonly string[] = FRAMES;
/** Parts of a page, by the largest share of its text that they have. */
const PARTS = [
  ['small', 0.1],
  ['middle', 0.3],
  ['large', 0.6],
] as const;
/**
 * From this number of siblings with the same name and class on, they are a group: items, cards,
 * posts.
 */
const GROUP = 3;
/** Groups of these are ordinary text. */
const UNGROUPED = new Set(['p', 'span', 'br', ...HEADING]);

/** An element with what its ancestors say about it. */
interface Place {
  readonly element: PageElement;
  readonly parent: Place | null;
  readonly depth: number;
  /** The depth of the nearest frame of each kind; 0 = none. */
  readonly frames: readonly number[];
  /** The nearest member of a group around it. */
  readonly member: { readonly element: PageElement; readonly size: number } | null;
  /** Of all text, what the smallest element has that holds both it and the headline. */
  readonly headlineShare: number;
  /** How many levels up that element is. */
  readonly headlineUp: number;
}

export interface PlacedPage {
  readonly body: PageElement;
  readonly measures: Measures;
  /** The page's headline; null = none. */
  readonly headline: PageElement | null;
}

/** A function that says where an element is. */
export function createPlaceSigns(page: PlacedPage): (element: PageElement) => readonly number[] {
  const placeOf = createPlaces(page);
  const known = new Map<PageElement, readonly number[]>();
  return (element) => {
    const before = known.get(element);
    if (before) return before;
    const signs = signsOf(placeOf(element), page);
    known.set(element, signs);
    return signs;
  };
}

function createPlaces({ body, measures, headline }: PlacedPage): (element: PageElement) => Place {
  const total = Math.max(1, measures(body).text);
  const aroundHeadline = new Set<PageElement>();
  for (let at = headline; at; at = at.parentNode) aroundHeadline.add(at);
  const sizeOf = createGroupSizes();
  const places = new Map<PageElement, Place>();
  const placeOf = (element: PageElement): Place => {
    const known = places.get(element);
    if (known) return known;
    const parent = element === body || !element.parentNode ? null : placeOf(element.parentNode);
    const isAround = aroundHeadline.has(element) || !parent;
    const size = parent ? sizeOf(element, parent.element) : 0;
    const depth = (parent?.depth ?? 0) + 1;
    const place: Place = {
      element,
      parent,
      depth,
      frames: framesOf(element, parent, depth),
      member: size >= GROUP ? { element, size } : (parent?.member ?? null),
      headlineShare: isAround ? measures(element).text / total : parent.headlineShare,
      headlineUp: isAround ? 0 : parent.headlineUp + 1,
    };
    places.set(element, place);
    return place;
  };
  return placeOf;
}

const NO_FRAMES: readonly number[] = FRAMES.map(() => 0);

function framesOf(
  { localName }: PageElement,
  parent: Place | null,
  depth: number,
): readonly number[] {
  const outer = parent?.frames ?? NO_FRAMES;
  const own = FRAME_NAMES.indexOf(localName);
  return own < 0 ? outer : outer.with(own, depth);
}

/**
 * A function that counts the siblings with the name and the first class of an element, itself
 * included.
 */
function createGroupSizes(): (element: PageElement, parent: PageElement) => number {
  const known = new Map<PageElement, Map<string, number>>();
  return (element, parent) => {
    if (UNGROUPED.has(element.localName)) return 0;
    let sizes = known.get(parent);
    if (!sizes) {
      sizes = new Map();
      for (const child of parent.children) {
        const kind = likenessOf(child);
        sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
      }
      known.set(parent, sizes);
    }
    return sizes.get(likenessOf(element)) ?? 0;
  };
}

function signsOf(place: Place, { body, measures }: PlacedPage): number[] {
  const total = Math.max(1, measures(body).text);
  const { depth, frames, member } = place;
  const signs: number[] = PLACE_SIGNS.map(() => 0);
  signs[AT.depth] = depth;
  FRAMES.forEach((name, index) => {
    const frame = frames[index] ?? 0;
    signs[AT[`in_${name}`]] = frame > 0 ? depth - frame + 1 : 0;
  });
  const up1 = measures(above(place, 1));
  const up2 = measures(above(place, 2));
  const up3 = measures(above(place, 3));
  const up4 = measures(above(place, 4));
  signs[AT.up1_text] = sizeOf(up1);
  signs[AT.up1_prose] = proseOf(up1);
  signs[AT.up2_text] = sizeOf(up2);
  signs[AT.up2_prose] = proseOf(up2);
  signs[AT.up3_text] = sizeOf(up3);
  signs[AT.up3_linked] = linkedOf(up3);
  signs[AT.up4_text] = sizeOf(up4);
  signs[AT.up4_linked] = linkedOf(up4);
  for (const [name, share] of PARTS) {
    let outer = place;
    while (outer.parent && measures(outer.parent.element).text <= share * total)
      outer = outer.parent;
    const part = measures(outer.element);
    signs[AT[`${name}_share`]] = part.text / total;
    signs[AT[`${name}_linked`]] = linkedOf(part);
    signs[AT[`${name}_prose`]] = proseOf(part);
    if (name !== 'small') signs[AT[`${name}_media`]] = Math.log1p(part.media);
    signs[AT[`${name}_depth`]] = outer.depth;
  }
  const group = member?.element.parentNode && measures(member.element.parentNode);
  signs[AT.group_size] = Math.log1p(member?.size ?? 0);
  if (group) {
    signs[AT.group_share] = group.text / total;
    signs[AT.group_linked] = linkedOf(group);
    signs[AT.group_prose] = proseOf(group);
  }
  if (member) signs[AT.member_text] = Math.log1p(measures(member.element).text);
  signs[AT.headline_share] = place.headlineShare;
  signs[AT.headline_up] = place.headlineUp;
  return signs;
}

/** The element so many levels up, or the outermost one. */
function above(place: Place, levels: number): PageElement {
  let up = place;
  for (let level = 0; level < levels; level += 1) up = up.parent ?? up;
  return up.element;
}

const sizeOf = ({ text }: Measure): number => Math.log1p(text);
const linkedOf = ({ linked, text }: Measure): number => linked / Math.max(1, text);
const proseOf = ({ prose, text }: Measure): number => prose / Math.max(1, text);
