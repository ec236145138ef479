import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { ExternalLink } from './external-link.tsx';
import styles from './markdown.module.css';

/** Headings of a foreign page are below those of ours. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  a: ({ href, children }) => <ExternalLink href={href}>{children}</ExternalLink>,
  // a picture of another site would show it who reads this
  img: ({ alt }) => <span className={styles.image}>[picture{alt ? `: ${alt}` : ''}]</span>,
  input: ({ checked }) => <span>{checked ? '[x]' : '[ ]'}</span>,
};

/** The text of a page, in a chunk of its own. HTML in it is dropped. */
export default function MarkdownText({ text }: { readonly text: string }) {
  return (
    <div className={styles.markdown} dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, defaultSchema]]}
        components={components}
        skipHtml
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
