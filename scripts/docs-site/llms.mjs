/** The texts for language models: https://llmstxt.org */

const SUMMARY =
  'Self-hostable web search and page fetch router: one API key and one vocabulary in front of many providers.';

/** All pages as a list of links, group by group. */
export function llmsIndex(entries) {
  const groups = [...new Set(entries.map(({ page }) => page.group))];
  const sections = groups.map((group) => {
    const lines = entries
      .filter(({ page }) => page.group === group)
      .map(({ page, rendered }) => `- [${page.title}](${page.sourceUrl})${describe(rendered)}`);
    return `## ${group}\n\n${lines.join('\n')}`;
  });
  const reference =
    '## Reference\n\n- [OpenAPI document](/openapi.json): every route with its schemas\n- [All pages in one file](/llms-full.txt)';
  return `# trawl\n\n> ${SUMMARY}\n\n${[...sections, reference].join('\n\n')}\n`;
}

/** All pages, one after the other. */
export function llmsFull(entries) {
  return entries
    .map(({ page, markdown }) => `<!-- ${page.sourceUrl} -->\n\n${markdown.trim()}\n`)
    .join('\n');
}

/** The first sentence. */
function describe({ summary }) {
  const [sentence] = summary.split(/(?<=[\w)][.!?]) /);
  return sentence ? `: ${sentence.replace(/[.:]$/, '')}` : '';
}
