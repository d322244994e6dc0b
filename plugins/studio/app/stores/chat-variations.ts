/** Other contents for one block, to choose from. */
import { stream } from '../service.ts'
import { working } from './chat.ts'
import { addTurn, update } from './chat-kept.ts'
import { ended, type About, type Result } from './chat-turn.ts'
import { slug } from './draft.ts'
import { draftId } from './site.ts'

const message = 'Show three variations'

/** Asks for variations of a block. Their texts come first, their pictures as they are found. */
export async function askVariations(about: About): Promise<void> {
  const id = addTurn({ message, about, asksVariations: true })
  const body = { ...draftId.value, slug: slug.value, message, activeBlockId: about.blockId }
  await working(id, async (signal) => {
    for await (const { data } of stream('POST /chat/variations/stream', { body, signal }))
      if (data.event === 'error') update(id, (turn) => ({ ...turn, failure: data.error }))
      else if (data.event === 'image_resolved')
        update(id, (turn) => ({ ...turn, result: turn.result && withPatch(turn.result, data) }))
      else update(id, (turn) => ({ ...turn, ...ended(turn, data) }))
  })
}

const withPatch = (
  result: Result,
  {
    variationId,
    patch,
    changedKeys,
  }: { variationId: string; patch: Record<string, unknown>; changedKeys: string[] },
): Result => ({
  ...result,
  variations: (result.variations ?? []).map((each) =>
    each.id === variationId ? { ...each, patch, changedKeys } : each,
  ),
})
