import type { Manifest } from '../../content/model.ts'
import type { Operation } from '../../content/operations/index.ts'
import type { Page } from '../../content/page.ts'

/** Writes a sentence for every operation that was done, with the names that people and the site give to blocks; `pages` are those before and after. */
export async function changeLines(ops: readonly Operation[], { locale, manifest, pages }: {
  readonly locale: string
  readonly manifest?: Manifest | undefined
  readonly pages: readonly Page[]
}): Promise<readonly string[]> {
  const [{ textsIn }, { blockWords }] = await Promise.all([import('./index.ts'), import('./change-line.ts')])
  const texts = textsIn(locale)
  const wordsFor = blockWords({ texts, manifest }, pages)
  return ops.map((op) => texts.change({ op, ...wordsFor(op), tense: 'done' }))
}
