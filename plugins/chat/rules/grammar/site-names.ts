import type { Page, SiteConfig } from '../../../content/model.ts'
import { navLabelOf } from '../../../content/navigation.ts'
import { ownValue } from '../../../content/plain-object.ts'
import { home, seedFromWords } from '../../../content/slugs.ts'
import { labelledRows, titlesOf } from '../resolve/titles.ts'
import { mergeNames, toPhraseTable, type PhraseTable } from './phrase-table.ts'

/** What is called by its own name on a site: pages, sections, rows. Made when it is first asked for. */
export interface SiteNames {
  pages(): PhraseTable<readonly string[]>
  headings(): PhraseTable<readonly string[]>
  rows(): PhraseTable<readonly string[]>
}

export function createSiteNames(pages: readonly Page[], config: SiteConfig): SiteNames {
  const tableOf = (entries: () => Iterable<readonly [string, readonly string[]]>) => {
    let table: PhraseTable<readonly string[]> | undefined
    return () => (table ??= toPhraseTable(entries(), mergeNames))
  }
  const blocks = () => pages.flatMap((page) => page.blocks)
  return {
    pages: tableOf(() => pages.flatMap((page) => namesOf(page, config).map((name) => [name, [page.slug]] as const))),
    headings: tableOf(() => blocks().flatMap(titlesOf).filter(isShort).map((title) => [title, [title]] as const)),
    rows: tableOf(() => blocks().flatMap((block) => labelledRows(block).flatMap(({ labels }) => labels))
      .filter(isShort).map((label) => [label, [label]] as const)),
  }
}

/** The names that a page goes by: its title, its menu label, the words of its slug. */
export function namesOf({ slug, title }: Page, config: SiteConfig): readonly string[] {
  const label = ownValue(config.navLabels, slug)
  return [title, ...(label ? [label] : []), navLabelOf(slug), ...(slug === home ? [] : [slug.slice(1).replace(/[-_/]+/g, ' ')])]
}

/** Tells whether a page is called so, whatever the case. */
export function isNamed(page: Page, config: SiteConfig, name: string): boolean {
  const wanted = seedFromWords(name)
  return wanted !== '' && namesOf(page, config).some((own) => seedFromWords(own) === wanted)
}

const isShort = (text: string) => text.length <= 120
