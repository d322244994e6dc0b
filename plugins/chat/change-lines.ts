import type { NameSource } from '../content/naming.ts'
import type { Operation } from '../content/operations/index.ts'
import type { Page } from '../content/page.ts'

/** Writes one sentence per applied operation, with the site's block names; `pages`: old and new pages. */
export async function changeLines(
  ops: readonly Operation[],
  { pages, ...source }: NameSource & { readonly pages: readonly Page[] },
): Promise<readonly string[]> {
  const changes = await import('./texts/changes.ts')
  return changes.changeLines(ops, 'done', source, pages)
}
