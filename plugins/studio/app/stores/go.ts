import { sentenceOf } from '../service.ts'
import { openPage, slug } from './draft.ts'
import { select } from './selection.ts'
import { say } from './toast.ts'
import { view } from './ui.ts'

/** Shows a page, and selects what is named on it. */
export async function go(to: {
  readonly slug: string
  readonly blockId?: string | undefined
  readonly path?: string | undefined
}): Promise<void> {
  view.value = 'edit'
  if (to.slug !== slug.value) await openPage(to.slug).catch((error: unknown) => say(sentenceOf(error)))
  select(to.blockId === undefined ? undefined : { blockId: to.blockId, path: to.path })
}
