import { Parser, Token, Tokenizer, TokenizerMode, type TreeAdapter } from 'parse5';
import type { TreeNode } from './tree.ts';
import type { Nodes } from './tree-adapter.ts';

/**
 * Marks and links that a block closes without their end tags are opened again in the next block,
 * each time with all others before them, which is a square of elements. Of 3,179 pages of the
 * benchmarks none has more than five.
 */
const REOPENED_MAX = 20;

/** The parser of parse5 with a faster tokenizer and a limit for unclosed marks. */
class PageParser extends Parser<Nodes> {
  constructor(...given: ConstructorParameters<typeof Parser<Nodes>>) {
    super(...given);
    this.tokenizer = new PageTokenizer(this.options, this);
  }

  override _reconstructActiveFormattingElements(): void {
    const { activeFormattingElements: list, openElements } = this;
    let count = 0;
    for (let entry = list.newest; entry !== null && 'element' in entry; ) {
      if (openElements.contains(entry.element)) break;
      const { older } = entry;
      count += 1;
      if (count > REOPENED_MAX) list.removeEntry(entry);
      entry = older;
    }
    if (count > 0) super._reconstructActiveFormattingElements();
  }
}

/** @returns the document */
export function parseDocument(source: string, treeAdapter: TreeAdapter<Nodes>): TreeNode {
  const parser = new PageParser({ treeAdapter });
  parser.tokenizer.write(withLineFeeds(source), true);
  return parser.document;
}

/** Parses what may be inside of a `template`. @returns an element with the nodes */
export function parseContent(source: string, treeAdapter: TreeAdapter<Nodes>): TreeNode {
  const parser = PageParser.getFragmentParser<Nodes>(null, { treeAdapter });
  parser.tokenizer.write(withLineFeeds(source), true);
  return parser.getFragment();
}

/** https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream */
const withLineFeeds = (source: string): string =>
  source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;

const { CHARACTER, WHITESPACE_CHARACTER } = Token.TokenType;
const NUL = 0;
const QUOTE = '"'.charCodeAt(0);
const AMPERSAND = '&'.charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const HYPHEN = '-'.charCodeAt(0);
const LESS = '<'.charCodeAt(0);

/**
 * The tokenizer of parse5, which reads runs of characters that mean nothing to it at once: text,
 * scripts, styles, values of attributes, comments and names. A text is one token, not one for each
 * word and blank. Its input has no carriage returns. `scripts/bench/NOTES.md` says what it saves.
 */
class PageTokenizer extends Tokenizer {
  protected override _emitCodePoint(cp: number): void {
    switch (this.state) {
      case TokenizerMode.SCRIPT_DATA:
      case TokenizerMode.RAWTEXT:
        // only an end tag or a comment may follow, whose signs the standard's states read
        this._ensureCharacterToken(CHARACTER);
        this._extendRun(cp);
        this.skipTo(this.indexOf(LESS, LESS));
        break;
      case TokenizerMode.DATA:
      case TokenizerMode.RCDATA:
        this.emitText(cp);
        break;
      default:
        super._emitCodePoint(cp);
    }
  }

  /** Blanks are a token of their own only in front of a text: there they may be dropped. */
  private emitText(cp: number): void {
    if (cp === NUL) {
      super._emitCodePoint(cp);
      return;
    }
    const isBlank = isBlankCode(cp) && this.currentCharacterToken?.type !== CHARACTER;
    this._ensureCharacterToken(isBlank ? WHITESPACE_CHARACTER : CHARACTER);
    this._extendRun(cp);
    this.skipTo(isBlank ? this.endOfBlanks() : this.indexOf(LESS, AMPERSAND));
  }

  /** A script in a comment, as old pages have them. */
  protected override _stateScriptDataEscaped(cp: number): void {
    const { state } = this;
    super._stateScriptDataEscaped(cp);
    if (this.state === state && this.active) this.skipTo(this.indexOf(HYPHEN, LESS));
  }

  protected override _stateAttributeValueDoubleQuoted(cp: number): void {
    const { state } = this;
    super._stateAttributeValueDoubleQuoted(cp);
    if (this.state === state && this.active) this.skipTo(this.indexOf(QUOTE, AMPERSAND));
  }

  protected override _stateAttributeValueSingleQuoted(cp: number): void {
    const { state } = this;
    super._stateAttributeValueSingleQuoted(cp);
    if (this.state === state && this.active) this.skipTo(this.indexOf(APOSTROPHE, AMPERSAND));
  }

  protected override _stateComment(cp: number): void {
    const { state } = this;
    super._stateComment(cp);
    if (this.state === state && this.active) this.skipTo(this.indexOf(HYPHEN, LESS));
  }

  protected override _stateTagName(cp: number): void {
    const { state } = this;
    super._stateTagName(cp);
    if (this.state !== state || !this.active) return;
    const token = this.currentToken as Token.TagToken;
    token.tagName += this.nameAhead();
  }

  protected override _stateAttributeName(cp: number): void {
    const { state } = this;
    super._stateAttributeName(cp);
    if (this.state === state && this.active) this.currentAttr.name += this.nameAhead();
  }

  /** Consumes the small letters, digits and hyphens that follow. */
  private nameAhead(): string {
    const { preprocessor } = this;
    const { html, pos } = preprocessor;
    let end = pos + 1;
    while (end < html.length && isNameCode(html.charCodeAt(end))) end += 1;
    preprocessor.pos = end - 1;
    return html.slice(pos + 1, end);
  }

  /** Where one of two characters or a NUL is next; the end of the input if none is. */
  private indexOf(one: number, other: number): number {
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    for (; at < html.length; at += 1) {
      const code = html.charCodeAt(at);
      if (code === one || code === other || code === NUL) break;
    }
    return at;
  }

  private endOfBlanks(): number {
    const { html, pos } = this.preprocessor;
    let at = pos + 1;
    while (at < html.length && isBlankCode(html.charCodeAt(at))) at += 1;
    return at;
  }

  /** Adds everything up to a position to what is being built. */
  private skipTo(end: number): void {
    this.runEnd = end;
    this.preprocessor.pos = end - 1;
  }
}

/** A space, a tabulator, a line feed or a form feed. */
const isBlankCode = (code: number): boolean =>
  code === 32 || code === 10 || code === 9 || code === 12;

/** `a` to `z`, `0` to `9`, `-`. */
const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === HYPHEN;
