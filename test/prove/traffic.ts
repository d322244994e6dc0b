import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { ask, read, Unanswered, type Reply, type Way } from './ask.ts'
import { choose, look, type Editor, type Intent, type ProvenDraft } from './editors.ts'

const Applied = v.object({ status: v.literal('applied'), previewVersion: v.number() })
const Refused = v.object({ code: v.string(), reason: v.string(), currentVersion: v.optional(v.number()) })

/** Milliseconds that an editor waits before it tries again what the store refused. */
const afterRefusal = 5

/** Everybody at work. */
export interface Traffic {
  /** Resolves when every editor has stopped: because they were told to, or because nobody answers any more. */
  readonly over: Promise<void>
  /** Lets everybody finish what they have begun. */
  stop(): void
}

/** Lets the editors of some drafts work at once, each over a connection of its own. */
export function startTraffic(port: number, drafts: readonly ProvenDraft[]): Traffic {
  const stopping = new AbortController()
  const over = Promise.all(
    drafts.flatMap(({ editors }) => editors).map(async (editor) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      try {
        while (!stopping.signal.aborted) await workOnce({ port, agent }, editor)
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
      } finally {
        agent.destroy()
      }
    }),
  )
  // Whoever awaits `over` later still learns of it.
  over.catch(() => undefined)
  return { over: over.then(() => undefined), stop: () => stopping.abort() }
}

async function workOnce(to: Way, editor: Editor): Promise<void> {
  const { slugs, version } = await look(to, editor.draft)
  const intent = choose(editor, slugs, version)
  editor.pending = intent
  const floor = editor.draft.seen
  const reply = await ask(to, intent.wish)
  editor.pending = undefined
  note(editor, intent, { reply, floor })
  if (editor.refusedInRow > 0) await pause(afterRefusal)
}

/**
 * Notes what a change was answered with; `floor` is the newest version that was known when it was asked for.
 *
 * Throws at an answer that no editor may get.
 */
export function note(editor: Editor, intent: Intent, { reply, floor }: { readonly reply: Reply; readonly floor: number }): void {
  const { draft } = editor
  const { edit, expect, key } = intent
  if (reply.status !== 200) return noteRefusal(editor, intent, { reply, floor })
  const { previewVersion: version } = read(reply, Applied)
  if (version <= floor) throw new Error(`version ${version} was answered after version ${floor}`)
  if (expect !== undefined && version !== expect + 1) throw new Error(`a change of version ${expect} became version ${version}`)
  if (draft.acknowledged.has(version)) throw new Error(`version ${version} was answered twice, the second time for ${edit.kind}`)
  draft.acknowledged.set(version, intent)
  draft.seen = Math.max(draft.seen, version)
  editor.answered++
  editor.refusedInRow = 0
  if (key !== undefined) editor.kept = { intent, reply }
}

function noteRefusal(editor: Editor, { edit, expect }: Intent, { reply, floor }: { readonly reply: Reply; readonly floor: number }): void {
  const { code, reason, currentVersion = 0 } = read(reply, Refused, reply.status)
  if (code === `nothing_to_${edit.kind}` && reply.status === 400) return
  if (code === 'version_mismatch' && reply.status === 409 && expect !== undefined && currentVersion >= floor) return
  const isFull = code === 'store_unavailable' && reply.status === 503 && reply.headers['retry-after'] !== undefined
  if (!isFull || !/free some space|full/.test(reason)) throw new Error(`${edit.kind} was refused: ${reply.status} ${reply.text}`)
  editor.refused++
  editor.refusedInRow++
}
