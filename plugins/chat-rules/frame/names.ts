import { Lru } from '../../../kernel/index.ts'
import type { Block, Page, Props, SiteConfig } from '../../content/model.ts'
import { navLabelOf } from '../../content/navigation.ts'
import { isPlainObject, ownValue, perObject } from '../../content/plain-object.ts'
import { home, seedFromWords } from '../../content/slugs.ts'
import { type PhraseTable, toPhraseTable, wordsIn } from '../message/phrases.ts'

const titleProps = ['heading', 'title', 'text', 'quote', 'siteName']
const labelProps = ['title', 'label', 'q', 'quote', 'author', 'heading', 'value', 'caption']

/** The texts that may name a block, its title first. */
export const titlesOf = ({ props }: Block): readonly string[] => textsIn(props, titleProps)

/** The texts that may name a row, including the first name of its author. */
export function labelsOfRow(row: Props): readonly string[] {
  const firstNames = textsIn(row, ['author']).flatMap((author) => author.trim().split(/\s+/).slice(0, -1).slice(0, 1))
  return [...textsIn(row, labelProps), ...firstNames]
}

const textsIn = (props: Props, names: readonly string[]): readonly string[] =>
  names.map((name) => props[name]).filter((value) => typeof value === 'string').filter((text) => text.trim() !== '')

/** Every row of every list of a block, and the texts that may name it. */
export function labelledRows({ props }: Block) {
  return Object.entries(props).flatMap(([listKey, rows]) => (Array.isArray(rows) ? rows : []).flatMap((row, index) =>
    (isPlainObject(row) ? [{ listKey, index, row, labels: labelsOfRow(row) }] : [])))
}

/** The names of a page: its title, its menu label, the words of its slug. */
function namesOfPage({ slug, title }: Page, config: SiteConfig): readonly string[] {
  const label = ownValue(config.navLabels, slug)
  return [title, ...(label ? [label] : []), navLabelOf(slug), ...(slug === home ? [] : [slug.slice(1).replace(/[-_/]+/g, ' ')])]
}

/** Whether a page has a name, ignoring case. */
export function isPageNamed(page: Page, config: SiteConfig, name: string): boolean {
  const wanted = seedFromWords(name)
  return wanted !== '' && namesOfPage(page, config).some((own) => seedFromWords(own) === wanted)
}

export type NameKind = 'page' | 'block' | 'row' | 'button'

/** The names on a site. Pages are indexed once, and searched by the words of messages. */
export const namesOn = (pages: readonly Page[], { navLabels = noLabels }: SiteConfig): PhraseTable<NameKind> => namesIn(pages)(navLabels)

const noLabels: NonNullable<SiteConfig['navLabels']> = {}
/** Words per site; a message looks up some tens. */
const mostWords = 500

/** Shared by all messages to one version of a draft. */
const namesIn = perObject((pages: readonly Page[]) => perObject((navLabels: typeof noLabels): PhraseTable<NameKind> => {
  const byWord = new Lru<string, PhraseTable<NameKind>>(mostWords)
  const labels = byFirstWord(pages.flatMap(({ slug }): readonly Entry[] => {
    const label = ownValue(navLabels, slug)
    return label ? [[label, 'page']] : []
  }))
  return {
    find(tokens, at) {
      const word = tokens[at]?.word ?? ''
      const table = byWord.get(word) ?? toPhraseTable(word === '' ? [] : [...indexesOf(pages), labels].flatMap((index) => index.get(word) ?? []))
      byWord.set(word, table)
      return table.find(tokens, at)
    },
  }
}))

type Entry = readonly [name: string, kind: NameKind]

const longestName = 120

/** By their first word. */
type Index = ReadonlyMap<string, readonly Entry[]>

const byFirstWord = (names: readonly Entry[]): Index => Map.groupBy(names.filter(([name]) => name.length <= longestName), ([name]) => wordsIn(name)[0] ?? '')

/** Cached by block and by page: an edit leaves most of them unchanged. */
const indexOfBlock = perObject((block: Block): Index => byFirstWord([
  ...titlesOf(block).map((title): Entry => [title, 'block']), ...textsIn(block.props, ['ctaText', 'secondaryCtaText']).map((text): Entry => [text, 'button']),
  ...labelledRows(block).flatMap(({ labels }) => labels.map((label): Entry => [label, 'row'])),
]))

const indexOfPage = perObject((page: Page): Index => mergeIndexes([byFirstWord(namesOfPage(page, {}).map((name) => [name, 'page'])), ...page.blocks.map(indexOfBlock)]))

function mergeIndexes(indexes: readonly Index[]): Index {
  const all = new Map<string, Entry[]>()
  for (const index of indexes) {
    for (const [word, entries] of index) {
      const same = all.get(word)
      if (same) same.push(...entries)
      else all.set(word, [...entries])
    }
  }
  return all
}

/** Pages per merged index: an edit rebuilds only the index of its group. */
const groupSize = 32

const indexesOf = perObject((pages: readonly Page[]): readonly Index[] => {
  if (pages.length <= groupSize) return pages.map(indexOfPage)
  return Array.from({ length: Math.ceil(pages.length / groupSize) }, (_, at) => indexOfGroup(pages.slice(at * groupSize, (at + 1) * groupSize)))
})

/** By the first page of each group. */
const groups = new WeakMap<Page, { readonly pages: readonly Page[]; readonly index: Index }>()

function indexOfGroup(pages: readonly Page[]): Index {
  const [first] = pages
  const known = first && groups.get(first)
  if (known?.pages.length === pages.length && pages.every((page, at) => page === known.pages[at])) return known.index
  const index = mergeIndexes(pages.map(indexOfPage))
  if (first) groups.set(first, { pages, index })
  return index
}
