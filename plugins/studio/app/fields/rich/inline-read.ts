/**
 * Reads the inline part of the Markdown of content: bold, italic, links and line breaks. Everything else is
 * text.
 */
import MarkdownIt from 'markdown-it'
import type { Cell } from './cells.ts'
import { make, type Mark } from './schema.ts'

const parser = new MarkdownIt('zero', { breaks: true }).enable([
  'heading',
  'list',
  'emphasis',
  'link',
  'newline',
  'escape',
])
// Each token stays by itself, with its place.
parser.disable(['fragments_join', 'text_join'])
// An address stays as it was written.
parser.normalizeLink = (href) => href

export const parse = (text: string) => parser.parse(text, {})
export const isLinkAllowed = (href: string): boolean => parser.validateLink(href)
export type Token = ReturnType<typeof parse>[number]

type State = Parameters<Parameters<typeof parser.inline.ruler.before>[2]>[0]
/** Where the step that was started last is, what was read before it, and where that begins. */
interface ParseStep {
  readonly at: number
  readonly tokens: number
  readonly pending: string
  readonly pendingAt: number
}
const steps = new WeakMap<State, ParseStep>()
const placeOf = new WeakMap<Token, number>()

/**
 * Notes where the tokens of the last step are. The parser collects text, and makes a token of it before the
 * next other one.
 */
function place(state: State): void {
  const last = steps.get(state) ?? { at: 0, tokens: 0, pending: '', pendingAt: 0 }
  const { at, tokens, pending } = last
  const added = state.tokens.slice(tokens)
  const isCollected = pending !== '' && added[0]?.type === 'text'
  const pendingAt = pending === '' ? at : last.pendingAt
  for (const [index, token] of added.entries())
    placeOf.set(token, isCollected ? (index === 0 ? pendingAt : at + index - 1) : at + index)
  const now = { at: state.pos, tokens: state.tokens.length, pending: state.pending }
  steps.set(state, { ...now, pendingAt: added.length > 0 ? at : pendingAt })
}
parser.inline.ruler.before('text', 'place', (state, isSilent) => {
  if (!isSilent) place(state)
  return false
})
parser.inline.ruler2.before('balance_pairs', 'place', place)

/** Reads the tokens of a text, with their places in it. */
export function readInline(tokens: readonly Token[]): readonly Cell[] {
  const marks: (readonly Mark[])[] = [[]]
  return tokens.flatMap((token) => {
    const [open = []] = marks
    if (token.nesting === 1) marks.unshift(markOfToken(token).addToSet(open))
    else if (token.nesting === -1) marks.shift()
    else return cellsOfToken(token, open)
    return []
  })
}

function cellsOfToken(token: Token, marks: readonly Mark[]): readonly Cell[] {
  const { type, content, markup } = token
  const start = placeOf.get(token) ?? 0
  if (!type.startsWith('text')) return [{ char: '\n', marks, start, end: start + 1 }]
  // A backslash belongs to the sign after it.
  const extra = type === 'text_special' ? markup.length - content.length : 0
  return content
    .split('')
    .map((char, index) => ({
      char,
      marks,
      start: start + index + (index > 0 ? extra : 0),
      end: start + index + 1 + extra,
    }))
}

function markOfToken(token: Token): Mark {
  if (token.type !== 'link_open') return token.type === 'em_open' ? make.em : make.strong
  const [href, title] = ['href', 'title'].map((name) => token.attrGet(name)?.toString())
  return make.link({ href: href ?? '', ...(title !== undefined && { title }) })
}
