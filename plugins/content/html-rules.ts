/** What markup in content may be made of. Everything that is not named here is taken out. */
import { ownValue } from './plain-object.ts'

const elements = words(`
  h1 h2 h3 h4 h5 h6 p br hr div span section article aside header footer address blockquote pre
  a b strong i em u s small mark sub sup code kbd samp var abbr cite q del ins time bdi bdo wbr dfn
  ul ol li dl dt dd figure figcaption source img video audio track details summary
  table caption colgroup col thead tbody tfoot tr th td`)

/** Elements that go together with what they contain: it was never meant to be read. */
const withContents = words(`
  script style template noscript iframe frame frameset object embed applet noembed noframes plaintext xmp
  svg math form input button select textarea option title head link meta base dialog canvas portal`)

const everywhere = words('class title lang dir role')

const attributesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  a: words('href target rel hreflang'),
  img: words('src alt width height loading decoding'),
  source: words('src type media'),
  video: words('src poster width height controls loop muted playsinline preload'),
  audio: words('src controls loop muted preload'),
  track: words('src kind srclang label default'),
  blockquote: words('cite'),
  q: words('cite'),
  del: words('cite datetime'),
  ins: words('cite datetime'),
  time: words('datetime'),
  ol: words('start type reversed'),
  li: words('value'),
  td: words('colspan rowspan headers'),
  th: words('colspan rowspan headers scope abbr'),
  col: words('span'),
  colgroup: words('span'),
  details: words('open'),
}

/** Targets of links within a page. On a link or an image an `id` could pose as a variable of a script. */
const mayHaveId = words('h1 h2 h3 h4 h5 h6 section')

const addresses = words('href src poster cite')
const schemes = words('http: https: mailto: tel:')

/** Tells whether an element is kept. */
export function isAllowed(tagName: string): boolean {
  return elements.has(tagName)
}

/** Tells whether an element goes with its contents; so do drawings and formulas, which parse differently. */
export function isDropped(tagName: string, namespace: string): boolean {
  return namespace !== 'http://www.w3.org/1999/xhtml' || withContents.has(tagName)
}

interface Attribute {
  readonly name: string
  readonly value: string
}

/** Tells whether an attribute is kept on an element. */
export function allowedAttribute(tagName: string, { name, value }: Attribute): boolean {
  if (name === 'id') return mayHaveId.has(tagName)
  if (name.startsWith('aria-') || everywhere.has(name)) return true
  if (!ownValue(attributesOf, tagName)?.has(name)) return false
  return !addresses.has(name) || isSafeAddress(value, tagName === 'img' || name === 'poster')
}

/** Browsers skip control characters and blanks in an address before they look at its scheme. */
function isSafeAddress(value: string, isImage: boolean): boolean {
  const address = value.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, '').toLowerCase()
  const scheme = /^[^/?#]*?:/.exec(address)?.[0]
  if (scheme === undefined || schemes.has(scheme)) return true
  return isImage && /^data:image\/(?:png|jpeg|gif|webp|avif);/.test(address)
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}
