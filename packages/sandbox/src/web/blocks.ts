/** The parts of a page's body, before a vendor gives them its own form. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly code: string }
  | { readonly kind: 'image'; readonly alt: string; readonly url: string }
  | { readonly kind: 'links'; readonly links: readonly Link[] };

export interface Link {
  readonly text: string;
  readonly url: string;
}

/** Markdown below the title. `imageLabel` names an image; by default its own description does. */
export function markdownOf(
  blocks: readonly Block[],
  imageLabel: (alt: string, index: number) => string = (alt) => alt,
): string {
  const images = blocks.filter(({ kind }) => kind === 'image');
  return blocks
    .map((block) => {
      switch (block.kind) {
        case 'heading':
          return `## ${block.text}`;
        case 'list':
          return block.items.map((item) => `- ${item}`).join('\n');
        case 'table':
          return tableOf(block.rows);
        case 'code':
          return `\`\`\`${block.language}\n${block.code}\n\`\`\``;
        case 'image':
          return `![${imageLabel(block.alt, images.indexOf(block))}](${block.url})`;
        case 'links':
          return block.links.map(({ text, url }) => `- [${text}](${url})`).join('\n');
        default:
          return block.text;
      }
    })
    .join('\n\n');
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The words alone, without any markup. */
export function plainOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => {
      switch (block.kind) {
        case 'list':
          return [block.items.join('\n')];
        case 'table':
          return [block.rows.map((cells) => cells.join('\t')).join('\n')];
        case 'code':
          return [block.code];
        case 'image':
          return [];
        case 'links':
          return [block.links.map(({ text }) => text).join('\n')];
        default:
          return [block.text];
      }
    })
    .join('\n\n');
}

/** The blocks as elements, one a line. */
export function elementsOf(blocks: readonly Block[]): string {
  return blocks.map(elementOf).join('\n');
}

function elementOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escaped(block.text)}</h2>`;
    case 'paragraph':
      return `<p>${escaped(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;
    case 'table':
      return `<table>${block.rows.map(rowElement).join('')}</table>`;
    case 'code':
      return `<pre><code class="language-${block.language}">${escaped(block.code)}</code></pre>`;
    case 'image':
      return `<img src="${escaped(block.url)}" alt="${escaped(block.alt)}">`;
    case 'links':
      return `<ul>${block.links.map((link) => `<li>${anchor(link)}</li>`).join('')}</ul>`;
  }
}

function rowElement(cells: readonly string[], index: number): string {
  const name = index === 0 ? 'th' : 'td';
  return `<tr>${cells.map((cell) => `<${name}>${escaped(cell)}</${name}>`).join('')}</tr>`;
}

function anchor({ text, url }: Link): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`;
}

/** Text as it is written in HTML, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
