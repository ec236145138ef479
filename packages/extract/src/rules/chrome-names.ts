/**
 * Matches names as returned by `namesOf`. Each is a whole word of a class or id, or several in a
 * row.
 */
const named = (...groups: readonly string[]): RegExp => new RegExp(` (?:${groups.join('|')}) `);

/**
 * Names that pages give to the parts around their text, and sometimes to a part of it. An element
 * with much text is kept.
 */
export const FRAME_NAMES = named(
  'nav|navs|navbar|navigation|menu|menus|menubar|submenu|megamenu|breadcrumbs?|crumbs|page (?:nav|navigation)|skip(?: to)?(?: content| link| main)?|skiplinks?|jump ?link|site header|page header links|masthead|top ?bar|head ?bar',
  'site footer|legal links|rail|widget ?area|sidebar ?widget|aside',
  'shares?|sharing|share ?(?:bar|buttons?|links?|tools?)|shar(?:e|ing) ?this|socials|social ?(?:media|links?|icons?|share|bar)|sociable|addthis|addtoany|sharedaddy|follow ?(?:me|links?)',
  'mailing ?list|email ?signup|opt ?in|call ?to ?action|cta|banner|banners',
  'adslot|ad ?(?:slot|unit|wrap|wrapper|container|box|banner|label)|dfp|promotions?|partner links|affiliate ?disclosure',
  'pop ?up|toast|drawer|dropdown',
  'comment ?count|respond',
  'tags|tag ?(?:list|links|cloud)|tagcloud|post ?tags|entry ?tags|article ?tags|cat ?links|filed ?under|post ?categories',
  'byline|by ?line|entry ?footer|post ?footer|read(?:ing)? ?time|dateline ?share',
  'tool ?bar|(?:page|article) ?tools|print ?(?:button|link|only)|to ?top|back ?to ?top|helpful|feedback|search ?(?:form|box|bar)|searchbox',
  'on ?this ?page|printfooter|mw indicators',
  'vote ?(?:cell|count|box)|post ?menu|jump ?box|action ?bar|post ?actions|button ?(?:bar|group|row)',
  'no ?print',
);

/** Names of elements that are never part of the text, however long they are. */
export const NEVER_CONTENT = named(
  'footer|footers|colophon|copyright|side ?bar|sidebars|right ?rail|left ?rail|widgets',
  'newsletters?|subscribe|subscription|sign ?up|follow ?us|social',
  'cookies?|consent|gdpr|ccpa|privacy ?(?:banner|notice)|onetrust|notice ?bar|announcement ?bar',
  'ads?|advert|adverts|advertisement|advertising|sponsor|sponsors|sponsored|promos?|promoted|taboola|outbrain',
  'modal|popup|overlay|lightbox|off ?canvas|tool ?tip|paywall|regwall|login|log ?in|signin|sign ?in',
  'livefyre|reply ?form|comment ?(?:form|respond)|buttons',
  'author ?(?:bio|box|card|info|profile)|about ?(?:the )?author|bio|(?:post|entry|article) ?meta',
  'toc|table ?of ?contents|navbox|catlinks|pagination|pager|paging',
);

/** Names that forum software gives to details about an author. */
export const AUTHOR_DETAILS =
  / (?:user ?extras|post ?profile|user ?stats|user ?details|author ?(?:stats|pane)|poster ?(?:profile|info)|postbit ?(?:info|userinfo)|reactions?) /;

/** Names of parts that link to other pages. On a list page they are the text. */
export const LINK_PARTS =
  / (?:related|recommended|recommendations?|recirc(?:ulation)?|more ?(?:from|stories|news|on|articles|posts)|read ?(?:next|also|more)|up ?next|you ?may(?: also)?|also ?like|trending|popular|most ?(?:read|viewed|popular|shared)|suggested|latest ?(?:news|posts|stories)|recent ?posts|similar) /;

/** On a page made of such parts they are the text. */
export const TEASER_NAMES = / (?:teasers?|trending|popular|promo|promoted) /;

/** Comments below an article; on a discussion page they are the text. */
export const COMMENTS =
  / (?:comments?|comment ?(?:list|s|area|section|thread)|disqus|respond|responses) /;

/** Names of small tools, also within a heading or a sentence. */
export const TOOL_NAMES = named(
  'edit ?(?:page|link|section|this)|editsection|headerlink|anchor ?link|hash ?link|copy ?button',
);

/** Names of text that is only read out. */
export const READ_OUT_NAMES = named(
  'sr ?only|visually ?hidden|screen ?reader ?(?:text|only)|a11y ?hidden|element invisible|a offscreen',
);

/** Names of pictures that a font draws. */
export const ICON_NAMES = named(
  'icons?|fa|fas|far|fab|fal|glyphicons?|material (?:icons?|symbols?)|codicons?|octicons?|dashicons?|bi|mdi|emoji',
);
