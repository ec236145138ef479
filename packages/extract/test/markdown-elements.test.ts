import { describe, expect, test } from 'vitest';
import { contentOf } from './support/read.ts';
import { SENTENCES } from './support/sentences.ts';

const [LEAD = '', END = ''] = SENTENCES;
const between = async (markup: string, format: 'markdown' | 'text' = 'markdown') => {
  const content = await contentOf(`<main><p>${LEAD}</p>${markup}<p>${END}</p></main>`, format);
  return content.slice(LEAD.length, -END.length).trim();
};

/** By subject: markup and its markdown. */
const CASES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'emphasis that touches': [
    ['<p>the <b>ebb</b><b>ing</b> tide</p>', 'the **ebbing** tide'],
    ['<p><b>flood <b>tide</b></b> and <i><em>neap</em></i></p>', '**flood tide** and *neap*'],
    ['<p>un<b>load</b>ed and <i>moored </i>boats</p>', 'un**load**ed and *moored* boats'],
    ['<p>a <strong> wide </strong>quay</p>', 'a **wide** quay'],
    ['<p>say<b>"ahoy"</b>twice</p>', 'say"**ahoy**"twice'],
    ['<p>这是<b>「重要」</b>的事</p>', '这是「**重要**」的事'],
    ['<p><i>one</i><b>two</b> three</p>', '*one*__two__ three'],
    ['<p><b>one <i>two</i></b><i> three</i></p>', '**one *two*** *three*'],
    ['<p><b></b><i> </i>bare</p>', 'bare'],
    ['<p><b>first<br>second</b></p>', '**first  \nsecond**'],
  ],
  'styles of editors': [
    ['<p><b style="font-weight: normal">thin</b> rope</p>', 'thin rope'],
    ['<p><b>a <span style="font-weight:400">thin</span> b</b></p>', '**a** thin **b**'],
    ['<p>a <span style="font-weight:700">thick</span> rope</p>', 'a **thick** rope'],
    ['<p>a <span style="font-style:italic">red</span> buoy</p>', 'a *red* buoy'],
    ['<p>a <span style="text-decoration: line-through">red</span> buoy</p>', 'a ~~red~~ buoy'],
    [
      '<p><span style="display:block">port</span><span style="display:block">starboard</span></p>',
      'port\n\nstarboard',
    ],
  ],
  'lines that a style keeps': [
    [
      '<div style="white-space: pre-wrap">06:10 west quay\n06:55 buoy</div>',
      '06:10 west quay  \n06:55 buoy',
    ],
    [
      '<div style="white-space:pre-line"><span>one\ntwo\n\nthree</span></div>',
      'one  \ntwo\n\nthree',
    ],
    ['<div style="white-space:pre"><p style="white-space:normal">one\ntwo</p></div>', 'one two'],
  ],
  'code in a line': [
    ['<p><code>make<br>make test</code></p>', '`make`  \n`make test`'],
    ['<p>press <kbd>a<br>b</kbd></p>', 'press `a`  \n`b`'],
    ['<p>x<code> </code>y, <code>``</code>, <code>`a`</code></p>', 'x y, ``` `` ```, `` `a` ``'],
    ['<p><code><span>git</span> <span>-</span><span>C</span></code></p>', '`git -C`'],
    ['<p><code>ab</code><code>cd</code></p>', '`abcd`'],
    [
      '<p><code><a href="/berth">Berth</a></code> of a <code>List</code></p>',
      '[`Berth`](https://site.example/berth) of a `List`',
    ],
    [
      '<code><div>tide --now</div><div>tide --next</div></code>',
      '```\ntide --now\ntide --next\n```',
    ],
    [
      '<pre><span>FROM</span><span> </span><span>sea</span>\n<span>COPY\t.</span></pre>',
      '```\nFROM sea\nCOPY\t.\n```',
    ],
    [
      '<pre><code><table class="hljs-ln"><tr><td class="hljs-ln-numbers"><div data-line-number="1"></div></td><td class="hljs-ln-code">x = 1</td></tr><tr><td class="hljs-ln-numbers"></td><td class="hljs-ln-code">  y</td></tr></table></code></pre>',
      '```\nx = 1\n  y\n```',
    ],
  ],
  lists: [
    [
      '<ol><li>Moor</li><ol><li>bow</li><li>stern</li></ol><li>Report</li></ol>',
      '1. Moor\n   1. bow\n   2. stern\n2. Report',
    ],
    ['<ul><li>Moor</li><ul><li>bow</li></ul></ul>', '- Moor\n  - bow'],
    ['<ol start="9"><li>a</li><li>b<ul><li>c</li></ul></li></ol>', '9. a\n10. b\n    - c'],
    [
      '<ol start="0"><li>a</li><li value="7">b</li><li>c</li></ol>',
      '0. a\n\n<!-- -->\n\n7. b\n8. c',
    ],
    ['<ol reversed><li>b</li><li>a</li></ol>', '2. b\n\n<!-- -->\n\n1. a'],
    ['<ol><li>a<ol start="4"><li>b</li></ol></li></ol>', '1. a\n\n   4. b'],
    ['<ul><li>a</li></ul><ul><li>b</li></ul>', '- a\n\n* b'],
    ['<ol><li>a</li></ol><ol><li>b</li></ol>', '1. a\n\n<!-- -->\n\n1. b'],
    [
      '<ul><li><input type="checkbox" checked> moored</li><li>[x] text</li></ul>',
      '- [x] moored\n- \\[x] text',
    ],
    ['<ul><li><p>a</p><pre>x\n y</pre></li><li>b</li></ul>', '- a\n\n  ```\n  x\n   y\n  ```\n- b'],
  ],
  'links around blocks': [
    [
      '<a href="/a"><h3>Anchoring</h3><p>Where the ground holds.</p></a>',
      '### [Anchoring](https://site.example/a)\n\nWhere the ground holds.',
    ],
    [
      '<a href="/b"><div><p>Showers.</p><p>Shops.</p></div></a>',
      '[Showers.](https://site.example/b)\n\nShops.',
    ],
    [
      '<p>Look!<a href="/c (1)">plan [2]</a></p>',
      'Look\\![plan \\[2\\]](https://site.example/c%20%281%29)',
    ],
    [
      '<p><a href="mailto:quay@site.example">write</a> or <a href="tel:+3112">call</a></p>',
      '[write](mailto:quay@site.example) or [call](tel:+3112)',
    ],
  ],
  images: [
    [
      '<p>Plan <img src="data:image/gif;base64,R0" data-lazy-src="/p.png" alt="p"></p>',
      'Plan ![p](https://site.example/p.png)',
    ],
    [
      '<p>Plan <img src="/spacer.gif" srcset="/w,1/s.png 1x,/w,2/l.png 2x" alt="p"></p>',
      'Plan ![p](https://site.example/w,2/l.png)',
    ],
    [
      '<p>Plan <picture><source srcset="/l.webp 2x, /s.webp"><img alt="p"></picture></p>',
      'Plan ![p](https://site.example/l.webp)',
    ],
    [
      '<p>Plan <img src="/loading.gif" data-plan="/real.jpg" alt="p"></p>',
      'Plan ![p](https://site.example/real.jpg)',
    ],
    [
      '<figure><img src="/blank.gif" alt="p"><noscript><img src="/n.png" alt="p"></noscript></figure>',
      '![p](https://site.example/n.png)',
    ],
    [
      '<p>Plan <noscript><img src="/n.png" alt="p"></noscript></p>',
      'Plan ![p](https://site.example/n.png)',
    ],
    ['<p>Plan <noscript><img width="1" height="1" src="/count"></noscript></p>', 'Plan'],
    [
      `<p>Plan <img src="data:image/png;base64,${'A'.repeat(5_000)}" alt="depth [m]"></p>`,
      'Plan ![depth \\[m\\]](data:image/png;base64,...)',
    ],
    ['<p>Plan <img src="data:image/gif;base64,R0"></p>', 'Plan'],
  ],
  'text that looks like markdown': [
    ['<p>[1]: https://site.example/a</p>', '\\[1]: https://site.example/a'],
    [
      '<p># one</p><p>#</p><p>&gt;two</p><p>+ three</p><p>4) four</p>',
      '\\# one\n\n\\#\n\n\\>two\n\n\\+ three\n\n4\\) four',
    ],
    ['<p>a<br>===<br>---<br>- b</p>', 'a  \n\\===  \n\\---  \n\\- b'],
    ['<p>a | b<br>--|--</p>', 'a | b  \n\\--|--'],
    ['<p>~~~ and a~b~c, but ~5</p>', '\\~\\~\\~ and a\\~b\\~c, but ~5'],
    ['<p>&amp;amp; and &amp;copy, AT&amp;T; &lt;i&gt;</p>', '\\&amp; and &copy, AT\\&T; \\<i>'],
    ['<p>[a](b) and [c]</p>', '[a\\](b) and [c]'],
    ['<p>C:\\dir\\*.log and \\d</p>', 'C:\\dir\\\\\\*.log and \\d'],
    ['<p>See http://site.example/_a_/b*c now</p>', 'See <http://site.example/_a_/b*c> now'],
    ['<h2>Signs #1 ##</h2>', '## Signs #1 \\##'],
    ['<h2><b>One</b> and <b>two</b></h2>', '## **One** and **two**'],
    ['<h2>One<br>two</h2>', '## One two'],
  ],
  'what is left of links and code': [
    ['<a href="/a"><pre>moor --now</pre></a>', '```\nmoor --now\n```\n\n<https://site.example/a>'],
    ['<p>run <code style="white-space:pre">a  b</code></p>', 'run `a  b`'],
    [
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><pre>x|\ny</pre></td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | `x\\| y` |',
    ],
  ],
  formulas: [
    [
      '<p>So <math><semantics><mi>x</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math>.</p>',
      'So $E=mc^2$.',
    ],
    ['<p>So <math alttext="{\\displaystyle a_b}"><mi>a</mi></math>.</p>', 'So $a_b$.'],
    [
      '<p>So <math><mfrac><mi>a</mi><mn>2</mn></mfrac><mo>+</mo><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><msqrt><mi>y</mi></msqrt></math>.</p>',
      'So $\\frac{a}{2} + x_{i}^{2}\\sqrt{y}$.',
    ],
    ['<p>So</p><math display="block"><mi>x</mi></math>', 'So\n\n$$x$$'],
    [
      '<p>So <span class="katex"><span class="katex-mathml"><math><semantics><mi>k</mi><annotation encoding="application/x-tex">k^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">k2</span></span>.</p>',
      'So $k^2$.',
    ],
    [
      '<p>So <span class="MathJax_Preview">[math]</span><span class="MathJax">drawn</span><script type="math/tex">a_b</script>.</p>',
      'So $a_b$.',
    ],
    [
      '<p>So:</p><div><div class="MathJax_Display"><span class="MathJax">drawn</span></div><script type="math/tex; mode=display">a<b</script></div>',
      'So:\n\n$$a<b$$',
    ],
    [
      '<p>So <mjx-container class="MathJax"><mjx-math aria-hidden="true">v</mjx-math><mjx-assistive-mml><math><msub><mi>v</mi><mn>1</mn></msub></math></mjx-assistive-mml></mjx-container>.</p>',
      'So $v_{1}$.',
    ],
    ['<p>So <span class="math inline">\\(a*b*c\\)</span>.</p>', 'So $a*b*c$.'],
    [
      '<p>So <img class="mwe-math-fallback-image-inline" alt="{\\displaystyle q}" src="/q.svg">.</p>',
      'So $q$.',
    ],
    ['<p>From $5 to $10 each</p>', 'From $5 to $10 each'],
    ['<p>The names $a$ and $b$ of a shell</p>', 'The names \\$a\\$ and \\$b\\$ of a shell'],
    ['<p>It costs $5 for <math alttext="n"><mi>n</mi></math>.</p>', 'It costs \\$5 for $n$.'],
  ],
  'raised, lowered and read text': [
    [
      '<p>H<sub>2</sub>O, 10<sup>-6</sup>, 2<sup>1/2</sup>, 1<sup>st</sup></p>',
      'H₂O, 10⁻⁶, 2^(1/2), 1st',
    ],
    ['<p><ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby></p>', '港(みなと)'],
    ['<p><del>old</del> <mark>marked</mark> <q>said</q></p>', '~~old~~ marked "said"'],
  ],
  definitions: [
    [
      '<dl><dt>Ebb</dt><dt>Fall</dt><dd><p>Water goes.</p><p>Twice a day.</p></dd></dl>',
      '**Ebb**\n\n**Fall**\n: Water goes.\n\nTwice a day.',
    ],
    [
      '<dl><dt><code>tide</code> <b>now</b></dt><dd><ul><li>high</li></ul></dd></dl>',
      '**`tide` now**\n\n- high',
    ],
  ],
  'hidden addresses': [
    [
      '<p>To <a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="2a5b5f4b536a19">[email&#160;protected]</a></p>',
      'To [quay@3](mailto:quay@3)',
    ],
    [
      '<p>To <span class="__cf_email__" data-cfemail="2a5b5f4b536a19">[email&#160;protected]</span></p>',
      'To quay@3',
    ],
    [
      '<p>To <a href="/cdn-cgi/l/email-protection#2a5b5f4b536a19">the office</a></p>',
      'To [the office](mailto:quay@3)',
    ],
  ],
  tables: [
    [
      '<table><tr><th>a<br>b</th><th>c</th></tr><tr><td><code>x|y</code></td><td><ul><li>1</li><li>2|3</li></ul></td></tr></table>',
      '| a b | c |\n| --- | --- |\n| `x\\|y` | 1 2\\|3 |',
    ],
    [
      '<table><caption>High <b>water</b></caption><tr><td>Day</td><td>Hour</td></tr><tr><td>1</td></tr></table>',
      'High **water**\n\n| Day | Hour |\n| --- | --- |\n| 1 |  |',
    ],
  ],
};

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%s', async (markup, markdown) => {
    expect(await between(markup)).toBe(markdown);
  });
});

test('plain text has the same words without marks', async () => {
  const markup =
    '<p>un<b>load</b>ed, <code>make<br>test</code>, <a href="/a">plan</a>, H<sub>2</sub>O, <math alttext="x^2"><mi>x</mi></math>, *3*</p>';
  expect(await between(markup, 'text')).toBe('unloaded, make\ntest, plan, H₂O, x^2, *3*');
});
