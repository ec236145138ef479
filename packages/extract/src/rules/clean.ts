import { closest, isElement, namesOf, type PageElement, type RemoveNode } from '../dom/dom.ts';
import { type Measures, measureAll } from '../dom/measure.ts';
import { type PageKind, PROSE_OF } from '../facts/page-kind.ts';

/**
 * Elements whose content is never text of the page. Frames and players are read before they are
 * removed.
 */
const INVISIBLE_ELEMENTS =
  'script,style,noscript,template,svg,canvas,button,select,textarea,object,embed,iframe,datalist,dialog,link,meta,title,base,input';

const CHROME_ROLES = new Set(
  'navigation banner contentinfo search dialog alertdialog menu menubar toolbar tablist tooltip alert status'.split(
    ' ',
  ),
);

/**
 * Matches names as returned by `namesOf`. Each is a whole word of a class or id, or several in a
 * row.
 */
const named = (...groups: readonly string[]): RegExp => new RegExp(` (?:${groups.join('|')}) `);

/**
 * Names that pages give to the parts around their text, and sometimes to a part of it. An element
 * with much text is kept.
 */
const FRAME_NAMES = named(
  'nav|navs|navbar|navigation|menu|menus|menubar|submenu|megamenu|breadcrumbs?|crumbs|page (?:nav|navigation)|skip(?: to)?(?: content| link| main)?|skiplinks?|jump ?link|site header|page header links|masthead|top ?bar|head ?bar',
  'site footer|legal links|rail|widget ?area|sidebar ?widget|aside',
  'shares?|sharing|share ?(?:bar|buttons?|links?|tools?)|shar(?:e|ing) ?this|socials|social ?(?:media|links?|icons?|share|bar)|sociable|addthis|addtoany|sharedaddy|follow ?(?:me|links?)',
  'mailing ?list|email ?signup|opt ?in|call ?to ?action|cta|banner|banners',
  'adslot|ad ?(?:slot|unit|wrap|wrapper|container|box|banner|label)|dfp|promotions?|partner links|affiliate ?disclosure',
  'pop ?up|toast|drawer|dropdown',
  'comment ?count|respond',
  'tags|tag ?(?:list|links|cloud)|tagcloud|post ?tags|entry ?tags|article ?tags|cat ?links|filed ?under|post ?categories',
  'byline|by ?line|entry ?footer|post ?footer|read(?:ing)? ?time|dateline ?share',
  'tool ?bar|(?:page|article) ?tools|print ?(?:button|link|only)|edit ?(?:page|link|section|this)|editsection|headerlink|anchor ?link|hash ?link|copy ?button|to ?top|back ?to ?top|helpful|feedback|search ?(?:form|box|bar)|searchbox',
  'on ?this ?page|printfooter|mw indicators',
  'vote ?(?:cell|count|box)|post ?menu|jump ?box|action ?bar|post ?actions|button ?(?:bar|group|row)',
  'a11y ?hidden|no ?print',
);

/** Names of elements that are never part of the text, however long they are. */
const NEVER_CONTENT = named(
  'footer|footers|colophon|copyright|side ?bar|sidebars|right ?rail|left ?rail|widgets',
  'newsletters?|subscribe|subscription|sign ?up|follow ?us|social',
  'cookies?|consent|gdpr|ccpa|privacy ?(?:banner|notice)|onetrust|notice ?bar|announcement ?bar',
  'ads?|advert|adverts|advertisement|advertising|sponsor|sponsors|sponsored|promos?|promoted|taboola|outbrain',
  'modal|popup|overlay|lightbox|off ?canvas|tool ?tip|paywall|regwall|login|log ?in|signin|sign ?in',
  'livefyre|reply ?form|comment ?(?:form|respond)|signature|buttons',
  'author ?(?:bio|box|card|info|profile)|about ?(?:the )?author|bio|(?:post|entry|article) ?meta',
  'toc|table ?of ?contents|navbox|catlinks|pagination|pager|paging',
  'sr ?only|visually ?hidden|screen ?reader ?(?:text|only)',
);

/** Names that forum software gives to details about an author. */
const AUTHOR_DETAILS =
  / (?:user ?extras|post ?profile|user ?stats|user ?details|author ?(?:stats|pane)|poster ?(?:profile|info)|postbit ?(?:info|userinfo)|reactions?) /;

/** With this much prose, an element is not removed because of its name alone. */
const MUCH_TEXT = 200;

/** Names of parts that link to other pages. On a list page they are the text. */
const LINK_PARTS =
  / (?:related|recommended|recommendations?|recirc(?:ulation)?|more ?(?:from|stories|news|on|articles|posts)|read ?(?:next|also|more)|up ?next|you ?may(?: also)?|also ?like|trending|popular|most ?(?:read|viewed|popular|shared)|suggested|latest ?(?:news|posts|stories)|recent ?posts|similar) /;

/** On a page made of such parts they are the text. */
const TEASER_NAMES = / (?:teasers?|trending|popular|promo|promoted) /;

/** Comments below an article; on a discussion page they are the text. */
export const COMMENTS =
  / (?:comments?|comment ?(?:list|s|area|section|thread)|disqus|respond|responses) /;

const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

/** An element with this share of all prose is not removed, whatever its name. */
const CONTENT_SHARE = 0.45;

/** Removes the parts around the text from a page without invisible elements. */
export function removeChrome(body: PageElement, kind: PageKind, remove: RemoveNode): void {
  const measures = measureAll(body);
  const whole = measures(body);
  const hasProse = whole.prose > PROSE_OF[kind];
  const limit = (hasProse ? whole.prose : whole.text) * CONTENT_SHARE;
  const isAround = (element: PageElement): boolean => {
    const { prose, text } = measures(element);
    const size = hasProse ? prose : text;
    const isSmall =
      size <= limit ||
      (kind === 'article' && whole.prose - prose > 500 && COMMENTS.test(namesOf(element)));
    return isSmall && isChrome(element, measures, kind);
  };
  removeWhere(body, isAround, remove);
}

/** Removes only what is never visible. */
export function removeInvisible(body: PageElement): void {
  for (const element of body.querySelectorAll(INVISIBLE_ELEMENTS)) {
    // a task list has checkboxes
    if (element.localName !== 'input' || element.getAttribute('type') !== 'checkbox')
      element.remove();
  }
}

/** Removes the outermost elements that the test matches. */
export function removeWhere(
  root: PageElement,
  test: (element: PageElement) => boolean,
  remove: RemoveNode,
): void {
  const waiting: PageElement[] = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    if (element !== root && test(element)) {
      remove(element);
      continue;
    }
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (isElement(child)) waiting.push(child);
    }
  }
}

function isChrome(element: PageElement, measures: Measures, kind: PageKind): boolean {
  const name = element.localName;
  if (name === 'math' || name === 'body') return false;
  if (name === 'nav' || name === 'menu') return true;
  const role = element.getAttribute('role');
  if (role && CHROME_ROLES.has(role)) return true;
  if (isHidden(element)) return !isCollapsed(element, measures);
  if (name === 'footer') return !isWithin(element, 'blockquote');
  if (name === 'header' || name === 'hgroup')
    return !element.querySelector('h1, h2') && !isWithin(element, 'article');
  if (name === 'aside') return !isNote(element);
  if (TEXT_ITSELF.has(name) || isWithin(element, 'pre') || isWithin(element, 'code')) return false;
  const names = namesOf(element);
  if (names === '') return false;
  const isSure =
    NEVER_CONTENT.test(names) ||
    (kind !== 'list' && LINK_PARTS.test(names)) ||
    (kind === 'discussion' ? AUTHOR_DETAILS : COMMENTS).test(names);
  const isNamed = isSure || FRAME_NAMES.test(names) || isWidget(element);
  if (!isNamed && !(kind === 'article' && TEASER_NAMES.test(names))) return false;
  if (!isSure && hasMuchText(element, measures)) return false;
  return !element.querySelector('h1') && !isNote(element) && measures(element).text < 20_000;
}

function hasMuchText(element: PageElement, measures: Measures): boolean {
  const { prose, linked, text } = measures(element);
  return prose >= MUCH_TEXT && linked < text * 0.25;
}

/** Text in a tab or a collapsed section is hidden at first, but part of the page. */
function isCollapsed(element: PageElement, measures: Measures): boolean {
  const names = namesOf(element);
  const role = element.getAttribute('role') ?? '';
  return (
    hasMuchText(element, measures) &&
    (COLLAPSED.test(names) || role === 'tabpanel' || role === 'region') &&
    !NEVER_CONTENT.test(names)
  );
}

const COLLAPSED =
  / (?:accordions?|tabs?|panels?|tabpanel|collaps(?:e|ed|ible)|faqs?|answers?|expand(?:ed|able)?|toggle|details|description|content|contents|body) /;

const TEXT_ITSELF = new Set(
  'pre code table tbody tr td th h1 h2 h3 h4 h5 h6 blockquote'.split(' '),
);

/** Page builders give every part of a page a widget name. */
function isWidget(element: PageElement): boolean {
  return /(?:^|\s)widget(?:[_\s-]|$)/.test(element.getAttribute('class') ?? '');
}

/** Classes that hide on all screens. */
function isHiddenByClass(element: PageElement): boolean {
  const classes = element.getAttribute('class') ?? '';
  return (
    /(?:^|\s)(?:hidden|hide|d-none|is-hidden)(?:\s|$)/.test(classes) &&
    !/(?:^|\s)(?:sm|md|lg|x+l|d-(?:sm|md|lg|xl))[:-]/.test(classes)
  );
}

function isHidden(element: PageElement): boolean {
  if (element.hasAttribute('hidden') || isHiddenByClass(element)) return true;
  const style = element.getAttribute('style');
  if (style && HIDDEN_STYLE.test(style)) return true;
  return (
    element.getAttribute('aria-hidden') === 'true' &&
    element.localName !== 'math' &&
    element.localName !== 'img'
  );
}

/** Notes, tips and warnings are part of the text. */
const NOTE =
  / (?:embed|embedded|admonition|note|notecard|callout|tip|warning|caution|important|infobox|alert|hint|footnotes?|sidenote) /;

function isNote(element: PageElement): boolean {
  return NOTE.test(namesOf(element));
}

function isWithin(element: PageElement, name: string): boolean {
  return closest(element.parentNode, ({ localName }) => localName === name) !== null;
}
