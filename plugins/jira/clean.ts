const thinking = ['think', 'thinking', 'scratch', 'scratchpad', 'reasoning', 'reflection'] as const

/** A text of a model as people may read it: without what it thought, on its way to a line of at most so many characters. */
export function clean(text: string, most: number): string {
  const said = thinking.reduce(withoutTag, text.slice(0, 10 * most)).trim()
  return said.length > most ? `${said.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : said
}

/** What is opened and not closed goes on to the end. */
function withoutTag(text: string, name: string): string {
  const lower = text.toLowerCase()
  if (lower.length !== text.length) return text
  let kept = ''
  for (let at = 0; ; ) {
    const start = lower.indexOf(`<${name}>`, at)
    if (start < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    const end = lower.indexOf(`</${name}>`, start)
    if (end < 0) return kept
    at = end + name.length + 3
  }
}

/** The same on one line. */
export const cleanLine = (text: string, most: number): string => clean(text, most).replace(/\s+/g, ' ')
