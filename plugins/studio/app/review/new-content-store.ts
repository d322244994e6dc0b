/** The content of pages and blocks that are new, read when it is shown. */
import { signal } from '@preact/signals'
import { readPage, type Page } from '../stores/draft.ts'

/** The pages that were read, by slug. */
export const pagesRead = signal<ReadonlyMap<string, Page>>(new Map())

/** Reads a page; one that went meanwhile stays away. */
export async function loadContent(slug: string): Promise<void> {
  const answer = await readPage(slug).catch(() => undefined)
  if (answer) pagesRead.value = new Map([...pagesRead.value, [slug, answer.read]])
}
