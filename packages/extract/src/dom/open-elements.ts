/** What is done with the elements of a page, in the order of its tags. */
export interface ElementHandler {
  /** @param attributes undefined = none */
  readonly open: (name: string, attributes: Map<string, string> | undefined) => void;
  readonly close: (name: string) => void;
}

export interface OpenElements {
  /** Whether the next tag is in an element of another language, SVG or MathML. */
  readonly isForeign: () => boolean;
  /** Reads the name of a start tag, which may end other elements. @returns the element's name; '' = it is ignored */
  readonly start: (name: string) => string;
  /** Opens the element whose name was read. */
  readonly open: (attributes: Map<string, string> | undefined, isSelfClosing: boolean) => void;
  readonly close: (name: string) => void;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID = words(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr',
);

/** By element: those that end before it, when they are the innermost. */
const ENDED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['tr', 'tr th td'],
    ['th', 'th'],
    ['td', 'thead th td'],
    ['body', 'head link script'],
    ['a', 'a'],
    ['li', 'li'],
    ['h1 h2 h3 h4 h5 h6', 'h1 h2 h3 h4 h5 h6 p'],
    [
      'select input output button datalist textarea',
      'input option optgroup select button datalist textarea',
    ],
    ['option', 'option'],
    ['optgroup', 'optgroup option'],
    ['dd dt', 'dd dt'],
    [
      'p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol ' +
        'pre section table ul',
      'p',
    ],
    ['rt rp', 'rt rp'],
    ['tbody tfoot', 'thead tbody'],
  ].flatMap(([starting = '', ended = '']) => {
    const names = words(ended);
    return starting.split(' ').map((name) => [name, names] as const);
  }),
);

const FOREIGN = words('svg math');
/** Elements of these languages that hold HTML. */
const HOLDS_HTML = words('mi mo mn ms mtext annotation-xml foreignObject desc title');

/** Names of SVG with capitals, by the same name without. */
const SVG_NAMES: ReadonlyMap<string, string> = new Map(
  (
    'altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow ' +
    'feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset ' +
    'fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient ' +
    'radialGradient textPath'
  )
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);

/** Names that most tags have, as they are written. */
const USUAL: ReadonlyMap<string, string> = new Map(
  (
    'a abbr article aside b blockquote body br button code dd div dl dt em figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 head header hr html i iframe img input label li link main meta nav noscript ol option p path pre script section ' +
    'select small source span strong style svg table tbody td th thead time title tr u ul use video'
  )
    .split(' ')
    .map((name) => [name, name]),
);

/** Knows which elements are open while a page is read, and ends those whose end tag is left out. */
export function createOpenElements(handler: ElementHandler): OpenElements {
  /** The innermost one is last. */
  const open: string[] = [];
  /** The elements that change the language, with the language that is in them: `html` or their name. */
  const languages: string[] = ['html'];
  let started = '';

  const isForeign = (): boolean => languages.at(-1) !== 'html';

  const nameOf = (written: string): string => {
    const name = USUAL.get(written) ?? written.toLowerCase();
    if (languages.length === 1) return name === 'image' ? 'img' : name;
    const svgName = SVG_NAMES.get(name);
    if (languages.at(-1) === 'svg') return svgName ?? name;
    if (svgName !== undefined && open.includes(svgName)) return svgName;
    return name === 'image' && !isForeign() ? 'img' : name;
  };

  const closeLast = (): void => {
    const name = open.pop() ?? '';
    if (FOREIGN.has(name) || HOLDS_HTML.has(name)) languages.pop();
    handler.close(name);
  };

  const startNamed = (name: string): string => {
    started = name;
    // a form in a form is ignored
    if (name === 'form' && open.includes('form')) {
      started = '';
      return started;
    }
    const ended = ENDED_BY.get(name);
    while (ended?.has(open.at(-1) ?? '')) closeLast();
    if (!VOID.has(name)) {
      open.push(name);
      if (FOREIGN.has(name)) languages.push(name);
      else if (HOLDS_HTML.has(name)) languages.push('html');
    }
    return started;
  };

  return {
    isForeign,
    start: (written) => startNamed(nameOf(written)),
    open: (attributes, isSelfClosing) => {
      if (started === '') return;
      handler.open(started, attributes);
      if (VOID.has(started)) handler.close(started);
      else if (isSelfClosing && isForeign() && open.at(-1) === started) closeLast();
    },
    close: (written) => {
      const name = nameOf(written);
      if (name === 'br') {
        handler.open(name, undefined);
        handler.close(name);
        return;
      }
      const at = VOID.has(name) ? -1 : open.lastIndexOf(name);
      if (at >= 0) while (open.length > at) closeLast();
      else if (name === 'p') {
        startNamed(name);
        handler.open(name, undefined);
        closeLast();
      }
    },
  };
}
