import type { Page, SiteConfig } from '../content/model.ts'
import { home } from '../content/slugs.ts'
import { namesOfPage } from './frame/names.ts'
import { splitName } from './frame/vocabulary.ts'
import { languages } from './language/index.ts'

/** The names that people have for a page, in every language. */
export const namesForPage = (page: Page, config: SiteConfig): readonly string[] =>
  [...namesOfPage(page, config), ...(page.slug === home ? languages.flatMap(({ words }) => words.home) : [])]

/** The names that people have for the blocks of a type, in every language. */
export const namesForType = (type: string, displayName = type): readonly string[] =>
  [...languages.flatMap(({ blockNouns }) => blockNouns[type] ?? []), displayName, splitName(type)]

/** What words mean that name rows, fields and places in a list, in every language; for readers of requests for images. */
export const nounsOfLanguages = {
  blocks: languages.flatMap(({ blockNouns }) => Object.entries(blockNouns).flatMap(([type, names]) => names.map((name) => ({ name, type })))),
  rows: languages.flatMap(({ rowNouns }) => rowNouns.flatMap(({ one, many, lists }) => [...one.map((name) => ({ name, lists, isMany: false })), ...many.map((name) => ({ name, lists, isMany: true }))])),
  fields: languages.flatMap(({ fieldNouns }) => fieldNouns.flatMap(([props, words]) => words.map((word) => ({ word: word.toLowerCase(), props })))),
  ordinals: new Map(languages.flatMap(({ ordinals }) => Object.entries(ordinals))),
}
