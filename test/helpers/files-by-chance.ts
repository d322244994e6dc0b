/** Random edits of real files, and whether what was written is what was meant, and nothing else. */
import { isDeepStrictEqual } from 'node:util'
import { createRequire } from 'node:module'
import { parseSync } from 'rolldown/utils'
import {
  dataFile,
  documentFile,
  htmlTexts,
  jsxTexts,
  syntaxes,
  templateFile,
  type FileContent,
  type FileKind,
  type Reading,
} from '../../plugins/files/port.ts'
import { projectParser } from '../../plugins/files/testing.ts'
import { contentOf, readingOf, sharedEnds, type FileBlock } from './file-edits.ts'

/** A kind of file, with another parser for it, which knows nothing of the first. */
export interface SampleKind {
  readonly name: string
  readonly kind: FileKind
  readonly parse?: (text: string) => unknown
}

const { load } = createRequire(import.meta.url)('js-yaml') as {
  load: (text: string, options: object) => unknown
}
const parseJson = (text: string): unknown => JSON.parse(text)

const jsx = jsxTexts((text) => {
  const { program, errors } = parseSync('page.tsx', text)
  if (errors[0]) throw new Error(errors[0].message)
  return program
})

const kinds: readonly (SampleKind & { readonly endings: readonly string[] })[] = [
  { name: 'Markdown', endings: ['md', 'markdown'], kind: documentFile() },
  { name: 'MDX', endings: ['mdx'], kind: documentFile({ mdx: true }) },
  { name: 'JSON', endings: ['json', 'jsonc'], kind: dataFile(syntaxes.json), parse: parseJson },
  {
    name: 'YAML',
    endings: ['yml', 'yaml'],
    kind: dataFile(syntaxes.yaml),
    parse: (text) => load(text, { json: true }),
  },
  { name: 'TOML', endings: ['toml'], kind: dataFile(syntaxes.toml) },
  { name: 'HTML', endings: ['html'], kind: templateFile(htmlTexts) },
  { name: 'Nunjucks', endings: ['njk'], kind: templateFile(htmlTexts) },
  { name: 'Liquid', endings: ['liquid'], kind: templateFile(htmlTexts) },
  { name: 'JSX', endings: ['jsx', 'tsx'], kind: templateFile(jsx) },
]

/** The frameworks whose compilers a project has. */
const frameworks: Readonly<Record<string, string>> = { vue: 'Vue', svelte: 'Svelte', astro: 'Astro' }

/**
 * Returns a function that says of which kind a file is by its name; `undefined` for one that is no content.
 * Templates of frameworks are read with the compilers that are installed in a project, if one is given.
 */
export function kindsWith(project?: string): (path: string) => SampleKind | undefined {
  const known = new Map<string, SampleKind>(
    kinds.flatMap(({ endings, ...kind }) => endings.map((ending) => [ending, kind] as const)),
  )
  for (const [ending, name] of Object.entries(project === undefined ? {} : frameworks)) {
    const found = projectParser(project ?? '', ending)
    if ('missing' in found) throw new Error(`${ending}: ${found.missing}`)
    known.set(ending, { name, kind: templateFile(found.parser) })
  }
  return (path) => known.get(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '')
}
export const kindOf = kindsWith()

/** A source of chance that a seed repeats. */
export interface Chance {
  /** From 0 to less than the number. */
  below(number: number): number
  one<T>(values: readonly T[]): T | undefined
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (number: number): number => Math.floor(next() * number)
  return { below, one: (values) => values[below(values.length)] }
}

/** An edit of a content, and what a text with it must be. */
interface ChanceEdit {
  readonly name: EditName
  readonly after: FileContent
  /** The part of the text that may differ. */
  readonly from: number
  readonly to: number
  /** Whether all comments stay. */
  readonly keepsMarks?: boolean
  /** The most that may be removed. */
  readonly most?: number
}

export const editNames = ['words', 'text', 'scalar', 'key', 'row', 'add', 'move', 'copy', 'remove'] as const
export type EditName = (typeof editNames)[number]

/** What came of an edit. */
export type Outcome =
  | { readonly edit: EditName; readonly result: 'exact' }
  | { readonly edit: EditName; readonly result: 'refused'; readonly reason: string; readonly rule: string }
  | { readonly edit: EditName; readonly result: 'inexact'; readonly why: string }

/** Makes one edit of a text; `undefined` if the text has nothing for an edit of this name. */
export function editByChance(
  { kind, parse }: Pick<SampleKind, 'kind' | 'parse'>,
  text: string,
  name: EditName,
  chance: Chance,
): Outcome | undefined {
  const reading = readingOf(kind, text)
  const before = contentOf(reading)
  const edit = edits[name](reading, before, chance)
  if (!edit) return undefined
  const patched = kind.patch(text, before, edit.after)
  if (!('text' in patched))
    return { edit: name, result: 'refused', reason: patched.refused, rule: patched.rule }
  const after = kind.held?.(before, edit.after) ?? edit.after
  if (!isDeepStrictEqual(withoutBlanks(after), withoutBlanks(edit.after)))
    return { edit: name, result: 'inexact', why: 'more than blanks is not held' }
  const why =
    wrongIn(kind, text, patched.text, { ...edit, after }) ??
    wrongByOther(parse, [text, patched.text], [before, after])
  return why === undefined ? { edit: name, result: 'exact' } : { edit: name, result: 'inexact', why }
}

const withoutBlanks = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? each.trim().replaceAll(/\s+/g, ' ') : each,
  )

/** Whether another parser reads other values, if it reads the text before as this one does. */
function wrongByOther(
  parse: SampleKind['parse'],
  texts: readonly [before: string, after: string],
  contents: readonly [before: FileContent, after: FileContent],
): string | undefined {
  if (!parse) return undefined
  const values = ({ blocks }: FileContent): unknown => {
    const { items, ...props } = blocks[0]?.props ?? {}
    return Array.isArray(items) && Object.keys(props).length === 0 ? items : { ...blocks[0]?.props }
  }
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  const isSame = (n: 0 | 1): boolean => {
    try {
      return isDeepStrictEqual(plain(parse(texts[n].replace(/^\uFEFF/, ''))), plain(values(contents[n])))
    } catch {
      return false
    }
  }
  return isSame(0) && !isSame(1) ? 'another parser reads other values' : undefined
}

/** What begins a comment. */
const marks = /#|\/\/|\/\*|<!--/

function wrongIn(kind: FileKind, text: string, now: string, edit: ChanceEdit): string | undefined {
  const { start, end } = sharedEnds(text, now)
  const read = kind.read(now)
  if ('unreadable' in read) return 'the new text is unreadable'
  const shown = ({ blocks }: Pick<FileContent, 'blocks'> | Reading) =>
    blocks.map(({ type, props }) => [type, props])
  if (!isDeepStrictEqual(shown(read), shown(edit.after))) return 'it is read as something else'
  if (!now.startsWith(text.slice(0, edit.from))) return `what is before ${edit.from} differs`
  if (!now.endsWith(text.slice(edit.to))) return `what is behind ${edit.to} differs`
  const gone = text.split(marks).length - now.split(marks).length
  if (edit.keepsMarks === true && gone > 0) return `${gone} comments are gone`
  const removed = text.length - start - end
  return edit.most !== undefined && removed > edit.most ? `${removed} characters are gone` : undefined
}

type Make = (reading: Reading, before: FileContent, chance: Chance) => ChanceEdit | undefined

const withBlock = (before: FileContent, at: number, props: FileBlock['props']): FileContent => ({
  ...before,
  blocks: before.blocks.map((block, n) => (n === at ? { ...block, props } : block)),
})

/** The positions of blocks of some types. */
const places = (reading: Reading, types: readonly string[]): readonly number[] =>
  reading.blocks.flatMap(({ type, fixed }, n) => (types.includes(type) && fixed === undefined ? [n] : []))

/** Parts of a text in Markdown that are no words: code, markup, addresses, expressions. */
const noWords =
  /`+[^`]*`+|<[^>]*>|\]\([^)]*\)|\]\[[^\]]*\]|\[[^\]]*\]:.*|https?:\S+|\{\{.*?\}\}|\{[^}]*\}|&\w+;|^ *\d+[.)]|[\w.-]+@\S+|www\.\S+|\\\w/gm

const words: Make = (reading, before, chance) => {
  const at = chance.one(places(reading, ['Heading', 'Paragraph', 'List']))
  const block = at === undefined ? undefined : reading.blocks[at]
  if (at === undefined || !block) return undefined
  const text = String(block.props['text'])
  const plain = text.replaceAll(noWords, (part) => '\0'.repeat(part.length))
  const word = chance.one([...plain.matchAll(/\p{L}[\p{L}\p{N}]+/gu)])
  if (!word) return undefined
  const now = chance.one(['changed', 'größer', '日本', 'two words', '👋', "it's"]) ?? ''
  const changed = text.slice(0, word.index) + now + text.slice(word.index + word[0].length)
  const after = withBlock(before, at, { ...block.props, text: changed })
  return { name: 'words', after, from: block.from, to: block.to, most: word[0].length }
}

/** A text of a template. */
const literal: Make = (reading, before, chance) => {
  const [block] = reading.blocks
  const rows = (block?.props['texts'] ?? []) as readonly { readonly kind: string; readonly text: string }[]
  const at = chance.below(rows.length)
  const row = rows[at]
  if (!block || !row) return undefined
  const isAddress = row.kind === 'href' || row.kind === 'src'
  const now = isAddress
    ? '/a/"b"?c=1&d'
    : chance.one(['Words', `${row.text} {{ a }} <b>`, `& ${row.text}`, '日本 👋'])
  const texts = rows.with(at, { ...row, text: now ?? '' })
  return {
    name: 'text',
    after: withBlock(before, 0, { texts }),
    from: block.from,
    to: block.to,
    most: row.text.length * 8 + 20,
  }
}

const text: Make = (reading, before, chance) => {
  if (reading.blocks[0]?.type === 'Texts') return literal(reading, before, chance)
  const at = chance.one(places(reading, ['Quote', 'Code', 'Table', 'Image', 'Heading', 'Paragraph', 'Links']))
  const block = at === undefined ? undefined : reading.blocks[at]
  if (at === undefined || !block) return undefined
  const { props, type, from, to } = block
  const [head = [], ...rows] = (props['rows'] ?? []) as readonly (readonly string[])[]
  const now = {
    Quote: { text: `${String(props['text'])}\n\nmore **words**` },
    Code: { text: `${String(props['text'])}\n\n\tconst a = \`\`\`b\`\`\`\n` },
    Table: { rows: [head, ...rows, head.map(() => 'a | b')] },
    Links: { links: newLinks((props['links'] ?? []) as readonly NamedLink[]) },
    Image: { alt: 'An [image] of "it"', title: 'T' },
    Heading: { level: ((props['level'] as number) % 4) + 1 },
    Paragraph: { text: `A new sentence with [a link](https://example.com).\n${String(props['text'])}` },
  }[type]
  return { name: 'text', after: withBlock(before, at, { ...props, ...now }), from, to }
}

interface NamedLink {
  readonly label: string
  readonly href: string
  readonly title: string
}

/** The first address changes, the last one goes if there are others, and one more comes. */
const newLinks = ([first, ...others]: readonly NamedLink[]): readonly (NamedLink | undefined)[] => [
  first && { ...first, href: 'https://example.com/a(b)', title: 'A "title"' },
  ...others.slice(0, -1),
  { label: 'added', href: '../x y.md', title: '' },
]

/** A place in values: the names and positions that lead to it. */
type Path = readonly (string | number)[]

function pathsIn(value: unknown, isWanted: (value: unknown) => boolean, path: Path = []): readonly Path[] {
  const own = isWanted(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return own
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, each]) =>
      pathsIn(each, isWanted, [...path, Array.isArray(value) ? Number(name) : name]),
    ),
  ]
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((each: unknown, step) => (each as Record<string, unknown>)[step], value)

function withValue(value: unknown, [step, ...rest]: Path, now: unknown): unknown {
  if (step === undefined) return now
  const copy = structuredClone(value) as Record<string, unknown>
  const next = withValue(copy[step], rest, now)
  if (next === undefined) delete copy[step]
  else copy[step] = next
  return copy
}

/** A list that is a file has no keys of its own: its block has it as `items`. */
const isFileOfRows = ({ blocks: [block] }: Reading): boolean =>
  block?.type === 'Data' && Object.keys(block.props).join() === 'items' && Array.isArray(block.props['items'])

/** Makes an edit of a value in data or front matter. */
const inValues =
  (
    name: EditName,
    isWanted: (value: unknown) => boolean,
    change: (value: unknown, chance: Chance) => unknown,
  ): Make =>
  (reading, before, chance) => {
    const at = chance.one(places(reading, ['Data', 'Details']))
    const block = at === undefined ? undefined : reading.blocks[at]
    if (at === undefined || !block) return undefined
    const paths = pathsIn(block.props, isWanted)
    const path = chance.one(isFileOfRows(reading) ? paths.filter(({ length }) => length > 0) : paths)
    if (!path) return undefined
    const was = valueAt(block.props, path)
    const now = change(was, chance)
    const props = withValue(block.props, path, now) as FileBlock['props']
    const [old = '', next = ''] = [was, now].map((value) => JSON.stringify(value))
    // A comment goes with the row or key on whose line it is.
    const isMore = name === 'scalar' || next.length >= old.length
    const keepsMarks = isMore && !marks.test(old)
    return { name, after: withBlock(before, at, props), from: block.from, to: block.to, keepsMarks }
  }

const texts = [
  'No',
  'a: b',
  "it's",
  'x # y',
  '12',
  '2026-01-02',
  '👋 größer',
  'שלום',
  '- a',
  '"q"',
  '@x',
  '',
  ' a ',
  'null',
  '[a',
  'a\nb\n',
]

const scalar = inValues(
  'scalar',
  (value) => ['string', 'number', 'boolean'].includes(typeof value),
  (value, chance) => {
    if (typeof value === 'number') return value + 1 + chance.below(5)
    if (typeof value === 'boolean') return !value
    return chance.below(2) === 0 ? `${String(value)} more` : chance.one(texts)
  },
)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const key = inValues('key', isObject, (value, chance) => {
  const object = value as Record<string, unknown>
  const name = chance.below(2) === 0 ? undefined : chance.one(Object.keys(object))
  if (name !== undefined) return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))
  return { ...object, addedKey: chance.one<unknown>(['text', 1, true, ['a', 'b'], { a: { b: 'c' } }]) }
})

const row = inValues(
  'row',
  (value) => Array.isArray(value),
  (value, chance) => {
    const rows = value as readonly unknown[]
    const at = chance.below(rows.length + 1)
    if (chance.below(2) === 0 || rows.length < 2) return rows.toSpliced(at, 0, rows[0] ?? 'new')
    const rest = rows.toSpliced(at, 1)
    return chance.below(2) === 0
      ? rest
      : rest.toSpliced(chance.below(rest.length + 1), 0, ...rows.slice(at, at + 1))
  },
)

const nodePlaces = (reading: Reading): readonly number[] =>
  reading.blocks.flatMap(({ type }, n) => (['Details', 'Data', 'Texts'].includes(type) ? [] : [n]))

/** Makes an edit of the order of nodes: all from one place on may differ, and lie elsewhere. */
const inNodes =
  (
    name: EditName,
    change: (blocks: readonly FileBlock[], at: number, to: number) => readonly FileBlock[],
  ): Make =>
  (reading, before, chance) => {
    const all = nodePlaces(reading)
    const [at, to] = [chance.one(all), chance.one(all)]
    if (at === undefined || to === undefined || (name === 'move' && at === to)) return undefined
    const first = reading.blocks[Math.max(0, Math.min(at, to) - 1)]
    const last = reading.blocks[Math.min(reading.blocks.length - 1, Math.max(at, to) + 1)]
    return {
      name,
      after: { ...before, blocks: change(before.blocks, at, to) },
      from: first?.from ?? 0,
      to: last?.to ?? 0,
    }
  }

const moved = (blocks: readonly FileBlock[], at: number, to: number) =>
  blocks.toSpliced(at, 1).toSpliced(to, 0, ...blocks.slice(at, at + 1))

const edits: Readonly<Record<EditName, Make>> = {
  words,
  text,
  scalar,
  key,
  row,
  add: inNodes('add', (blocks, at) =>
    blocks.toSpliced(at, 0, {
      id: 'new',
      type: 'Paragraph',
      props: { text: 'A new paragraph, with *words*.' },
    }),
  ),
  move: inNodes('move', moved),
  copy: inNodes('copy', (blocks, at, to) =>
    blocks.toSpliced(to, 0, ...blocks.slice(at, at + 1).map((block) => ({ ...block, id: 'copy' }))),
  ),
  remove: inNodes('remove', (blocks, at) => blocks.toSpliced(at, 1)),
}
