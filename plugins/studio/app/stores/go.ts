import { sentenceOf } from '../service.ts'
import { openPage, page, slug } from './draft.ts'
import { select } from './selection.ts'
import { say } from './toast.ts'
import { openSide, view } from './ui.ts'

interface Destination {
  readonly slug?: string | undefined
  readonly blockId?: string | undefined
  readonly path?: string | undefined
}

/** Shows a page, else the one that is open, and selects what is named on it, with its fields. */
export async function go({ slug: next = slug.value, blockId, path }: Destination): Promise<void> {
  view.value = 'edit'
  try {
    // Also a page that is still being read: what is named on it is found there.
    if (next !== page.value?.slug) await openPage(next)
    select(blockId === undefined ? undefined : { blockId, path })
    if (blockId !== undefined) openSide('fields')
  } catch (error) {
    say(sentenceOf(error))
  }
}
