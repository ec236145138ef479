import { expect, test } from 'vitest';
import { hasRelativeLinks } from '../src/values/markdown-links.ts';

test.each([
  ['a link from the root', 'See [prices](/prices).'],
  ['a link next to the page', '[next](page-2.html)'],
  ['a link upwards', '[up](../index.html "Index")'],
  ['a query alone', '[more](?page=2)'],
  ['an image', 'A ![pump](img/pump.png) at work'],
  ['an image in a link', '[![pump](/img/pump.png)](https://a.example/)'],
  ['a link in angle brackets', '[a](</two words>)'],
  ['the second link of a line', '[a](https://a.example/) and [b](/b)'],
  ['a reference definition', 'See [prices][1].\n\n[1]: /prices "Prices"'],
  ['a link after a closed code block', '```\ncode\n```\n[a](/a)'],
  ['a link after a block whose fence holds a shorter one', '````\n```\n````\n[a](/a)'],
])('%s is relative', (_title, markdown) => {
  expect(hasRelativeLinks(markdown)).toBe(true);
});

test.each([
  ['an absolute link', '[a](https://a.example/b) ![c](HTTP://a.example/c.png)'],
  ['an address without scheme', '[a](//cdn.example/a.js)'],
  ['a part of the page', '[top](#top)'],
  ['a mail address', '[write](mailto:a@b.example) [call](tel:+10)'],
  ['an image in the text itself', '![dot](data:image/png;base64,AAAA)'],
  ['a code block', '```js\n[a](/a)\n```\n\n~~~\n[b](/b)\n~~~'],
  ['an open code block', '```\n[a](/a)'],
  ['a code span', 'Write `[a](/a)` for a link'],
  ['a footnote', 'Text[^1]\n\n[^1]: /tmp is meant'],
  ['an absolute definition', '[1]: https://a.example/'],
  ['brackets without address', 'f[0] (x is not a link'],
  ['an empty link', '[a]()'],
  ['nothing', ''],
])('%s is not relative', (_title, markdown) => {
  expect(hasRelativeLinks(markdown)).toBe(false);
});

test('a hostile page is read in time', () => {
  const started = performance.now();
  for (const part of ['](', '[', '`', '](<', '[a]: ', '![](', '~~~\n', '](   ']) {
    hasRelativeLinks(part.repeat(200_000 / part.length));
  }
  expect(performance.now() - started).toBeLessThan(4000);
});
