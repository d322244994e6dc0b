import type { Block, Page, Props, SiteConfig } from '../../content/model.ts'
import { navLabelOf } from '../../content/navigation.ts'
import { isPlainObject, ownValue } from '../../content/plain-object.ts'
import { home, seedFromWords } from '../../content/slugs.ts'
import { type PhraseTable, toPhraseTable, wordsIn } from '../message/phrases.ts'

const titleProps = ['heading', 'title', 'text', 'quote', 'siteName']
const labelProps = ['title', 'label', 'q', 'quote', 'author', 'heading', 'value', 'caption']

/** The texts that a block may be called by, its title first. */
export const titlesOf = ({ props }: Block): readonly string[] => textsIn(props, titleProps)

/** The texts that a row may be called by. */
export const labelsOfRow = (row: Props): readonly string[] => textsIn(row, labelProps)

const textsIn = (props: Props, names: readonly string[]): readonly string[] =>
  names.map((name) => props[name]).filter((value) => typeof value === 'string').filter((text) => text.trim() !== '')

/** A row of a list and the texts it may be called by. */
export interface LabelledRow {
  readonly listKey: string
  readonly index: number
  readonly row: Props
  readonly labels: readonly string[]
}

/** Every row of every list of a block. */
export function labelledRows({ props }: Block): readonly LabelledRow[] {
  return Object.entries(props).flatMap(([listKey, rows]) => (Array.isArray(rows) ? rows : []).flatMap((row, index) =>
    (isPlainObject(row) ? [{ listKey, index, row, labels: labelsOfRow(row) }] : [])))
}

/** The names that a page goes by: its title, its menu label, the words of its slug. */
export function namesOfPage({ slug, title }: Page, config: SiteConfig): readonly string[] {
  const label = ownValue(config.navLabels, slug)
  return [title, ...(label ? [label] : []), navLabelOf(slug), ...(slug === home ? [] : [slug.slice(1).replace(/[-_/]+/g, ' ')])]
}

/** Tells whether a page is called so, whatever the case. */
export function isPageNamed(page: Page, config: SiteConfig, name: string): boolean {
  const wanted = seedFromWords(name)
  return wanted !== '' && namesOfPage(page, config).some((own) => seedFromWords(own) === wanted)
}

export type NameKind = 'page' | 'block' | 'row'

/** What is called by a name of its own on a site. Pages are read once, and searched by the words that are said. */
export function namesOn(pages: readonly Page[], config: SiteConfig): PhraseTable<NameKind> {
  const byWord = new Map<string, PhraseTable<NameKind>>()
  return {
    find(tokens, at) {
      const word = tokens[at]?.word ?? ''
      const table = byWord.get(word) ?? toPhraseTable(word === '' ? [] : pages.flatMap((page) => [...(namesOf(page).get(word) ?? []), ...menuLabel(page, config)]))
      byWord.set(word, table)
      return table.find(tokens, at)
    },
  }
}

type Entry = readonly [name: string, kind: NameKind]

const menuLabel = ({ slug }: Page, { navLabels }: SiteConfig): readonly Entry[] => (ownValue(navLabels, slug) ? [[ownValue(navLabels, slug) ?? '', 'page']] : [])

const known = new WeakMap<Page, ReadonlyMap<string, readonly Entry[]>>()

function namesOf(page: Page): ReadonlyMap<string, readonly Entry[]> {
  const names = known.get(page) ?? Map.groupBy(namesIn(page), ([name]) => wordsIn(name)[0] ?? '')
  known.set(page, names)
  return names
}

const longestName = 120

function* namesIn(page: Page): Generator<Entry> {
  for (const name of namesOfPage(page, {})) yield [name, 'page']
  for (const block of page.blocks) {
    for (const title of titlesOf(block)) if (title.length <= longestName) yield [title, 'block']
    for (const { labels } of labelledRows(block)) for (const label of labels) if (label.length <= longestName) yield [label, 'row']
  }
}
