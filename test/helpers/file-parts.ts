/**
 * The files of a website, read in a second way, which knows nothing of the first: a document is its front
 * matter and parts between empty lines. A page is known by the first word of its heading, and a part by its
 * first word.
 */
import { createRequire } from 'node:module'
import type { Page } from '../../plugins/content/page.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import type { Content } from './play-edits.ts'
import { noon } from './publishing.ts'
import { orderName, type Tree, type Value } from './tree.ts'

const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown }

type Block = Page['blocks'][number]
type Values = Readonly<Record<string, unknown>>

/** A document as bytes: its front matter with both fences, its parts, and what is behind each. */
export interface PartedText {
  readonly front: string
  readonly parts: readonly string[]
  readonly gaps: readonly string[]
}

export function documentOf(text: string): PartedText {
  const front = /^---\r?\n[^]*?\n---\r?\n(?:\r?\n)*/.exec(text)?.[0] ?? ''
  const pieces = text.slice(front.length).split(/((?:\r?\n){2,}|\r?\n$)/)
  const parts = pieces.filter((each, n) => n % 2 === 0 && each !== '')
  return { front, parts, gaps: pieces.filter((_, n) => n % 2 === 1) }
}

/** The text of a document whose parts are others; each has an empty line behind it. */
export function textOfDocument({ front, parts }: Pick<PartedText, 'front' | 'parts'>): string {
  const end = front.includes('\r\n') || parts.some((part) => part.includes('\r\n')) ? '\r\n' : '\n'
  return front + parts.join(end + end) + end
}

export const endOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

/** The first word of a text with a number in it. */
export const wordOf = (text: string): string => /[a-z]+\d+/.exec(text)?.[0] ?? ''

/** The name of a part of a document within its page. */
export function partName({ type, props }: Pick<Block, 'type' | 'props'>): string {
  if (type === 'Heading' && props['level'] === 1) return 'head'
  return ['Details', 'Data'].includes(type) ? type.toLowerCase() : wordOf(String(props['text']))
}

export function blockOf(raw: string): Pick<Block, 'type' | 'props'> {
  const part = raw.replaceAll('\r\n', '\n')
  const [, marks, heading] = /^(#+) (.*)$/.exec(part) ?? []
  if (marks !== undefined) return { type: 'Heading', props: { level: marks.length, text: heading } }
  if (part.startsWith('- ')) return { type: 'List', props: { text: part } }
  if (part.startsWith('> ')) return { type: 'Quote', props: { text: part.replaceAll(/^> /gm, '') } }
  if (part.startsWith('<!--')) return { type: 'Source', props: { text: part } }
  const [, language, text] = /^```(.*)\n([^]*)\n```$/.exec(part) ?? []
  if (text !== undefined) return { type: 'Code', props: { language, text } }
  return { type: 'Paragraph', props: { text: part } }
}

const valuesIn = (front: string): Values =>
  front === '' ? {} : (load(front.replaceAll(/^---\r?$/gm, '')) as Values)

const slugOf = (path: string): string => `/~${path}`

/** The page of a file; `undefined` for one that cannot be read. */
export function pageOfFile(path: string, text: string): Page | undefined {
  const page = { id: path, slug: slugOf(path), title: path, updatedAt: noon }
  try {
    if (path.endsWith('.json')) {
      const props = JSON.parse(text) as Values
      return { ...page, blocks: [{ id: 'data', type: 'Data', props }] }
    }
    const { front, parts } = documentOf(text)
    const { title, description, ...details } = valuesIn(front)
    const blocks = parts.map((part, n) => ({ id: `part ${n}`, ...blockOf(part) }))
    const hasDetails = Object.keys(details).length > 0
    return {
      ...page,
      title: typeof title === 'string' ? title : '',
      ...(typeof description === 'string' && { meta: { description } }),
      blocks: hasDetails ? [{ id: 'details', type: 'Details', props: details }, ...blocks] : blocks,
    }
  } catch {
    return undefined
  }
}

/** Pages whose front matter has no title: it follows their heading. */
export const untitled: ReadonlySet<string> = new Set(['delta', 'team'])

/** The name of a page. */
export function nameOfPage({ slug, blocks }: Pick<Page, 'slug' | 'blocks'>): string {
  const heading = blocks.find((block) => block.type === 'Heading')?.props['text']
  return typeof heading === 'string'
    ? (heading.split(' ', 1)[0] ?? '')
    : (/(\w+)\.\w+$/.exec(slug)?.[1] ?? '')
}

const valueOf = (value: unknown): Value =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, valueOf(each)]))
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)

/** Returns what names the pages and blocks of content, and remembers the names of ids. */
export function createFileNames() {
  const names = new Map<string, string>()

  function pageTree(page: Page): Tree {
    const name = nameOfPage(page)
    const blocks = page.blocks.map(({ id, type, props }): [string, Value] => {
      const own = `${name}-${partName({ type, props })}`
      names.set(id, own)
      const values = Object.entries(props).filter(([, value]) => value !== undefined)
      return [
        `block ${own}`,
        { type, ...Object.fromEntries(values.map(([key, value]) => [key, valueOf(value)])) },
      ]
    })
    const twice = blocks.find(([own], n) => blocks.findIndex(([other]) => other === own) !== n)
    if (twice) throw new Error(`${page.slug} has ${twice[0]} twice`)
    const description = page.meta?.description
    return {
      slug: page.slug,
      ...(!untitled.has(name) && { title: page.title }),
      meta: description ? { description } : {},
      [orderName]: blocks.map(([own]) => own),
      ...Object.fromEntries(blocks),
    }
  }

  return {
    nameOf: nameOfPage,
    blockName: (id: string): string => names.get(id) ?? id,
    /** The files have no order and no settings. */
    treeOf({ pages }: Pick<Content, 'pages'>): Tree {
      const named = pages.map((page): [string, Tree] => [`page ${nameOfPage(page)}`, pageTree(page)])
      return { [orderName]: named.map(([name]) => name).toSorted(), ...Object.fromEntries(named), config: {} }
    },
  }
}

// ---- bytes

/**
 * The lines of front matter by the names of their values; those of comments between two values by themselves.
 */
function linesOf(front: string): ReadonlyMap<string, string> {
  const all = front.split('\n')
  const isOfValue = (line: string): boolean => /^(?:[ \t]|- )/.test(line)
  const lines = new Map<string, string>()
  let name = ''
  for (const [at, line] of all.entries()) {
    const next = all.slice(at).find((each) => !each.startsWith('#')) ?? ''
    name = /^([\w-]+):/.exec(line)?.[1] ?? (isOfValue(next) ? name : line)
    lines.set(name, `${lines.get(name) ?? ''}${line}\n`)
  }
  return lines
}

/** Returns what differs in the text of a page although its value is the same, or although it was not edited. */
export function unaskedChanges(path: string, [before, after]: readonly [string, string]): readonly string[] {
  const [was, is] = [pageOfFile(path, before), pageOfFile(path, after)]
  if (!was || !is) return before === after ? [] : [`${path} was unreadable, and has changed`]
  const valuesOf = ({ title, meta, blocks }: Page) => JSON.stringify([title, meta, blocks])
  if (valuesOf(was) === valuesOf(is)) return before === after ? [] : [`${path} differs without an edit`]
  if (path.endsWith('.json')) return otherLines(before, after)
  const [old, now] = [documentOf(before), documentOf(after)]
  const named = (parts: readonly string[]) => parts.map((part) => partName(blockOf(part)))
  const [oldNames, newNames] = [named(old.parts), named(now.parts)]
  const problems: string[] = []
  for (const [n, name] of newNames.entries()) {
    const at = oldNames.indexOf(name)
    const [part = '', raw = ''] = [old.parts[at], now.parts[n]]
    if (at !== -1 && part !== raw && JSON.stringify(blockOf(part)) === JSON.stringify(blockOf(raw)))
      problems.push(`the bytes of ${name} differ`)
    const areNeighbours = at !== -1 && oldNames[at + 1] !== undefined && oldNames[at + 1] === newNames[n + 1]
    const areLast = at === oldNames.length - 1 && n === newNames.length - 1
    if ((areNeighbours || areLast) && old.gaps[at] !== now.gaps[n])
      problems.push(`what is behind ${name} differs`)
  }
  const [oldLines, newLines] = [linesOf(old.front), linesOf(now.front)]
  const [oldValues, newValues] = [old, now].map(({ front }) => valuesIn(front))
  for (const [name, lines] of oldLines)
    if (
      JSON.stringify(oldValues?.[name]) === JSON.stringify(newValues?.[name]) &&
      newLines.get(name) !== lines
    )
      problems.push(`the lines of ${name.trim()} differ`)
  if (endOf(before) === '\r\n' && after.replaceAll('\r\n', '').includes('\n'))
    problems.push('it has line ends of two kinds')
  return problems
}

/** The lines of data that differ although their value is the same. */
function otherLines(before: string, after: string): readonly string[] {
  const [was, is] = [before, after].map((text) => JSON.parse(text) as Values)
  return before.split('\n').flatMap((line) => {
    const name = /^ {2}"(\w+)":/.exec(line)?.[1]
    const isSame = name === undefined || JSON.stringify(was?.[name]) === JSON.stringify(is?.[name])
    // A comma comes behind the last line where a key is added.
    const isThere = after.split('\n').some((each) => each.replace(/,$/, '') === line.replace(/,$/, ''))
    return isSame && !isThere ? [`the line ${line} is gone`] : []
  })
}
