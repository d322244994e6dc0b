/** Edits of the files of a website, of few places, so that they meet: by an editor in a draft, and by a developer. */
import type { Page } from '../../plugins/content/page.ts'
import { blockOf, documentOf, nameOfPage, pageOfFile, partName, textOfDocument } from './file-parts.ts'
import fc, { pick } from './property.ts'

/** A website with documents and data, in which most files have something that an edit could lose. */
export const firstFiles: Readonly<Record<string, string>> = {
  'hugo.toml': '',
  'content/alpha.md':
    '---\ntitle: alpha one   # the title\ntags: [one,   two]\n# A comment\nweight: 3\nseo:\n    note: "one"\n---\n\n' +
    '# alpha head one\n\na1 amber1 acorn1 azure1 agate1 arrow1, then b1 basin1 birch1 bison1 one\n\n' +
    '<!-- c1 candle1 copper1 one -->\n\n\n- d1 dune1 dell1 one\n\ne1 ebony1 elder1 one\n',
  'content/beta.md':
    "---\r\ndraft: false\r\ntitle: 'beta one'\r\ntags: [one]\r\n---\r\n# beta head one\r\n\r\n> f1 fern1 fir1 one\r\n\r\n" +
    'g1 grape1 green1 grey1 gold1 gilt1, then h1 hazel1 heath1 hill1 one\r\n\r\n\r\n```js\r\ni1 = ivy1 + iron1 + one\r\n```\r\n',
  'content/gamma.md':
    '---\ntitle: gamma one\n---\n# gamma head one\n\nj1 jade1 jet1 one\n\n## k1 kelp1 kiln1 one',
  'content/delta.md': '# delta head one\n\nl1 lime1 lake1\nlark1 one\n\nm1 moss1 mint1 one\n',
  'data/team.json': '{\n  "name": "one",\n  "age": 40,\n  "tags": ["one", "two"]\n}\n',
}

const page = pick('alpha', 'alpha', 'alpha', 'beta', 'beta', 'gamma', 'delta', 'last')
const value = pick('one', 'two', 'three')
const which = fc.nat({ max: 3 })
const to = fc.nat({ max: 3 })
const edit = <const K extends string, T extends object>(
  what: K,
  fields: { readonly [N in keyof T]: fc.Arbitrary<T[N]> },
) => fc.record<T>(fields).map((given) => ({ what, ...given }))

const keys = pick('tags', 'weight', 'seo', 'draft')
/** What both an editor and a developer do. */
const both = {
  word: edit('word', { page, which, value }),
  heading: edit('heading', { page, value }),
  add: edit('add', { page, to, value }),
  remove: edit('remove', { page, which }),
  move: edit('move', { page, which, to }),
  front: edit('front', { page, key: keys, value: fc.option(value, { nil: undefined, freq: 4 }) }),
  title: edit('title', { page, value }),
  description: edit('description', { page, value }),
  data: edit('data', { key: pick('name', 'age', 'tags'), value }),
  rename: edit('rename', { page, isMeeting: pick(false, false, true) }),
  create: edit('create', { value }),
  removePage: edit('remove page', { page: pick('gamma', 'delta', 'last') }),
}
const byEditors = {
  ...both,
  duplicate: edit('duplicate', { page, which, value }),
  copy: edit('copy', { page: pick('alpha', 'beta', 'gamma') }),
}
const byDevelopers = {
  ...both,
  split: edit('split', { page: pick('alpha', 'beta') }),
  comment: edit('comment', { page, value }),
  renameEdited: edit('rename edited', { page, which, value }),
  break: edit('break', { page }),
  mend: edit('mend', {}),
  ends: edit('ends', { page }),
  rewrite: edit('rewrite', { page }),
  revert: edit('revert', { page, age: fc.nat({ max: 4 }) }),
}
type EditOf<T> = { readonly [K in keyof T]: T[K] extends fc.Arbitrary<infer E> ? E : never }[keyof T]
export type EditorEdit = EditOf<typeof byEditors>
export type DeveloperEdit = EditOf<typeof byDevelopers>

const weights: Readonly<Record<string, number>> = { word: 9, add: 3, move: 4, front: 4, remove: 3 }
const oneOf = <T>(kinds: Readonly<Record<string, fc.Arbitrary<T>>>): fc.Arbitrary<T> =>
  fc.oneof(...Object.entries(kinds).map(([name, arbitrary]) => ({ weight: weights[name] ?? 2, arbitrary })))
export const anEditorEdit: fc.Arbitrary<EditorEdit> = oneOf<EditorEdit>(byEditors)
export const aDeveloperEdit: fc.Arbitrary<DeveloperEdit> = oneOf<DeveloperEdit>(byDevelopers)

/** A text whose last word is another one. */
const withWord = (text: string, word: string): string => text.replace(/\w+(?=\W*$)/, word)
const newText = (n: number, word: string): string => `n${n} new${n} next${n} ${word}`
/**
 * With it half of a new page stays where one of its parts is edited, so that it is found again where it
 * moves, too.
 */
const moreText = (n: number): string => `m${n} more${n} words${n}`
const dataOf = (key: string, word: string): unknown =>
  key === 'age' ? word.length + 40 : key === 'tags' ? [word, 'more'] : word
const detailOf = (key: string, word: string): unknown =>
  key === 'draft' ? word === 'two' : key === 'weight' ? word.length : key === 'seo' ? { note: word } : [word]

const originals = ['alpha', 'beta', 'gamma', 'delta', 'team']
/** The name of a page that is meant; `last` is the last one that was added. */
function named<T>(pages: readonly (readonly [name: string, T])[], name: string): T | undefined {
  const added = pages.filter(([each]) => !originals.includes(each))
  return name === 'last' ? added.at(-1)?.[1] : pages.find(([each]) => each === name)?.[1]
}

/** The place of one of the parts that can be removed and moved. */
function placeOf(parts: readonly Pick<Page['blocks'][number], 'type' | 'props'>[], which: number): number {
  const names = parts.map(partName)
  const open = names.filter((name) => !['head', 'details', 'data'].includes(name)).toSorted()
  return open.length === 0 ? -1 : names.indexOf(open[which % open.length] ?? '')
}

/** The path of a page that is renamed. */
const newPath = (isMeeting: boolean, n: number): string => `content/${isMeeting ? 'meet' : `to${n}`}.md`

/** The operations of an edit; none where it is not possible or changes nothing. */
export function operationsIn(edit: EditorEdit, pages: readonly Page[], n: number): readonly object[] {
  const all = pages.map((each) => [nameOfPage(each), each] as const)
  if (edit.what === 'create') {
    const name = `new${n}`
    const blocks = [
      { id: `b_head_${n}`, type: 'Heading', props: { level: 1, text: `${name} head one` } },
      { id: `b_${n}`, type: 'Paragraph', props: { text: newText(n, edit.value) } },
      { id: `b_more_${n}`, type: 'Paragraph', props: { text: moreText(n) } },
    ]
    return [{ op: 'create_page', page: { slug: `/~content/${name}.md`, title: name, blocks } }]
  }
  const own = named(all, edit.what === 'data' ? 'team' : edit.page)
  if (!own) return []
  const { slug: pageSlug, blocks } = own
  const set = (block: Page['blocks'][number] | undefined, patch: Readonly<Record<string, unknown>>) => {
    const isSame = Object.entries(patch).every(
      ([key, each]) => JSON.stringify(block?.props[key] ?? null) === JSON.stringify(each),
    )
    return !block || isSame ? [] : [{ op: 'update_props', pageSlug, blockId: block.id, patch }]
  }
  const details = blocks.find(({ type }) => type === 'Details')
  if (edit.what === 'data') return set(blocks[0], { [edit.key]: dataOf(edit.key, edit.value) })
  if (edit.what === 'front')
    return set(details, { [edit.key]: edit.value === undefined ? null : detailOf(edit.key, edit.value) })
  if (edit.what === 'title') {
    const newTitle = withWord(own.title, edit.value)
    return newTitle === own.title || nameOfPage(own) === 'delta'
      ? []
      : [{ op: 'rename_page', pageSlug, newTitle }]
  }
  if (edit.what === 'description')
    return own.meta?.description === edit.value
      ? []
      : [{ op: 'update_page_meta', pageSlug, patch: { description: edit.value } }]
  if (edit.what === 'rename') {
    const newPageSlug = `/~${newPath(edit.isMeeting, n)}`
    const isTaken = pages.some(({ slug }) => slug === newPageSlug)
    return isTaken ? [] : [{ op: 'rename_page', pageSlug, newPageSlug, newTitle: own.title }]
  }
  if (edit.what === 'remove page') return pages.length > 3 ? [{ op: 'remove_page', pageSlug }] : []
  if (edit.what === 'copy') return copyOf(own, n)
  if (edit.what === 'heading') {
    const head = blocks.find((block) => partName(block) === 'head')
    return set(head, { text: withWord(String(head?.props['text']), edit.value) })
  }
  const after =
    blocks[
      Math.max(
        blocks.findIndex((each) => partName(each) === 'head'),
        0,
      )
    ]
  const others = blocks.filter((each) => each !== details)
  if (edit.what === 'add') {
    const block = { id: `b_${n}`, type: 'Paragraph', props: { text: newText(n, edit.value) } }
    const afterBlockId = others[edit.to]?.id ?? after?.id
    return [{ op: 'add_block', pageSlug, block, afterBlockId }]
  }
  const block = blocks[placeOf(blocks, edit.which)]
  if (!block) return []
  const { id: blockId } = block
  if (edit.what === 'word') return set(block, { text: withWord(String(block.props['text']), edit.value) })
  if (edit.what === 'remove') return [{ op: 'remove_block', pageSlug, blockId }]
  if (edit.what === 'move') {
    const rest = others.filter((each) => each !== block)
    return [{ op: 'move_block', pageSlug, blockId, afterBlockId: (rest[edit.to] ?? after)?.id }]
  }
  const newBlockId = `b_${n}`
  const text = String(block.props['text']).replaceAll(/([a-z])\d+/g, `$1${n}`)
  return [
    { op: 'duplicate_block', pageSlug, blockId, newBlockId },
    { op: 'update_props', pageSlug, blockId: newBlockId, patch: { text: withWord(text, edit.value) } },
  ]
}

/** A copy of a page, whose heading then names another page. */
function copyOf({ slug, blocks }: Page, n: number): readonly object[] {
  const head = blocks.find((block) => partName(block) === 'head')
  const newPageSlug = `/~content/copy${n}.md`
  const text = String(head?.props['text']).replace(/^\w+/, `copy${n}`)
  return [
    { op: 'duplicate_page', pageSlug: slug, newPageSlug },
    { op: 'update_props', pageSlug: newPageSlug, blockId: `${head?.id}_copy`, patch: { text } },
  ]
}

// ---- a developer

export type Files = ReadonlyMap<string, string>
/** The files that differ after an edit; those without a text are gone. */
export type FileChanges = ReadonlyMap<string, string | undefined>

export interface Past {
  /** The files before earlier edits, the newest last. */
  readonly before: readonly Files[]
  /** The files that were made unreadable, as they were. */
  readonly broken: Map<string, string>
}

const inLineEnds = (text: string, change: (text: string) => string): string => {
  const changed = change(text.replaceAll('\r\n', '\n'))
  return text.includes('\r\n') ? changed.replaceAll('\n', '\r\n') : changed
}

/** What a developer writes; nothing where the edit is not possible. */
export function developed(edit: DeveloperEdit, files: Files, past: Past, n: number): FileChanges {
  if (edit.what === 'create') {
    const name = `dev${n}`
    const text = `---\ntitle: ${name}\n---\n\n# ${name} head one\n\n${newText(n, edit.value)}\n\n${moreText(n)}\n`
    return new Map([[`content/${name}.md`, text]])
  }
  if (edit.what === 'mend') {
    const all = new Map(past.broken)
    past.broken.clear()
    return all
  }
  const all = [...files].flatMap(([path, text]) => {
    const own = pageOfFile(path, text)
    return own && path !== 'hugo.toml' ? [[nameOfPage(own), { path, text, own }] as const] : []
  })
  const found = named(all, edit.what === 'data' ? 'team' : edit.page)
  if (!found) return new Map()
  const { path, text } = found
  const one = (next: string | undefined): FileChanges => (next === text ? new Map() : new Map([[path, next]]))
  if (edit.what === 'remove page') return all.length > 4 ? one(undefined) : new Map()
  if (edit.what === 'revert') {
    const before = past.before.at(-1 - edit.age)?.get(path)
    return before === undefined ? new Map() : one(before)
  }
  if (edit.what === 'rewrite') return new Map([[path, text]])
  if (edit.what === 'rename') {
    const next = newPath(edit.isMeeting, n)
    return files.has(next) || past.broken.has(next)
      ? new Map()
      : new Map([
          [path, undefined],
          [next, text],
        ])
  }
  if (edit.what === 'break') {
    if (!text.startsWith('---') || all.length <= 4) return new Map()
    past.broken.set(path, text)
    return one(text.replace(/^---\r?\n/, '$&a: [\n'))
  }
  if (edit.what === 'ends')
    return one(text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n'))
  const next = inLineEnds(text, (plain) => changedText(edit, plain, n))
  if (edit.what !== 'rename edited') return one(next)
  // A file of which less than half stays is another page: what was edited may be most of it.
  if (stayingIn(found.own, pageOfFile(path, next)) < 0.6) return new Map()
  return new Map([
    [path, undefined],
    [newPath(false, n), next],
  ])
}

/** How much of the larger of two readings of a page stays, by the lengths of lines and values. */
function stayingIn(before: Page, after: Page | undefined): number {
  const [was, is] = [before, after].map((page) =>
    (page?.blocks ?? []).flatMap(({ props }) =>
      Object.values(props).flatMap((value) =>
        typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)],
      ),
    ),
  )
  const lengthOf = (lines: readonly string[] = []) => lines.join('').length
  const stay = was?.filter((line) => is?.includes(line))
  return lengthOf(stay) / Math.max(lengthOf(was), lengthOf(is), 1)
}

function changedText(edit: DeveloperEdit, text: string, n: number): string {
  if (edit.what === 'data') {
    const value = JSON.stringify(dataOf(edit.key, edit.value)).replaceAll(',', ', ')
    return text.replace(new RegExp(`("${edit.key}": )(?:\\[.*?\\]|"\\w*"|\\d+)`), `$1${value}`)
  }
  const line = (name: string, next: string): string =>
    new RegExp(`^${name}:`, 'm').test(text)
      ? text.replace(new RegExp(`^${name}:.*\\n(?:(?!---)[ \\t-].*\\n)*`, 'm'), next)
      : next === '' || !text.startsWith('---')
        ? text
        : text.replace(/\n---\n/, `\n${next}---\n`)
  if (edit.what === 'title' && !text.startsWith('---')) return text
  if (edit.what === 'title') return text.replace(/^(title: '?\w+) ?\w*/m, `$1 ${edit.value}`)
  if (edit.what === 'description') return line('description', `description: ${edit.value}\n`)
  if (edit.what === 'comment')
    return text.startsWith('---')
      ? text.replace(/^(?:# .*\n)?(?=.*\n---\n)/m, `# ${edit.value} ${n}\n`)
      : text
  if (edit.what === 'front') {
    const { key, value } = edit
    if (value === undefined) return line(key, '')
    return line(key, `${key}: ${JSON.stringify(detailOf(key, value)).replace(':', ': ')}\n`)
  }
  const document = documentOf(text)
  const { front, parts, gaps } = document
  const withParts = (next: readonly string[]): string => textOfDocument({ front, parts: next })
  const replaced = (at: number, next: string): string =>
    front + parts.map((part, each) => (each === at ? next : part) + (gaps[each] ?? '')).join('')
  const blocks = parts.map(blockOf)
  if (edit.what === 'heading') {
    const at = blocks.findIndex((block) => partName(block) === 'head')
    return at === -1 ? text : replaced(at, withWord(parts[at] ?? '', edit.value))
  }
  if (edit.what === 'add') return withParts(parts.toSpliced(edit.to + 1, 0, newText(n, edit.value)))
  if (edit.what === 'split') {
    const at = parts.findIndex((part) => part.includes(', then '))
    const [first = '', second = ''] = (parts[at] ?? '').split(', then ')
    return at === -1 ? text : withParts(parts.toSpliced(at, 1, first, second))
  }
  if (!('which' in edit)) return text
  const at = placeOf(blocks, edit.which)
  const part = parts[at]
  if (part === undefined) return text
  if (edit.what === 'remove') return withParts(parts.toSpliced(at, 1))
  if (edit.what === 'move') return withParts(parts.toSpliced(at, 1).toSpliced(edit.to + 1, 0, part))
  return replaced(at, withWord(part, edit.value))
}
