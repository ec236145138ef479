import { isObject } from '../../json.ts';
import type { VendorRequest } from '../../vendor.ts';

/** How a page is wanted. Headers say it, or members of the body with the header's name in camel case. */
export interface Options {
  readonly isJson: boolean;
  /** The parts of `X-Return-Format`. */
  readonly formats: readonly string[];
  readonly links: 'none' | 'map' | 'all';
  readonly hasImages: boolean;
}

const FORMATS = [
  'content',
  'markdown',
  'html',
  'text',
  'screenshot',
  'pageshot',
  'vlm',
  'readerlm-v2',
];

/** What a header must look like, where the reader is particular about it. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'x-timeout': /^\d{1,9}$/,
  'x-cache-tolerance': /^\d+$/,
  'x-no-cache': /^(true|false)$/i,
  'x-with-links-summary': /^(true|false|all)$/i,
  'x-with-images-summary': /^(true|false)$/i,
  'x-with-generated-alt': /^(true|false)$/i,
  'x-retain-images': /^(none|all|alt|all_p|alt_p)$/,
  'x-retain-links': /^(none|all|text|gpt-oss)$/,
  'x-engine': /^(auto|browser|direct|cf-browser-rendering)$/,
  'x-token-budget': /^\d+$/,
  'x-base': /^(initial|final)$/,
  'x-respond-timing':
    /^(html|visible-content|mutation-idle|resource-idle|media-idle|network-idle)$/,
};

/** A text that is JSON only for who takes nothing else. */
export function optionsOf(request: VendorRequest): Options {
  const accept = request.headers.accept ?? '*/*';
  const format = option(request, 'x-return-format') ?? option(request, 'x-respond-with');
  const links = option(request, 'x-with-links-summary')?.toLowerCase() ?? 'false';
  return {
    isJson: accept.includes('application/json') && !/text\/plain|text\/\*|\*\/\*/.test(accept),
    formats: (format ?? 'content').split('+'),
    links: links === 'all' ? 'all' : links === 'true' ? 'map' : 'none',
    hasImages: option(request, 'x-with-images-summary')?.toLowerCase() === 'true',
  };
}

/** Why the options are refused; undefined when they are fine. */
export function refusalOf(request: VendorRequest, options: Options): string | undefined {
  const unknown = options.formats.find((format) => !FORMATS.includes(format));
  if (unknown !== undefined) return `Invalid return format: ${unknown}`;
  if (options.formats.length > 1 && !options.isJson) {
    return 'Formats can be combined in JSON only';
  }
  const wrong = Object.entries(SHAPES).find(([name, shape]) => {
    const value = option(request, name);
    return value !== undefined && !shape.test(value);
  });
  if (wrong) return `Invalid value of ${wrong[0]}`;
  return option(request, 'x-timeout') === '0' ? 'Invalid value of x-timeout' : undefined;
}

function option(request: VendorRequest, header: string): string | undefined {
  const sent = request.headers[header];
  if (sent !== undefined) return sent;
  const body = request.method === 'POST' ? request.json() : undefined;
  const name = header.slice(2).replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  const member = isObject(body) ? body[name] : undefined;
  return member === undefined || member === null ? undefined : String(member);
}
