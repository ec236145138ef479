import { likenessOf, type Measure, type PageElement } from '../dom/dom.ts';
import type { Measures } from '../dom/measure.ts';
import { HEADING } from '../dom/tags.ts';

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

/** Elements that say what their content is for. */
const FRAMES = ['nav', 'header', 'footer', 'article', 'main', 'ul', 'li', 'figure'];
/** Parts of a page, by the largest share of its text that they have. */
const PARTS = [0.1, 0.3, 0.6];
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
  const own = FRAMES.indexOf(localName);
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
  const { depth, frames } = place;
  const signs = [depth];
  for (const frame of frames) signs.push(frame > 0 ? depth - frame + 1 : 0);
  let up = place;
  for (let level = 1; level <= 4; level += 1) {
    up = up.parent ?? up;
    const measure = measures(up.element);
    signs.push(Math.log1p(measure.text), level <= 2 ? proseOf(measure) : linkedOf(measure));
  }
  for (const part of PARTS) {
    let outer = place;
    while (outer.parent && measures(outer.parent.element).text <= part * total)
      outer = outer.parent;
    const measure = measures(outer.element);
    signs.push(measure.text / total, linkedOf(measure), proseOf(measure));
    if (part > 0.1) signs.push(Math.log1p(measure.media));
    signs.push(outer.depth);
  }
  const { member } = place;
  const group = member?.element.parentNode && measures(member.element.parentNode);
  signs.push(
    Math.log1p(member?.size ?? 0),
    group ? group.text / total : 0,
    group ? linkedOf(group) : 0,
    group ? proseOf(group) : 0,
    member ? Math.log1p(measures(member.element).text) : 0,
    place.headlineShare,
    place.headlineUp,
  );
  return signs;
}

const linkedOf = ({ linked, text }: Measure): number => linked / Math.max(1, text);
const proseOf = ({ prose, text }: Measure): number => prose / Math.max(1, text);
