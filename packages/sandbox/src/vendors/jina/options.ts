import { queryProblems } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject } from '../../util/json.ts';
import api from './api.json' with { type: 'json' };

/** How a page is wanted. Headers say it, or members of the body with the header's name in camel case. */
export interface Options {
  readonly isJson: boolean;
  /** The parts of `X-Return-Format`. */
  readonly formats: readonly string[];
  readonly links: 'none' | 'map' | 'all';
  readonly hasImages: boolean;
}

/** The answer is text, and JSON only for a client that takes nothing else. */
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
  const unknown = options.formats.find((format) => !api.formats.includes(format));
  if (unknown !== undefined) return `Invalid return format: ${unknown}`;
  if (options.formats.length > 1 && !options.isJson) {
    return 'Formats can be combined in JSON only';
  }
  const sent = new URLSearchParams();
  for (const name of Object.keys(api.headers.properties)) {
    const value = option(request, name);
    if (value !== undefined)
      sent.set(name, api.anyCase.includes(name) ? value.toLowerCase() : value);
  }
  const [problem] = queryProblems(api.headers, sent);
  if (problem) return `Invalid value of ${problem.path[0]}`;
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
