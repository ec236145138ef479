import { parsedUrl } from '@trawl/contract/parsed-url';
import type { PageDocument } from '../dom/dom.ts';
import type { ScriptMove } from '../input/types.ts';

/** A page with more text than this is content, whatever its scripts do. */
const TEXT_MAX_CHARACTERS = 300;
/** Where the target is not a plain text, less text is a notice alone. */
const NOTICE_MAX_CHARACTERS = 100;
/** Longer scripts are those of programs. */
const SCRIPT_MAX_CHARACTERS = 4_000;
const SCRIPTS_MAX = 5;

/** Where a script sends the browser; `=` alone is no comparison. */
const MOVE =
  /(?<![\w$])location(?:\.href)?\s{0,9}=(?![=>])\s{0,9}|(?<![\w$])location\.(?:replace|assign)\(\s{0,9}/g;
const PLAIN = /^(?:"([^"\n]{1,2000})"|'([^'\n]{1,2000})'|`([^`$\n]{1,2000})`)\s{0,9}(?:[;)}\n]|$)/;
/** A page that frees itself from the frame of another site. */
const FRAME = /(?:self|top|parent)\s{0,9}[!=]==?|[!=]==?\s{0,9}(?:window\.)?(?:self|top|parent)\b/;

/** Before the brace that opens a function; its name. */
const FUNCTION =
  /(?:function\s{0,9}([\w$]{0,40})\s{0,9}\([^(){}]{0,80}\)|(?:\([^(){}]{0,80}\)|[\w$]{1,40})\s{0,9}=>)\s{0,9}$/;
/** Before a function that runs without the visitor: later, when the page is there, or now. */
const RUNS =
  /(?:setTimeout\(|["'](?:load|DOMContentLoaded|pageshow)["']\s{0,9},|onload\s{0,9}=|\$\(|\.ready\(|(?:^|[;\n}!]\s{0,9})\()\s{0,9}(?:async\s{1,9})?$/;

/**
 * Reads where the scripts of a page send the browser by themselves.
 * @returns the answer for a text of the page: null = nowhere, or the page has a text to be read
 */
export function readScriptMove(
  document: PageDocument,
  url: string,
  baseUrl: string,
): (content: string) => ScriptMove | null {
  const scripts = document.findAll('script').filter((script) => !script.hasAttribute('src'));
  const sources = scripts
    .map(({ textContent }) => textContent)
    .filter((source) => source.length <= SCRIPT_MAX_CHARACTERS && source.includes('location'))
    .slice(0, SCRIPTS_MAX);
  return (content) => {
    if (content.length > TEXT_MAX_CHARACTERS) return null;
    const onLoad = document.body.getAttribute('onload') ?? '';
    for (const source of [...sources, onLoad]) {
      const address = addressIn(source, onLoad);
      if (address === undefined) continue;
      if (address === null)
        return content.length <= NOTICE_MAX_CHARACTERS ? { target: null, isNear: false } : null;
      const target = parsedUrl(address, baseUrl);
      if (target !== null && !address.startsWith('#')) return moveTo(target, new URL(url));
    }
    return null;
  };
}

/** Near is another page of the same host, by the same scheme. */
function moveTo(target: URL, from: URL): ScriptMove | null {
  if (!/^https?:$/.test(target.protocol)) return null;
  const isSame = target.href.split('#', 1)[0] === from.href.split('#', 1)[0];
  return { target: target.href, isNear: target.origin === from.origin && !isSame };
}

/** The address that a script moves on to; null = it is not a plain text; undefined = none. */
function addressIn(source: string, onLoad: string): string | null | undefined {
  if (FRAME.test(source)) return undefined;
  const script = source.replace(/^\s{0,99}\/\/.*$/gm, '');
  // whether the functions around a place wait for the visitor
  const waiting: boolean[] = [];
  let read = 0;
  for (const { 0: move, index } of script.matchAll(MOVE)) {
    for (; read < index; read += 1) {
      const sign = script.charAt(read);
      if (sign === '}') waiting.pop();
      if (sign === '{') waiting.push(isWaiting(script, read, onLoad));
    }
    if (!waiting.includes(true)) return textAt(script, index + move.length);
  }
  return undefined;
}

/** The plain text at a place of a script; null = something else is there. */
function textAt(script: string, at: number): string | null {
  const plain = PLAIN.exec(script.slice(at, at + 2_100));
  if (!plain) return null;
  const text = plain[1] ?? plain[2] ?? plain[3] ?? '';
  return text
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi, (_, byte?: string, unit?: string) =>
      String.fromCharCode(Number.parseInt(byte ?? unit ?? '', 16)),
    )
    .replace(/\\(.)/g, '$1')
    .trim();
}

/** How far before a brace its function begins. */
const HEAD_MAX = 200;

function isWaiting(script: string, brace: number, onLoad: string): boolean {
  const head = script.slice(Math.max(0, brace - HEAD_MAX), brace);
  const found = FUNCTION.exec(head);
  if (!found) return false;
  const name = found[1] ?? '';
  if (name === '') return !RUNS.test(head.slice(0, found.index));
  const calls = script.replaceAll(`function ${name}(`, '');
  const isCalled = [`setTimeout(${name}`, `setTimeout("${name}`, `setTimeout('${name}`];
  const isStarted = [`onload = ${name}`, `onload=${name}`, `\n${name}(`, `;${name}(`, `}${name}(`];
  return (
    ![...isCalled, ...isStarted].some((call) => calls.includes(call)) && !onLoad.includes(name)
  );
}
