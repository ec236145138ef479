import { closest } from './dom.ts';
import { HEADING } from './tags.ts';
import { type TreeNode, unwrap } from './tree.ts';

/** Elements that can have a shadow root, next to those with a hyphen in their name. */
const HOSTS = new Set([
  ...'article aside blockquote body div footer header main nav p section span'.split(' '),
  ...HEADING,
]);

/**
 * Whether a template is a shadow root, which browsers show without any script. The first one of its
 * host is. https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
 */
export function isShadowRoot(template: TreeNode): boolean {
  const mode = template.getAttribute('shadowrootmode')?.toLowerCase();
  const host = template.parentNode;
  if (!host || (mode !== 'open' && mode !== 'closed')) return false;
  if (!HOSTS.has(host.localName) && !host.localName.includes('-')) return false;
  for (let at = template.previousSibling; at; at = at.previousSibling) {
    if (at.localName === 'template' && at.hasAttribute('shadowrootmode')) return false;
  }
  return true;
}

/**
 * Shows each host's shadow root instead of its children, which go into the root's slots.
 * @param templates the shadow roots, in document order
 * @param slots all slots of the document
 */
export function renderShadowRoots(
  templates: readonly TreeNode[],
  slots: readonly TreeNode[],
): void {
  const slotsOf = new Map<TreeNode, TreeNode[]>(templates.map((template) => [template, []]));
  for (const slot of slots) {
    const owner = closest(slot, (element) => slotsOf.has(element as TreeNode));
    slotsOf.get(owner as TreeNode)?.push(slot);
  }
  // inner ones first: a slot may be a child of a host inside
  for (const template of templates.toReversed()) render(template, slotsOf.get(template) ?? []);
}

function render(template: TreeNode, slots: readonly TreeNode[]): void {
  const host = template.parentNode;
  if (!host) return;
  const assigned = new Map<string, TreeNode[]>();
  for (const node of host.childNodes) {
    if (node === template) continue;
    const name = node.getAttribute('slot') ?? '';
    const others = assigned.get(name);
    if (others) others.push(node);
    else assigned.set(name, [node]);
    node.remove();
  }
  for (const slot of slots) {
    const name = slot.getAttribute('name') ?? '';
    const nodes = assigned.get(name);
    if (nodes) {
      slot.empty();
      for (const node of nodes) slot.append(node);
      assigned.delete(name);
    }
    unwrap(slot);
  }
  unwrap(template);
}
