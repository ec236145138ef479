import { childNodes, type SyntaxNode } from '../../scripts/syntax-tree.mjs';

/** A node and all below it, level by level. A plain loop: our sources have a million nodes. */
export function allNodes(root: SyntaxNode): SyntaxNode[] {
  const nodes = [root];
  for (const node of nodes) nodes.push(...childNodes(node));
  return nodes;
}
