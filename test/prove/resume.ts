import * as v from 'valibot'
import { ask, read } from './ask.ts'
import type { Editor, Intent, ProvenDraft } from './editors.ts'
import { note } from './traffic.ts'

const Version = v.object({ previewVersion: v.number() })

/**
 * Repeats requests under their Idempotency-Key: those without an answer, and the last answered one of each editor.
 *
 * What has landed is answered with the version it became, what has not is applied now, once; what was answered is
 * answered the same. Gives how many were repeated, and throws where this does not hold.
 */
export async function repeatRequests(port: number, draft: ProvenDraft, landed: ReadonlyMap<Editor, number>): Promise<number> {
  let repeated = 0
  for (const editor of draft.editors) {
    const { pending, kept } = editor
    editor.pending = undefined
    if (kept) {
      const { status, text } = await ask({ port }, kept.intent.wish)
      if (status !== 200 || text !== kept.reply.text) throw new Error(`an answer changed from ${kept.reply.text} to ${text}`)
      repeated++
    }
    if (pending?.key === undefined) continue
    const floor = draft.seen
    const reply = await ask({ port }, pending.wish)
    const version = landed.get(editor)
    if (version === undefined) note(editor, pending, { reply, floor })
    else if (read(reply, Version).previewVersion !== version) throw new Error(`version ${version} was repeated as ${reply.text}`)
    const again = await ask({ port }, pending.wish)
    if (reply.status === 200 && again.text !== reply.text) throw new Error(`${again.text} came after ${reply.text}`)
    repeated++
  }
  return repeated
}

/** Lets each editor take the newest change of a page back, where there is one, and bring it again. */
export async function stepBackAndForth(port: number, draft: ProvenDraft): Promise<number> {
  let steps = 0
  for (const editor of draft.editors) {
    const slug = `${editor.own}-home`
    if (!draft.model.can('undo', slug)) continue
    for (const kind of ['undo', 'redo'] as const) {
      const floor = draft.seen
      const wish = { method: 'POST', path: `/history/${kind}`, body: { ...draft.at, slug } } as const
      const intent: Intent = { edit: { kind, slug }, wish, key: undefined, expect: undefined }
      const reply = await ask({ port }, wish)
      if (reply.status !== 200) throw new Error(`${kind} of ${slug} came to ${reply.status}: ${reply.text}`)
      note(editor, intent, { reply, floor })
      steps++
    }
  }
  return steps
}
