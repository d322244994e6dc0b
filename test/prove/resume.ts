import * as v from 'valibot'
import { ask, read } from './ask.ts'
import { step } from './choose.ts'
import type { Editor, ProvenDraft } from './editors.ts'
import { home } from './pages.ts'
import type { Landed } from './settle.ts'
import { request } from './traffic.ts'

const Version = v.object({ previewVersion: v.number() })

/**
 * Repeats requests under their Idempotency-Key: those without an answer, and the last answered one of each editor.
 *
 * What has landed is answered with the version it became, what has not is applied now, once; what was answered is
 * answered the same. Gives how many were repeated, and throws where this does not hold.
 */
export async function repeatRequests(port: number, draft: ProvenDraft, landed: Landed): Promise<number> {
  let repeated = 0
  for (const editor of draft.editors) {
    const { kept } = editor
    if (kept) {
      const { status, text } = await ask({ port }, kept.intent.wish)
      if (status !== 200 || text !== kept.reply.text) throw new Error(`${text} came after ${kept.reply.text}`)
      repeated++
    }
    if (await repeatPending(port, editor, landed.get(editor))) repeated++
  }
  return repeated
}

/** Says whether there was something to repeat; `version` is what it has become before. */
async function repeatPending(port: number, editor: Editor, version: number | undefined): Promise<boolean> {
  const { pending } = editor
  editor.pending = undefined
  if (pending?.key === undefined) return false
  const isNew = version === undefined
  const reply = isNew ? await request({ port }, editor, pending) : await ask({ port }, pending.wish)
  if (!isNew && read(reply, Version).previewVersion !== version) {
    throw new Error(`version ${version} was repeated as ${reply.text}`)
  }
  const again = await ask({ port }, pending.wish)
  if (reply.status === 200 && again.text !== reply.text) throw new Error(`${again.text} came after ${reply.text}`)
  return true
}

/**
 * Lets each editor take the newest change of a page back, where there is one, and bring it again. Gives how many
 * steps were taken.
 */
export async function stepBackAndForth(port: number, draft: ProvenDraft): Promise<number> {
  let steps = 0
  for (const editor of draft.editors) {
    const slug = home(editor.own)
    if (!draft.model.can('undo', slug)) continue
    for (const kind of ['undo', 'redo'] as const) {
      const reply = await request({ port }, editor, step(draft, kind, slug))
      if (reply.status !== 200) throw new Error(`${kind} of ${slug} came to ${reply.status}: ${reply.text}`)
      steps++
    }
  }
  return steps
}
