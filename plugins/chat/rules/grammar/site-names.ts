import type { Page, SiteConfig } from '../../../content/model.ts'
import { navLabelOf } from '../../../content/navigation.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { home, seedFromWords } from '../../../content/slugs.ts'
import { labelledRows, titlesOf } from '../resolve/titles.ts'
import { tableOfRows, wordsIn, type PhraseRow, type PhraseTable } from './phrase-table.ts'

/** What is called by its own name on a site and may be meant in a message: pages, sections, rows. Made when it is first asked for. */
export interface SiteNames {
  pages(): PhraseTable<readonly string[]>
  headings(): PhraseTable<readonly string[]>
  rows(): PhraseTable<readonly string[]>
}

/** Collects the names on a site that begin with a word that is said. */
export function createSiteNames(pages: readonly Page[], config: SiteConfig, said: ReadonlySet<string>): SiteNames {
  const tableOf = (kind: keyof SiteIndex) => {
    let table: PhraseTable<readonly string[]> | undefined
    return () => (table ??= tableOfRows(namesSaid(indexOf(pages, config)[kind]()), (same) => same))
  }
  return { pages: tableOf('pages'), headings: tableOf('headings'), rows: tableOf('rows') }

  function namesSaid(index: NameIndex): readonly Name[] {
    return [...said].flatMap((word) => index.get(word) ?? [])
  }
}

/** All names of a site, each kind collected when it is first asked for. */
type SiteIndex = Readonly<Record<'pages' | 'headings' | 'rows', () => NameIndex>>

const knownSites = new WeakMap<readonly Page[], { readonly config: SiteConfig; readonly index: SiteIndex }>()

/** A message is read many times, to see what may be suggested: the names on the site are collected once. */
function indexOf(pages: readonly Page[], config: SiteConfig): SiteIndex {
  const known = knownSites.get(pages)
  if (known?.config === config) return known.index
  const once = (make: () => NameIndex) => {
    let made: NameIndex | undefined
    return () => (made ??= make())
  }
  const index: SiteIndex = {
    pages: once(() => joined([...pages.map((page) => namesOn(page).own), indexed(pages.flatMap((page) => labelsOf(page, config)))])),
    headings: once(() => joined(pages.map((page) => namesOn(page).titles))),
    rows: once(() => joined(pages.map((page) => namesOn(page).labels))),
  }
  knownSites.set(pages, { config, index })
  return index
}

function joined(indexes: readonly NameIndex[]): NameIndex {
  const all = new Map<string, Name[]>()
  for (const index of indexes) {
    for (const [word, names] of index) {
      const known = all.get(word)
      if (known) for (const name of names) known.push(name)
      else all.set(word, [...names])
    }
  }
  return all
}

/** A name is what its words say: what is called so is looked up where it is needed. */
type Name = PhraseRow<readonly string[]>

/** Names by their first word. */
type NameIndex = ReadonlyMap<string, readonly Name[]>

interface PageNames {
  readonly own: NameIndex
  readonly titles: NameIndex
  readonly labels: NameIndex
}

const knownPages = new WeakMap<Page, PageNames>()

/** What a page, its blocks and their rows are called; read once, because a message is read in many ways. */
function namesOn(page: Page): PageNames {
  const known = knownPages.get(page)
  if (known) return known
  const made = {
    own: indexed(namesOf(page, {})),
    titles: indexed(page.blocks.flatMap(titlesOf).filter(isShort)),
    labels: indexed(page.blocks.flatMap(labelledRows).flatMap(({ labels }) => labels).filter(isShort)),
  }
  knownPages.set(page, made)
  return made
}

function indexed(texts: readonly string[]): NameIndex {
  const names = [...new Set(texts)].map((text): Name => ({ words: wordsIn(text), value: [] })).filter(({ words }) => words.length > 0)
  return Map.groupBy(names, ({ words }) => words[0] ?? '')
}

/** The names that a page goes by: its title, its menu label, the words of its slug. */
export function namesOf({ slug, title }: Page, config: SiteConfig): readonly string[] {
  return [title, ...labelsOf({ slug }, config), navLabelOf(slug), ...(slug === home ? [] : [slug.slice(1).replace(/[-_/]+/g, ' ')])]
}

function labelsOf({ slug }: Pick<Page, 'slug'>, { navLabels }: SiteConfig): readonly string[] {
  const label = ownValue(navLabels, slug)
  return label ? [label] : []
}

/** Tells whether a page is called so, whatever the case. */
export function isNamed(page: Page, config: SiteConfig, name: string): boolean {
  const wanted = seedFromWords(name)
  return wanted !== '' && (seedsOf(page).has(wanted) || labelsOf(page, config).some((label) => seedFromWords(label) === wanted))
}

const knownSeeds = new WeakMap<Page, ReadonlySet<string>>()

function seedsOf(page: Page): ReadonlySet<string> {
  const seeds = knownSeeds.get(page) ?? new Set(namesOf(page, {}).map(seedFromWords))
  knownSeeds.set(page, seeds)
  return seeds
}

const isShort = (text: string) => text.length <= 120
