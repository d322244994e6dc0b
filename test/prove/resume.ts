import * as v from 'valibot'
import { ask, read } from './ask.ts'
import { step } from './choose.ts'
import type { Editor, ProvenDraft } from './editors.ts'
import { home } from './pages.ts'
import type { Landed } from './settle.ts'
import { request } from './traffic.ts'

const Version = v.object({ previewVersion: v.number() })

/**
 * Repeats requests with their Idempotency-Key: unanswered ones, and the last answered one of each editor.
 *
 * A committed request is answered with its version, another one is applied once, and an answered one is answered
 * the same. Returns the number of repeated requests, and throws on any other response.
 */
export async function repeatRequests(port: number, draft: ProvenDraft, landed: Landed): Promise<number> {
  let repeated = 0
  for (const editor of draft.editors) {
    const { lastKeyed } = editor
    if (lastKeyed) {
      const { status, text } = await ask({ port }, lastKeyed.intent.request)
      if (status !== 200 || text !== lastKeyed.reply.text)
        throw new Error(`${text} came after ${lastKeyed.reply.text}`)
      repeated++
    }
    if (await repeatPending(port, editor, landed.get(editor))) repeated++
  }
  return repeated
}

/** Repeats the unanswered request, if any; `version` is set if it was committed. */
async function repeatPending(port: number, editor: Editor, version: number | undefined): Promise<boolean> {
  const { pending } = editor
  editor.pending = undefined
  if (pending?.key === undefined) return false
  const isNew = version === undefined
  const reply = isNew ? await request({ port }, editor, pending) : await ask({ port }, pending.request)
  if (!isNew && read(reply, Version).previewVersion !== version) {
    throw new Error(`version ${version} was repeated as ${reply.text}`)
  }
  const again = await ask({ port }, pending.request)
  if (reply.status === 200 && again.text !== reply.text)
    throw new Error(`${again.text} came after ${reply.text}`)
  return true
}

/**
 * Lets each editor undo and redo the newest change of a page, where there is one. Returns the number of steps.
 */
export async function stepBackAndForth(port: number, draft: ProvenDraft): Promise<number> {
  let steps = 0
  for (const editor of draft.editors) {
    const slug = home(editor.own)
    if (!draft.model.can('undo', slug)) continue
    for (const kind of ['undo', 'redo'] as const) {
      const reply = await request({ port }, editor, step(draft, kind, slug))
      if (reply.status !== 200)
        throw new Error(`${kind} of ${slug} was answered with ${reply.status}: ${reply.text}`)
      steps++
    }
  }
  return steps
}
