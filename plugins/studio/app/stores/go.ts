import { sentenceOf } from '../service.ts'
import { openPage, slug } from './draft.ts'
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
    if (next !== slug.value) await openPage(next)
    select(blockId === undefined ? undefined : { blockId, path })
    if (blockId !== undefined) openSide('fields')
  } catch (error) {
    say(sentenceOf(error))
  }
}
