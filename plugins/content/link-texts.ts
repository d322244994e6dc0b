/** Returns an address, rewritten if it refers to a moved page. */
export type Rewrite = (address: string) => string

/** Rewrites the targets of `[text](target)`, but not of images, in linear time. */
export function rewriteMarkdownLinks(markdown: string, rewrite: Rewrite): string {
  if (!markdown.includes('](')) return markdown
  let result = ''
  let done = 0
  const open: { readonly image: boolean }[] = []
  for (let at = 0; at < markdown.length; at += 1) {
    const character = markdown[at]
    if (character === '\\') at += 1
    else if (character === '[') open.push({ image: markdown[at - 1] === '!' })
    else if (character === ']') {
      const bracket = open.pop()
      if (!bracket || bracket.image || markdown[at + 1] !== '(') continue
      const start = at + 2
      const target = /^[^\s()]*/.exec(markdown.slice(start, start + longestTarget))?.[0] ?? ''
      result += markdown.slice(done, start) + rewrite(target)
      done = start + target.length
      at = done - 1
    }
  }
  return result + markdown.slice(done)
}

/** Rewrites the `href` attributes of a piece of markup. */
export function rewriteHtmlLinks(markup: string, rewrite: Rewrite): string {
  const inQuotes = (_: string, start: string, address: string, end: string) => start + rewrite(address) + end
  return markup
    .replace(/(\bhref\s*=\s*")([^"]*)(")/gi, inQuotes)
    .replace(/(\bhref\s*=\s*')([^']*)(')/gi, inQuotes)
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
