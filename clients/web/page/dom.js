/**
 * Elements from descriptions, and a live tree brought to look like a new one.
 *
 * Text only ever becomes a text node or an attribute: nothing here, or anywhere else in the page,
 * parses markup.
 */

/** @typedef {Node | string | number | false | null | undefined | readonly unknown[]} Content what lists hold is content too */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element; `true` sets an attribute empty, `false` and `null` leave it out.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Content[]} children
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Content[]} children
 */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Content[]} children
 * @returns {T}
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value != null)
      element.setAttribute(name, value === true ? "" : `${value}`);
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} parent
 * @param {Content[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, /** @type {Content[]} */ (child));
    else if (child instanceof Node) parent.append(child);
    else if (child !== false && child != null) parent.append(`${child}`);
  }
}

/**
 * Brings an element's attributes and children to those of another, keeping the nodes that stay:
 * what has the focus keeps it, and what was typed stays.
 * @param {Element} live
 * @param {Element} next
 */
export function morph(live, next) {
  const focused = document.activeElement;
  sync(live, next);
  if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) {
    focused.focus({ preventScroll: true });
  }
}

/**
 * @param {Element} live
 * @param {Element} next
 */
function sync(live, next) {
  for (const { name } of [...live.attributes]) {
    // Which details are open is the reader's business.
    const kept = name === "open" && live.nodeName === "DETAILS";
    if (!next.hasAttribute(name) && !kept) live.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  syncChildren(live, next);
}

/**
 * @param {Element} live
 * @param {Element} next
 */
function syncChildren(live, next) {
  const wanted = [...next.childNodes];
  const keys = new Set(wanted.map(keyOf).filter(Boolean));
  const keyed = new Map([...live.childNodes].map((node) => [keyOf(node), node]));
  /** @type {ChildNode | null} */
  let at = live.firstChild;
  for (const node of wanted) {
    while (at && keyOf(at) && !keys.has(keyOf(at))) at = removed(at);
    const key = keyOf(node);
    const match = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
    if (!match || !alike(match, node)) {
      live.insertBefore(node, at);
      if (match && match === at) at = removed(at);
      continue;
    }
    if (match === at) at = at.nextSibling;
    else live.insertBefore(match, at);
    if (match instanceof Element && node instanceof Element) sync(match, node);
    else if (match.nodeValue !== node.nodeValue) match.nodeValue = node.nodeValue;
  }
  while (at) at = removed(at);
}

/** @param {ChildNode} node */
function removed(node) {
  const after = node.nextSibling;
  node.remove();
  return after;
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") || node.id || "" : "";
}

/**
 * @param {Node} one
 * @param {Node} other
 */
function alike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}
