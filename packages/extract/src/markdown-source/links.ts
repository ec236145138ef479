import { absoluteUrl } from '@trawl/contract/urls';
import { DEFINITION } from '@trawl/providers/markdown-links';
import { escapeAddress } from '../markdown/writing.ts';
import { linesOf } from './prose.ts';
import { tokensOf } from './tokens.ts';

export interface LinkedMarkdown {
  /** With absolute addresses. */
  readonly text: string;
  /** Absolute http(s) URLs, each once. */
  readonly links: readonly string[];
  readonly images: readonly string[];
}

const MAX_ADDRESSES = 2_000;

/** An attribute with an address. */
const ATTRIBUTE = /(\s(?:href|src)\s?=\s?["']?)([^\s"'<>]+)/gi;

/** Resolves the addresses of a markdown document, as those of a page in HTML. */
export function resolveLinks(markdown: string, url: string): LinkedMarkdown {
  const links = new Set<string>();
  const images = new Set<string>();
  const resolve = (target: string, into?: Set<string>): string => {
    const absolute = absoluteUrl(target, url);
    if (absolute === null) return target;
    const isPart = target.startsWith('#');
    if (into && !isPart && into.size < MAX_ADDRESSES) into.add(absolute);
    // an address with a scheme stays as it is written
    return /^[a-z][a-z\d+.-]*:/i.test(target) ? target : escapeAddress(absolute);
  };
  const element = (tag: string): string => {
    const [, name = ''] = /^<(a|img)\b/i.exec(tag) ?? [];
    const into = { a: links, img: images }[name.toLowerCase()];
    return tag.replace(ATTRIBUTE, (_, start: string, to: string) => start + resolve(to, into));
  };
  const definition = (line: string): string => {
    const { start = '', destination, rest = '' } = DEFINITION.exec(line)?.groups ?? {};
    return destination === undefined ? line : start + resolve(destination, links) + rest;
  };
  const prose = (text: string): string => {
    const whole = text.split('\n').map(definition).join('\n');
    const open: string[] = [];
    const parts: string[] = [];
    let from = 0;
    const replace = (at: number, old: string, by: string): void => {
      parts.push(whole.slice(from, at), by);
      from = at + old.length;
    };
    for (const { kind, at, text: token, target, targetAt = at } of tokensOf(whole)) {
      if (kind === 'element') replace(at, token, element(token));
      else if (kind === 'address') resolve(token.slice(1, -1), links);
      else if (kind === 'open') open.push(token);
      else if (kind === 'close') {
        const opened = open.pop();
        if (target === undefined || opened === undefined) continue;
        replace(targetAt, target, resolve(target, opened === '[' ? links : images));
      }
    }
    return parts.join('') + whole.slice(from);
  };
  const text = linesOf(markdown).map((run) => (run.isCode ? run.text : prose(run.text)));
  return { text: text.join(''), links: [...links], images: [...images] };
}
