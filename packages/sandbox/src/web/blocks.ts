/** The parts of a page's body, before a vendor formats them. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  | { readonly kind: 'image'; readonly alt: string; readonly url: string }
  | { readonly kind: 'links'; readonly links: readonly PageLink[] };

export interface PageLink {
  readonly text: string;
  readonly url: string;
}

type Forms = readonly [markdown: string, plain: string | undefined, element: string];

/** A block as markdown, as words alone and as an element. */
function formsOf(block: Block): Forms {
  switch (block.kind) {
    case 'heading':
      return [`## ${block.text}`, block.text, `<h2>${escaped(block.text)}</h2>`];
    case 'paragraph':
      return [block.text, block.text, `<p>${escaped(block.text)}</p>`];
    case 'list': {
      const items = block.items.map((item) => `<li>${escaped(item)}</li>`).join('');
      const markdown = block.items.map((item) => `- ${item}`).join('\n');
      return [markdown, block.items.join('\n'), `<ul>${items}</ul>`];
    }
    case 'table':
      return tableForms(block.rows);
    case 'code': {
      const { language, code } = block;
      const element = `<pre><code class="language-${language}">${escaped(code)}</code></pre>`;
      return [`\`\`\`${language}\n${code}\n\`\`\``, code, element];
    }
    case 'image': {
      const { alt, url } = block;
      const element = `<img src="${escaped(url)}" alt="${escaped(alt)}">`;
      return [`![${alt}](${url})`, undefined, element];
    }
    case 'links': {
      const markdown = block.links.map(({ text, url }) => `- [${text}](${url})`).join('\n');
      const items = block.links.map((link) => `<li>${anchor(link)}</li>`).join('');
      return [markdown, block.links.map(({ text }) => text).join('\n'), `<ul>${items}</ul>`];
    }
  }
}

function tableForms(rows: readonly (readonly string[])[]): Forms {
  const [head = [], ...others] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [line(head), line(head.map(() => '---')), ...others.map(line)];
  const plain = rows.map((cells) => cells.join('\t'));
  return [lines.join('\n'), plain.join('\n'), `<table>${rows.map(rowElement).join('')}</table>`];
}

function rowElement(cells: readonly string[], index: number): string {
  const name = index === 0 ? 'th' : 'td';
  return `<tr>${cells.map((cell) => `<${name}>${escaped(cell)}</${name}>`).join('')}</tr>`;
}

/** Markdown below the title. `imageLabel` labels an image; default: its own description. */
export function markdownOf(
  blocks: readonly Block[],
  imageLabel: (alt: string, index: number) => string = (alt) => alt,
): string {
  const images = blocks.filter(({ kind }) => kind === 'image');
  const labelled = blocks.map((block) =>
    block.kind === 'image'
      ? { ...block, alt: imageLabel(block.alt, images.indexOf(block)) }
      : block,
  );
  return labelled.map((block) => formsOf(block)[0]).join('\n\n');
}

/** Only the words, without markup. */
export function plainOf(blocks: readonly Block[]): string {
  const texts = blocks.map((block) => formsOf(block)[1]);
  return texts.filter((text) => text !== undefined).join('\n\n');
}

/** The blocks as HTML elements, one per line. */
export function elementsOf(blocks: readonly Block[]): string {
  return blocks.map((block) => formsOf(block)[2]).join('\n');
}

function anchor({ text, url }: PageLink): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`;
}

/** Text escaped for HTML elements and quoted attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
