/** How values are written in YAML. */
import { parse, stringify } from 'yaml'
import { likenessOf, othersOf } from './alike.ts'
import { inForm } from './in-form.ts'
import { columnOf, endOfLine, indentationOf, lineEndOf, startOfLine } from './ranges.ts'
import { isEmpty, isScalar, type ScalarNode, type ScalarStyle, type Spot } from './value-tree.ts'

/** The spellings of a value, the one that is there first, then the least quoting. */
export function yamlSpellings(value: unknown, spot: Spot): readonly string[] {
  const { now, text } = spot
  const isNothing = now !== undefined && now.from === now.to
  const lead = isNothing && /[:-]/.test(text[now.from - 1] ?? '') ? ' ' : ''
  const spellings = typeof value === 'string' ? textSpellings(value, spot) : [inFlow(value)]
  return [...onLines(value, spot), ...spellings.map((spelling) => lead + spelling)]
}

/** The column of the first key in a line, behind the marks of rows. */
const keyColumn = (text: string, at: number): number =>
  /^[ \t]*(?:-[ \t]+)*/.exec(text.slice(startOfLine(text, at)))?.[0].length ?? 0

/** The lines of an object or list behind its key, if the others of the file have lines. */
function onLines(value: unknown, spot: Spot): readonly string[] {
  const { text, now } = spot
  if (!now || spot.inFlow || isScalar(value) || isEmpty(value)) return []
  const start = startOfLine(text, now.from)
  const isAlone =
    /:[ \t]*$/.test(text.slice(start, now.from)) && text.slice(now.to, endOfLine(text, now.to)).trim() === ''
  const { alike } = othersOf(value, spot)
  if (!isAlone || (alike ? alike.layout === 'flow' : likenessOf(value) === 'scalars')) return []
  const column = keyColumn(text, now.from)
  const isFlush =
    alike?.kind === 'list' &&
    columnOf(text, alike.from) === keyColumn(text, startOfLine(text, alike.from) - 1)
  return [lineEndOf(text) + nested(value, spot, ' '.repeat(isFlush ? column : column + 2))]
}

export function yamlMember(name: string, value: unknown, spot: Spot): string {
  const [key] = textSpellings(name, { ...spot, inFlow: true, now: undefined })
  if (isScalar(value) || isEmpty(value) || spot.inFlow) return `${key}: ${newValue(value, spot)}`
  return `${key}:${lineEndOf(spot.text)}${nested(value, spot)}`
}

export function yamlRow(value: unknown, spot: Spot): string {
  if (spot.inFlow) return newValue(value, spot)
  if (isScalar(value) || isEmpty(value)) return `- ${newValue(value, spot)}`
  return `- ${nested(value, spot).trimStart()}`
}

const newValue = (value: unknown, spot: Spot): string =>
  yamlSpellings(value, { ...spot, now: undefined })[0] ?? ''

/** Texts that YAML 1.1 reads as something else are quoted: many sites have a parser of that version. */
const printing = { version: '1.1', lineWidth: 0 } as const

const inFlow = (value: unknown): string =>
  stringify(value, { ...printing, collectionStyle: 'flow', flowCollectionPadding: false }).trimEnd()

/** The lines of an object or list, one step further in. */
function nested(
  value: unknown,
  { text, column }: Spot,
  indentation = `${indentationOf(text, column)}  `,
): string {
  const lines = stringify(value, printing).trimEnd().split('\n')
  return lines.map((line) => (line === '' ? '' : indentation + line)).join(lineEndOf(text))
}

function textSpellings(value: string, spot: Spot): readonly string[] {
  const now = spot.now?.kind === 'scalar' ? spot.now : undefined
  const isLong = value.includes('\n') && !spot.inFlow
  const order: readonly ScalarStyle[] = isLong ? ['literal', 'double'] : ['plain', 'single', 'double']
  const styles = new Set([...(now ? [now.style] : []), ...order])
  return [...styles].flatMap((style) => {
    const spelling = spell(value, style, { ...spot, now })
    if (spelling === undefined) return []
    const before = now?.style === style && !blocks.has(style) ? spot.text.slice(now.from, now.to) : ''
    return [withBreaks(spelling, before), spelling]
  })
}

const blocks: ReadonlySet<ScalarStyle> = new Set(['literal', 'folded'])

/** Breaks the lines of a text where those of the text before break, as far as the two are the same. */
function withBreaks(text: string, before: string): string {
  const units = before.match(/[ \t]+(?:\r?\n[ \t]*)?|\r?\n[ \t]*|[^]/gu) ?? []
  return inForm(
    units.map((raw) => ({ raw, value: raw.includes('\n') ? ' ' : raw })),
    text,
    (part) => part,
  )
}

type TextSpot = Omit<Spot, 'now'> & { readonly now: ScalarNode | undefined }

function spell(value: string, style: ScalarStyle, spot: TextSpot): string | undefined {
  if (style === 'double') return JSON.stringify(value).replaceAll('\u007f', String.raw`\x7f`)
  if (style === 'literal' || style === 'folded') return block(value, style, spot)
  if (/[\r\n]/.test(value)) return undefined
  if (style === 'single') return `'${value.replaceAll("'", "''")}'`
  return isPlain(value, spot) ? value : undefined
}

const timestamp = /^\d{4}-\d\d?-\d\d?(?:[Tt ][\d:.+\-Zz ]+)?$/

/** A date stays plain if it replaces one. */
function isPlain(value: string, { inFlow, now }: TextSpot): boolean {
  const isTime = timestamp.test(value)
  if (isTime) return now?.style === 'plain' && timestamp.test(String(now.value))
  const text = inFlow ? `[${value}]` : `k: ${value}`
  const wanted = inFlow ? [value] : { k: value }
  return (['1.1', 'core'] as const).every((schema) => {
    try {
      const version = schema === '1.1' ? schema : '1.2'
      return JSON.stringify(parse(text, { version, logLevel: 'error' })) === JSON.stringify(wanted)
    } catch {
      return false
    }
  })
}

/** A text of lines under a mark, with the indentation that is there. */
function block(
  value: string,
  style: 'literal' | 'folded',
  { text, now, column }: TextSpot,
): string | undefined {
  if (/\r/.test(value) || value.trim() === '') return undefined
  const before =
    now && (now.style === 'literal' || now.style === 'folded') ? text.slice(now.from, now.to) : ''
  const [first = '', ...lines] = before.split(/\r?\n/)
  const indentation = /^[ \t]*/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0]
  const margin = indentation || `${indentationOf(text, column)}  `
  const chomping = value.endsWith('\n\n') ? '+' : value.endsWith('\n') ? '' : '-'
  const comment = /\s#.*$/.exec(first)?.[0] ?? ''
  const mark = style === 'folded' ? '>' : '|'
  const step = /^\s/.test(value) ? String(margin.length - indentationOf(text, column).length) : ''
  const wanted = value.replace(/\n$/, '').split('\n')
  const shown =
    style === 'folded'
      ? folded(
          wanted,
          lines.map((line) => line.slice(margin.length)),
        )
      : wanted
  const content = shown.map((line) => (line === '' ? '' : margin + line))
  return [`${mark}${step}${chomping}${comment}`, ...content].join(lineEndOf(text))
}

/** The lines of a folded text: what is the same as before keeps its breaks. */
function folded(wanted: readonly string[], before: readonly string[]): readonly string[] {
  const paragraphs = before
    .join('\n')
    .trim()
    .split(/\n{2,}/)
  const found = new Map(paragraphs.map((lines) => [lines.replaceAll('\n', ' '), lines]))
  const texts = wanted.filter((line) => line !== '')
  const inPlace = texts.length === paragraphs.length ? paragraphs : []
  return wanted.flatMap((line, n) => [
    ...(n === 0 || line === '' ? [] : ['']),
    ...withBreaks(line, found.get(line) ?? inPlace[texts.indexOf(line)] ?? '').split('\n'),
  ])
}
