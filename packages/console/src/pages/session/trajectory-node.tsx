import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Failure, Warnings } from '../../records/failures.tsx';
import { interactionPath } from '../../records/paths.ts';
import styles from './trajectory.module.css';
import type { Tree, TreeNode } from './trajectory-tree.ts';

interface NodeDetailProps {
  readonly project: string;
  readonly session: string;
  readonly tree: Tree;
  readonly node: TreeNode | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  session: 'Session',
  interaction: 'Interaction',
  preprocessor_run: 'Run of a provider',
  postprocessor_run: 'Run of a postprocessor',
  result: 'Result',
  document: 'Page',
};

/** What is known of the selected node, and why it failed. */
export function NodeDetail({ project, session, tree, node }: NodeDetailProps) {
  if (!node) {
    return (
      <section className={styles.detail} aria-label="Selected node">
        <p className="soft">Select a node to see what is known of it.</p>
      </section>
    );
  }
  const { error_code: code, warnings, url } = node.data;
  const { interaction, run } = placeIn(tree, node);
  return (
    <section className={`stack-tight ${styles.detail}`} aria-label="Selected node">
      <h2 dir="auto">{node.label}</h2>
      <p className="soft row">
        {TYPES[node.type] ?? node.type}
        <CopyButton text={node.id.replace(/^\w+:/, '')} label="Copy the id" />
      </p>
      {typeof code === 'string' && (
        <Failure code={code} of={node.type === 'document' ? 'page' : 'run'} />
      )}
      {Array.isArray(warnings) && warnings.length > 0 && <Warnings warnings={warnings} />}
      {typeof url === 'string' && (
        <p className={styles.url}>
          <ExternalLink href={url}>{url}</ExternalLink>
        </p>
      )}
      {interaction !== undefined && (
        <p>
          <Link
            to={interactionPath(project, session, interaction)}
            search={(run === undefined ? {} : { run }) as never}
          >
            Open the interaction
          </Link>
        </p>
      )}
      <JsonView value={node.data} label="Facts of the node" fileName="node" />
    </section>
  );
}

/** The interaction and the run that a node belongs to. */
function placeIn(tree: Tree, node: TreeNode): { interaction?: string; run?: string } {
  const found: { interaction?: string; run?: string } = {};
  let at: TreeNode | undefined = node;
  while (at) {
    const id = at.id.replace(/^\w+:/, '');
    if (at.type === 'preprocessor_run') found.run ??= id;
    if (at.type === 'interaction') return { ...found, interaction: id };
    at = tree.nodes[at.parent];
  }
  return found;
}
