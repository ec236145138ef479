import { html, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5';
import { checkLimits } from '../input/page-limits.ts';
import { isElement, isText } from './dom.ts';
import {
  appendText,
  createElement,
  createNamespaced,
  createText,
  insertText,
  type TreeNode,
} from './tree.ts';

/** All nodes are of one class. */
export type Nodes = TreeAdapterTypeMap<
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode,
  TreeNode
>;

export interface PageBuilding {
  readonly treeAdapter: TreeAdapter<Nodes>;
  /** The elements whose content is text for the parser, and markup where scripts do not run. */
  readonly fallbacks: readonly TreeNode[];
  /** Frames whose document may be in the page, and images of AMP. */
  readonly embedded: readonly TreeNode[];
}

const FALLBACKS = new Set(['noscript', 'noframes']);
const EMBEDDED = new Set(['iframe', 'amp-img', 'amp-anim']);

/** What one page has so far. */
export interface PageCount {
  elements: number;
}

/**
 * How one run of the parser makes a tree. Comments are dropped, and the content of a template is in
 * the template. It throws the error of a page above a limit.
 */
export function createPageBuilding(count: PageCount): PageBuilding {
  const comment = createElement('#comment');
  const fallbacks: TreeNode[] = [];
  const embedded: TreeNode[] = [];
  let depth = 0;
  let mode = html.DOCUMENT_MODE.NO_QUIRKS;
  const treeAdapter: TreeAdapter<Nodes> = {
    createDocument: () => createElement('#document'),
    createDocumentFragment: () => createElement('#fragment'),
    createCommentNode: () => comment,
    createTextNode: createText,
    createElement: (name, namespace, attributes) => {
      count.elements += 1;
      checkLimits(count.elements, depth);
      const element = createNamespaced(name, namespace, attributes);
      if (FALLBACKS.has(name)) fallbacks.push(element);
      if (EMBEDDED.has(name)) embedded.push(element);
      return element;
    },
    onItemPush: () => {
      depth += 1;
    },
    onItemPop: () => {
      depth -= 1;
    },
    adoptAttributes: (element, attributes) => {
      for (const { name, value } of attributes)
        if (!element.hasAttribute(name)) element.setAttribute(name, value);
    },
    appendChild: (parent, node) => {
      if (node !== comment) parent.append(node);
    },
    insertBefore: (parent, node, after) => {
      if (node === comment) return;
      node.remove();
      parent.insertAfter(node, after.previousSibling);
    },
    insertText: appendText,
    insertTextBefore: (parent, text, after) => insertText(parent, text, after.previousSibling),
    detachNode: (node) => node.remove(),
    setTemplateContent: () => {},
    getTemplateContent: (template) => template,
    getFirstChild: (node) => node.first,
    getParentNode: (node) => node.parentNode,
    getChildNodes: (node) => node.childNodes,
    getTagName: (element) => element.localName,
    getNamespaceURI: (element) => element.namespace as html.NS,
    getAttrList: (element) => element.attributes,
    getTextNodeContent: (text) => text.data,
    isElementNode: (node): node is TreeNode => isElement(node),
    isTextNode: (node): node is TreeNode => isText(node),
    setDocumentMode: (_document, found) => {
      mode = found;
    },
    getDocumentMode: () => mode,
    // neither comments, types of documents nor places in the source are kept
    setDocumentType: () => {},
    isCommentNode: (node): node is TreeNode => node === comment,
    isDocumentTypeNode: (_node): _node is TreeNode => false,
    getCommentNodeContent: () => '',
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    setNodeSourceCodeLocation: () => {},
    getNodeSourceCodeLocation: () => null,
    updateNodeSourceCodeLocation: () => {},
  };
  return { treeAdapter, fallbacks, embedded };
}
