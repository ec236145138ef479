/** A node of the syntax tree (ESTree with TypeScript); its other members depend on its type. */
export interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}
export function parseSource(path: string, text: string): SyntaxNode;
export function childNodes(node: SyntaxNode): SyntaxNode[];
export function leadingText(node: unknown): string | undefined;
