import { createRequire } from 'node:module'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import { ownValue } from './plain-object.ts'
import { wordSet } from './words.ts'

/** Loaded on first use: most processes never sanitise markup, and startup should not wait for a parser. */
const parse5 = () => createRequire(import.meta.url)('parse5') as typeof import('parse5')

/** More or deeper tags are not content, and would keep the parser busy for seconds. */
const mostTags = 5_000
const deepest = 100

/**
 * Sanitises markup: keeps only content, nothing that could run code or restyle the page around it.
 *
 * Elements that are not on the list are replaced by their content; scripts, styles, frames, forms and
 * drawings are removed with their content. Attributes and addresses are allow-listed as well. Markup with more
 * than 5,000 tags is returned as plain text, and elements nested more than 100 deep are dropped.
 */
export function sanitiseHtml(markup: string): string {
  if (!markup.includes('<')) return markup
  if (markup.split('<', mostTags + 2).length > mostTags + 1) return markup.replaceAll('<', '&lt;')
  const { parseFragment, serialize } = parse5()
  const fragment = parseFragment(markup)
  fragment.childNodes = cleaned(fragment.childNodes, fragment, 0)
  return serialize(fragment)
}

function cleaned(nodes: readonly Tree.ChildNode[], parent: Tree.ParentNode, depth: number): Tree.ChildNode[] {
  if (depth > deepest) return []
  return nodes.flatMap((node): Tree.ChildNode[] => {
    if (node.nodeName === '#text') return [Object.assign(node, { parentNode: parent })]
    if (!('tagName' in node) || node.namespaceURI !== xhtml || withContents.has(node.tagName)) return []
    if (!elements.has(node.tagName)) return cleaned(node.childNodes, parent, depth + 1)
    node.attrs = node.attrs.filter((attribute) => isAllowed(node.tagName, attribute))
    node.childNodes = cleaned(node.childNodes, node, depth + 1)
    node.parentNode = parent
    return [node]
  })
}

// The allow-list of markup in content.

const elements = wordSet(`
  h1 h2 h3 h4 h5 h6 p br hr div span section article aside header footer address blockquote pre
  a b strong i em u s small mark sub sup code kbd samp var abbr cite q del ins time bdi bdo wbr dfn
  ul ol li dl dt dd figure figcaption source img video audio track details summary
  table caption colgroup col thead tbody tfoot tr th td`)

/** Elements that are removed with their content, which is not readable text. */
const withContents = wordSet(`
  script style template noscript iframe frame frameset object embed applet noembed noframes plaintext xmp
  svg math form input button select textarea option title head link meta base dialog canvas portal`)

const everywhere = wordSet('class title lang dir role')

const attributesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  a: wordSet('href target rel hreflang'),
  img: wordSet('src alt width height loading decoding'),
  source: wordSet('src type media'),
  video: wordSet('src poster width height controls loop muted playsinline preload'),
  audio: wordSet('src controls loop muted preload'),
  track: wordSet('src kind srclang label default'),
  blockquote: wordSet('cite'),
  q: wordSet('cite'),
  del: wordSet('cite datetime'),
  ins: wordSet('cite datetime'),
  time: wordSet('datetime'),
  ol: wordSet('start type reversed'),
  li: wordSet('value'),
  td: wordSet('colspan rowspan headers'),
  th: wordSet('colspan rowspan headers scope abbr'),
  col: wordSet('span'),
  colgroup: wordSet('span'),
  details: wordSet('open'),
}

/** Elements that can be link targets. On a link or an image, an `id` could shadow a variable of a script. */
const mayHaveId = wordSet('h1 h2 h3 h4 h5 h6 section')

const addresses = wordSet('href src poster cite')
const schemes = wordSet('http: https: mailto: tel:')

/** Drawings and formulas, which parse differently, have other namespaces. */
const xhtml = 'http://www.w3.org/1999/xhtml'

function isAllowed(
  tagName: string,
  { name, value }: { readonly name: string; readonly value: string },
): boolean {
  if (name === 'id') return mayHaveId.has(tagName)
  if (name.startsWith('aria-') || everywhere.has(name)) return true
  if (!ownValue(attributesOf, tagName)?.has(name)) return false
  return !addresses.has(name) || isSafeAddress(value, tagName === 'img' || name === 'poster')
}

/** Browsers remove control characters and blanks from an address before they parse its scheme. */
function isSafeAddress(value: string, isImage: boolean): boolean {
  const address = value.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, '').toLowerCase()
  const scheme = /^[^/?#]*?:/.exec(address)?.[0]
  if (scheme === undefined || schemes.has(scheme)) return true
  return isImage && /^data:image\/(?:png|jpeg|gif|webp|avif);/.test(address)
}

/** The maximum length of parsed markup: parsing blocks the process. */
const mostMarkup = 1024 * 1024

/** Parses the document of another website, up to the first megabyte. Its elements are data only. */
export function parseDocument(markup: string): Tree.Document {
  return parse5().parse(markup.slice(0, mostMarkup))
}
