import type { Block, Page, SiteConfig } from '../../../content/model.ts'
import { navLabelOf } from '../../../content/navigation.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { home, seedFromWords } from '../../../content/slugs.ts'
import { labelledRows, titlesOf } from '../resolve/titles.ts'
import { mergeNames, tableOfRows, wordsIn, type PhraseRow, type PhraseTable } from './phrase-table.ts'

/** What is called by its own name on a site and may be meant in a message: pages, sections, rows. Made when it is first asked for. */
export interface SiteNames {
  pages(): PhraseTable<readonly string[]>
  headings(): PhraseTable<readonly string[]>
  rows(): PhraseTable<readonly string[]>
}

/** Collects the names on a site that begin with a word that is said. */
export function createSiteNames(pages: readonly Page[], config: SiteConfig, said: ReadonlySet<string>): SiteNames {
  const tableOf = (namesOn: (page: Page) => Iterable<readonly Name[]>) => {
    let table: PhraseTable<readonly string[]> | undefined
    return () => (table ??= tableOfRows(pages.flatMap((page) => namesSaid(namesOn(page))), mergeNames))
  }
  return {
    pages: tableOf((page) => [ownNamesOf(page), toNames(labelsOf(page, config), page.slug)]),
    headings: tableOf(({ blocks }) => blocks.map((block) => namesIn(block).titles)),
    rows: tableOf(({ blocks }) => blocks.map((block) => namesIn(block).labels)),
  }

  function namesSaid(all: Iterable<readonly Name[]>): readonly Name[] {
    const found: Name[] = []
    for (const names of all) for (const name of names) if (said.has(name.words[0] ?? '')) found.push(name)
    return found
  }
}

type Name = PhraseRow<readonly string[]>

/** The words of texts, as names of the same thing, or of themselves. */
function toNames(texts: readonly string[], meant?: string): readonly Name[] {
  return texts.map((text) => ({ words: wordsIn(text), value: [meant ?? text] })).filter(({ words }) => words.length > 0)
}

interface BlockNames {
  readonly titles: readonly Name[]
  readonly labels: readonly Name[]
}

const knownBlocks = new WeakMap<Block, BlockNames>()
const knownPages = new WeakMap<Page, readonly Name[]>()

/** What a block and its rows are called; read once, because an edit leaves most blocks as they are. */
function namesIn(block: Block): BlockNames {
  const known = knownBlocks.get(block)
  if (known) return known
  const titles = toNames(titlesOf(block).filter(isShort))
  const names = { titles, labels: toNames(labelledRows(block).flatMap(({ labels }) => labels).filter(isShort)) }
  knownBlocks.set(block, names)
  return names
}

function ownNamesOf(page: Page): readonly Name[] {
  const names = knownPages.get(page) ?? toNames(namesOf(page, {}), page.slug)
  knownPages.set(page, names)
  return names
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
  return wanted !== '' && namesOf(page, config).some((own) => seedFromWords(own) === wanted)
}

const isShort = (text: string) => text.length <= 120
