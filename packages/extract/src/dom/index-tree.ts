import { capDepth } from './cap-depth.ts';
import { isElement, type PageDocument, type PageElement } from './dom.ts';
import { isMarked, selectorOf } from './selector.ts';
import { isShadowRoot, renderShadowRoots } from './shadow-roots.ts';
import { createElement, following, SVG, type TreeNode } from './tree.ts';

/**
 * A document of a tree, with an index of its elements by name. What is in a `template` is no part
 * of it, unless it is a shadow root. Elements of SVG are not in the index: their titles and links
 * are those of a picture.
 */
export function indexed(root: TreeNode): PageDocument {
  const byName = new Map<string, TreeNode[]>();
  const marked: PageElement[] = [];
  for (let at = root.first; at; at = following(at, root)) {
    if (!isElement(at) || at.namespace === SVG) continue;
    const others = byName.get(at.localName);
    if (others) others.push(at);
    else byName.set(at.localName, [at]);
    if (isMarked(at)) marked.push(at);
    if (at.localName === 'template' && !isShadowRoot(at)) at.empty();
  }
  const shadows = (byName.get('template') ?? []).filter(isShadowRoot);
  if (shadows.length > 0) {
    renderShadowRoots(shadows, byName.get('slot') ?? []);
    capDepth(root);
  }
  return {
    html: byName.get('html')?.[0] ?? null,
    body: byName.get('body')?.[0] ?? emptyBody(root),
    findAll: (selector) => {
      const { matches, findsMarked, names } = selectorOf(selector);
      if (findsMarked) return marked.filter(matches);
      if (!names) return root.querySelectorAll(selector);
      const [only, ...others] = [...names].filter((name) => byName.has(name));
      if (only === undefined) return [];
      if (others.length > 0) return root.querySelectorAll(selector);
      return (byName.get(only) ?? []).filter(matches);
    },
  };
}

/** A page of frames has no body of its own. */
function emptyBody(root: TreeNode): PageElement {
  const body = createElement('body');
  root.append(body);
  return body;
}
