/** What models head their last list with, in lower case and without marks. */
const headings: ReadonlySet<string> = new Set([
  'next steps', 'suggested next steps', 'possible next steps', 'suggestions', 'what next', "what's next", 'further steps',
  'nächste schritte', 'mögliche nächste schritte', 'vorschläge', 'weitere schritte', 'wie weiter',
])
const most = 4
const [shortest, longest] = [6, 119]

/** Takes a closing list of next steps out of what a model said. */
export function splitSuggestions(text: string): { readonly summary: string; readonly suggestions: readonly string[] } {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => headings.has(plain(line)))
  const rest = at < 0 ? [] : lines.slice(at + 1).map((line) => line.trim()).filter((line) => line !== '')
  const bullets = rest.flatMap((line) => /^(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$/.exec(line)?.[1] ?? [])
  if (bullets.length === 0 || bullets.length < rest.length) return { summary: text.trim(), suggestions: [] }
  const suggestions = bullets.map((bullet) => bullet.replaceAll('**', '').trim()).filter(({ length }) => length >= shortest && length <= longest)
  return { summary: lines.slice(0, at).join('\n').trim(), suggestions: suggestions.slice(0, most) }
}

const plain = (line: string): string => line.replaceAll(/[#*_:]/g, '').trim().toLowerCase()
