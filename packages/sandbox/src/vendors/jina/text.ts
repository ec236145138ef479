import type { VendorRequest } from '../../shell/vendor.ts';
import type { Reply } from '../../util/http.ts';
import { isObject, numberAt, textAt } from '../../util/json.ts';
import type { Options } from './options.ts';
import type { ReaderPage } from './page.ts';

/** Text mode: lines about the page, then its markdown. Text and HTML come bare. */
export function pageAsText(request: VendorRequest, page: ReaderPage, options: Options): Reply {
  const [format = 'content'] = options.formats;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-usage-tokens': String(page.usage.tokens),
  };
  if (format === 'screenshot' || format === 'pageshot') {
    const location = textAt(page, `${format}Url`) ?? '';
    return { status: 302, headers: { ...headers, location }, body: '' };
  }
  const bare = textAt(page, format === 'html' ? 'html' : 'text');
  const body = bare ?? withPreamble(page, options);
  const key = request.faults.echoKey === true ? (request.key ?? '') : '';
  return { status: 200, headers, body: bare === undefined ? body : `${body}${key}` };
}

function withPreamble(page: ReaderPage, options: Options): string {
  const published = textAt(page, 'publishedTime');
  const pages = numberAt(page, 'numPages');
  const optional = [
    ...(published === undefined ? [] : [`Published Time: ${published}`]),
    ...(textAt(page, 'warning')?.split('\n') ?? []).map((line) => `Warning: ${line}`),
    ...(pages === undefined ? [] : [`Number of Pages: ${pages}`]),
  ];
  const head = [`Title: ${page.title}`, `URL Source: ${page.url}`, ...optional].join('\n\n');
  const content = `${head}\n\nMarkdown Content:\n${textAt(page, 'content') ?? ''}\n`;
  const images = options.hasImages ? summary('Images:', page.images, '!') : '';
  const links = options.links === 'none' ? '' : summary('Links/Buttons:', page.links, '');
  return `${content}${images}${links}`;
}

function summary(heading: string, found: unknown, mark: string): string {
  const pairs: readonly unknown[] = Array.isArray(found)
    ? found
    : Object.entries(isObject(found) ? found : {});
  const lines = pairs.flatMap((pair) =>
    Array.isArray(pair) ? [`- ${mark}[${pair[0]}](${pair[1]})`] : [],
  );
  const none = `This page does not seem to contain any ${mark === '' ? 'buttons/links' : 'images'}.`;
  return `\n${heading}\n${lines.length === 0 ? none : lines.join('\n')}\n`;
}
