/**
 * Markup as it was copied elsewhere, without what the editor does not read. The policy of this page lets nothing in it
 * run, but would report every handler and every style.
 */
export function withoutExtras(html: string): string {
  const text = html.replaceAll(/<!--[^]*?-->|<(script|style|template|iframe|svg|math)\b[^]*?<\/\1\s*>/gi, '')
  return text.replaceAll(
    /<(\/?)([a-z][a-z\d:-]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi,
    (_all, end: string, name: string, rest: string) => {
      if (end !== '') return `</${name}>`
      const attributes = new Map(
        [...rest.matchAll(/(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)].map(
          ([, attribute = '', one, two, three]) => [
            attribute.toLowerCase(),
            (one ?? two ?? three ?? '').replaceAll('"', '&quot;'),
          ],
        ),
      )
      const style = attributes.get('style') ?? ''
      // Some programs say with a style what is bold, and that a `b` is not.
      const isBold = /font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style)
      const isNormal = /font-weight\s*:\s*(?:normal|[1-5]00)/i.test(style)
      const looks = [isBold && 'bold', /font-style\s*:\s*italic/i.test(style) && 'italic']
        .filter(Boolean)
        .join(' ')
      const kept = ['href', 'data-href', 'data-pm-slice', 'start'].flatMap((attribute) => {
        const value = attributes.get(attribute)
        return value === undefined ? [] : ` ${attribute}="${value}"`
      })
      const tag = /^b$/i.test(name) && isNormal ? 'span' : name
      return `<${tag}${kept.join('')}${looks && ` data-look="${looks}"`}>`
    },
  )
}
