/** Returns an address, rewritten if it refers to a moved page. */
export type Rewrite = (address: string) => string

/**
 * Rewrites the targets of `[text](target)` and of `[name]: target`, of images only where asked for,
 * `<https://target>` and the `href` of anchors, in linear time.
 */
export function rewriteMarkdownLinks(markdown: string, rewrite: Rewrite, { images = false } = {}): string {
  if (!/\][(:]|<(?:(?:a|img)\s|https?:)/i.test(markdown)) return markdown
  let result = ''
  let done = 0
  const open: { readonly at: number; readonly image: boolean }[] = []
  for (let at = 0; at < markdown.length; at += 1) {
    const character = markdown[at]
    if (character === '\\') at += 1
    else if (character === '<') {
      const written = linkTag(markdown, at)
      if (written === undefined || (!images && /^<img/i.test(written))) continue
      result += markdown.slice(done, at) + rewriteTag(written, rewrite)
      done = at + written.length
      at = done - 1
    } else if (character === '[') open.push({ at, image: markdown[at - 1] === '!' })
    else if (character === ']') {
      const bracket = open.pop()
      if (!bracket || (bracket.image && !images)) continue
      const target = targetAfter(markdown, at + 1, bracket.at)
      if (!target) continue
      result += markdown.slice(done, target.at) + rewrite(target.text)
      done = target.at + target.text.length
      at = done - 1
    }
  }
  return result + markdown.slice(done)
}

/** Returns the address in angle brackets, or the start of an anchor or an image, at a position. */
function linkTag(markdown: string, at: number): string | undefined {
  const tag = /<(?:https?:[^\s<>]*|(?:a|img)\s[^<>]*)>/iy
  tag.lastIndex = at
  return tag.exec(markdown)?.[0]
}

function rewriteTag(tag: string, rewrite: Rewrite): string {
  if (/^<a\s/i.test(tag)) return rewriteHtmlLinks(tag, rewrite)
  const source = /(\ssrc\s*=\s*)("[^"]*"|'[^']*')/i
  if (!/^<img\s/i.test(tag)) return `<${rewrite(tag.slice(1, -1))}>`
  return tag.replace(
    source,
    (_, name: string, quoted: string) => name + quoted[0] + rewrite(quoted.slice(1, -1)) + quoted[0],
  )
}

/** Returns the target after the brackets of a link or of a definition; `undefined` after those of a footnote. */
function targetAfter(markdown: string, at: number, start: number) {
  const isFirst = () => /(?:^|\n) {0,3}$/.test(markdown.slice(Math.max(0, start - 4), start))
  const isDefinition = markdown[at] === ':' && markdown[start + 1] !== '^' && isFirst()
  if (markdown[at] !== '(' && !isDefinition) return undefined
  const rest = markdown.slice(at + 1, at + 1 + longestTarget)
  const [, before = '', text = ''] = /^(\s*<)([^<>\n]*)>/.exec(rest) ?? /^(\s*)([^\s()]*)/.exec(rest) ?? []
  return { at: at + 1 + before.length, text }
}

/** Rewrites the `href` attributes of a piece of markup. */
export function rewriteHtmlLinks(markup: string, rewrite: Rewrite): string {
  const inQuotes = (_: string, start: string, address: string, end: string) => start + rewrite(address) + end
  return markup
    .replace(/(\bhref\s*=\s*")([^"]*)(")/gi, inQuotes)
    .replace(/(\bhref\s*=\s*')([^']*)(')/gi, inQuotes)
    .replace(/(\bhref\s*=\s*)([^\s"'<>=`]+)()/gi, inQuotes)
}

/** Rewrites the addresses in lines of the form `Label|URL`, line by line, in linear time. */
export function rewriteLabelledLines(lines: string, rewrite: Rewrite): string {
  const inLine = (_: string, label: string, address: string) => label + rewrite(address)
  return lines.replaceAll(/[^\n\r\u2028\u2029]+/g, (line) => line.replace(/^([^|]*\|\s*)([^\s|]+)/, inLine))
}

/** Returns the addresses in a text, found by one of the rewriting functions. */
export function addressesIn(text: string, rewriteAll: typeof rewriteHtmlLinks): readonly string[] {
  const found: string[] = []
  rewriteAll(text, (address) => {
    if (address !== '') found.push(address)
    return address
  })
  return found
}

/** Longer targets cannot refer to a page: a slug has at most 512 characters. */
const longestTarget = 4096
