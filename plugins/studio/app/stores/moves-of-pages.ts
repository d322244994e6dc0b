/** Goes along with pages that get another address, with all that is typed on them. */
import { batch, computed, signal } from '@preact/signals'
import { lastShown, slug, takeAlong } from './draft.ts'
import { newestChanges } from './gone.ts'
import { authorOf } from './log.ts'
import type { PageRename } from './place.ts'
import { say } from './toast.ts'
import { carryTyped } from './typed.ts'
import { carryUnsaved, offered } from './unsaved.ts'

/** Who has moved a page that was shown, and where to. */
const move = signal({ by: '', to: '', key: 0 })
/** Says who has moved the shown page, while it is there: a message would be replaced by the next one. */
export const sentenceOfMove = computed(() => {
  const { by, to, key } = move.value
  const isShown = to === slug.value && key === lastShown.value.key
  return isShown ? `${by} moved this page to ${to}` : undefined
})
/** The moves since the frame has shown its page: it has the address from before until it is loaded again. */
export const movesInFrame = signal<readonly PageRename[]>([])

/** Goes along with the renames of a change, and says who has moved the shown page. */
export function goAlong(renames: readonly PageRename[], version: number): void {
  const before = slug.peek()
  batch(() => {
    movesInFrame.value = [...movesInFrame.peek(), ...renames]
    takeAlong(renames)
    carryTyped(renames)
    carryUnsaved(renames, version)
  })
  if (slug.peek() !== before) void sayMoved(slug.peek()).catch(() => undefined)
}

async function sayMoved(to: string): Promise<void> {
  const isMove = ({ renamed }: Awaited<ReturnType<typeof newestChanges>>[number]): boolean =>
    renamed?.some((each) => each.to === to) === true
  const entry = (await newestChanges()).find(isMove)
  const by = entry && authorOf(entry)
  if (by === undefined || by === 'You') return
  move.value = { by, to, key: lastShown.peek().key }
  say(`${by} moved this page to ${to}`)
}

/** Goes along with the renames since a version, of which no event has come. */
export async function catchUp(since: number): Promise<void> {
  for (const { version, renamed } of (await newestChanges()).toReversed())
    if (renamed && version > since) goAlong(renamed, version)
}

/** Takes the texts that earlier page loads have left along with the pages that have moved since. */
export async function catchUpUnsaved(): Promise<void> {
  if (offered.peek().length === 0) return
  for (const { version, renamed } of (await newestChanges()).toReversed())
    if (renamed) carryUnsaved(renamed, version)
}
