/** Texts of a template with elements among their words, such as `Open the <code>docs</code> folder.`, each as one. */
import { inForm, type Unit } from './in-form.ts'
import type { Span, Splice } from './ranges.ts'

/** Elements that are among words. */
const names =
  'a|abbr|b|bdi|bdo|br|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr|Link'
const attribute = String.raw`\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^\s"'<>{}=]+))?`
/** Tags, and the blanks that JSX has in braces. */
const mark = String.raw`<\/?(?:${names})(?:${attribute})*\s*\/?>|\{(?:' '|" ")\}(?:[ \t]*\r?\n\s*)?`
const marks = new RegExp(mark, 'g')
const onlyMarks = new RegExp(`^(?:${mark})+$`)
const before = new RegExp(`(?:${mark})$`)
const behind = new RegExp(`^(?:${mark})`)

const isOpening = (tag: string): boolean => !/^(?:<\/|\{|<(?:br|wbr)\b)|\/>$/.test(tag)
const isClosing = (tag: string): boolean => tag.startsWith('</')

interface FoundPart extends Span {
  readonly kind: string
}

interface MarkupSpan extends Span {
  readonly kind: 'markup'
}

/**
 * Joins texts that only tags of inline elements divide, where some words are beside the elements. What does not begin and
 * end in one element stays as it is.
 */
export function joined<Text extends FoundPart>(
  text: string,
  found: readonly Text[],
): readonly (Text | MarkupSpan)[] {
  const chains: Text[][] = []
  for (const each of found.filter(({ kind }) => kind === 'text').toSorted((a, b) => a.from - b.from)) {
    const last = chains.at(-1)?.at(-1)
    if (last && onlyMarks.test(text.slice(last.to, each.from))) chains.at(-1)?.push(each)
    else chains.push([each])
  }
  const whole = chains.flatMap((chain): readonly (Text | MarkupSpan)[] => {
    const one = wholeOf(text, chain)
    return one ? [one] : chain
  })
  return [...whole, ...found.filter(({ kind }) => kind !== 'text')].toSorted((a, b) => a.from - b.from)
}

function wholeOf(text: string, chain: readonly Span[]): MarkupSpan | undefined {
  const [first, last] = [chain[0], chain.at(-1)]
  if (!first || !last || first === last) return undefined
  let [{ from }, { to }] = [first, last]
  const { closed, open } = balanceOf(text.slice(from, to))
  for (let n = 0; n < closed; n += 1) {
    const [tag] = before.exec(text.slice(Math.max(0, from - 1000), from)) ?? []
    if (tag === undefined || !isOpening(tag)) return undefined
    from -= tag.length
  }
  for (let n = 0; n < open; n += 1) {
    const [tag = ''] = behind.exec(text.slice(to, to + 1000)) ?? []
    if (!isClosing(tag)) return undefined
    to += tag.length
  }
  return hasOwnWords(text.slice(from, to)) ? { kind: 'markup', from, to } : undefined
}

/** How many elements end that did not begin, and begin that do not end. */
function balanceOf(raw: string): { readonly closed: number; readonly open: number } {
  let [closed, open] = [0, 0]
  for (const [tag] of raw.matchAll(marks)) {
    if (isOpening(tag)) open += 1
    if (isClosing(tag) && open === 0) closed += 1
    else if (isClosing(tag)) open -= 1
  }
  return { closed, open }
}

/** Whether words are beside its elements: else it is a row of links, each with a text of its own. */
function hasOwnWords(raw: string): boolean {
  let [depth, at] = [0, 0]
  for (const { 0: tag, index } of [...raw.matchAll(marks), Object.assign([''], { index: raw.length })]) {
    if (depth === 0 && /[\p{L}\p{N}]/u.test(raw.slice(at, index))) return true
    at = index + (tag?.length ?? 0)
    depth += isOpening(tag ?? '') ? 1 : isClosing(tag ?? '') ? -1 : 0
  }
  return false
}

/** The tags of a text, and the runs of words between them: one more than tags. */
interface Markup {
  readonly tags: readonly string[]
  readonly runs: readonly { readonly from: number; readonly units: readonly Unit[] }[]
}

function markupOf(raw: string, unitsOf: (words: string) => readonly Unit[]): Markup {
  const tags: string[] = []
  const runs: { from: number; units: Unit[] }[] = [{ from: 0, units: [] }]
  let at = 0
  const add = (to: number): void => void runs.at(-1)?.units.push(...unitsOf(raw.slice(at, to)))
  for (const { 0: each, index } of raw.matchAll(marks)) {
    add(index)
    at = index + each.length
    if (each.startsWith('{')) runs.at(-1)?.units.push({ raw: each, value: ' ' })
    else {
      tags.push(each.replace(/^(<\/?\w+)[^]*$/, '$1>'))
      runs.push({ from: at, units: [] })
    }
  }
  add(raw.length)
  return { tags, runs }
}

const valueOf = (units: readonly Unit[]): string => units.map(({ value }) => value).join('')
const escaped = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const unescaped = (words: string): string => words.replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The text as it is shown and edited: its tags have no attributes, and of its words only `&` and `<` are escaped. */
export function shownMarkup(raw: string, unitsOf: (words: string) => readonly Unit[]): string {
  const { tags, runs } = markupOf(raw, unitsOf)
  return runs.map(({ units }, n) => (tags[n - 1] ?? '') + escaped(valueOf(units))).join('')
}

/** Returns what differs between a text and one that has the same tags; `undefined` if it has others. */
export function markupSplices(
  { raw, from, now }: { readonly raw: string; readonly from: number; readonly now: string },
  unitsOf: (words: string) => readonly Unit[],
  spell: (words: string) => string,
): readonly Splice[] | undefined {
  const { tags, runs } = markupOf(raw, unitsOf)
  const parts = now.split(/(<\/?[a-z]\w*>)/i)
  if (parts.filter((_, n) => n % 2 === 1).join('') !== tags.join('')) return undefined
  return runs.flatMap((run, n) => {
    const words = unescaped(parts[2 * n] ?? '')
    if (words === valueOf(run.units)) return []
    const start = from + run.from
    const length = run.units.reduce((sum, unit) => sum + unit.raw.length, 0)
    return [{ from: start, to: start + length, text: inForm(run.units, words, spell) }]
  })
}
