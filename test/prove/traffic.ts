import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { ask, read, Unanswered, type Reply, type RequestTarget } from './ask.ts'
import { choose } from './choose.ts'
import { look, type Editor, type Intent, type ProvenDraft } from './editors.ts'

/** Milliseconds that an editor waits after a refusal of the store, and before it repeats a request. */
const afterRefusal = 5
const beforeRepeat = 50

/** Running editors. */
export interface Traffic {
  /** Resolves when every editor has stopped, after `stop` or because the service is gone. */
  readonly over: Promise<void>
  /** Stops the editors after their current request. */
  stop(): void
}

/**
 * Lets the editors of some drafts work concurrently, each over a separate connection. `next` is the target of the next
 * request. An editor stops when a change gets no answer; with `repeats`, one that has an Idempotency-Key is requested
 * again instead.
 */
export function startTraffic(
  next: () => RequestTarget,
  drafts: readonly ProvenDraft[],
  { repeats = false }: { readonly repeats?: boolean } = {},
): Traffic {
  const stopping = new AbortController()
  const mayRepeat = ({ key }: Intent) => repeats && key !== undefined && !stopping.signal.aborted
  const work = async (editor: Editor): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      while (!stopping.signal.aborted && !editor.pending)
        await workOnce(() => ({ ...next(), agent }), editor, mayRepeat).catch(unlessUnanswered)
    } finally {
      agent.destroy()
    }
  }
  const over = Promise.all(drafts.flatMap(({ editors }) => editors).map(work)).then(() => undefined)
  // Prevents an unhandled rejection before it is awaited.
  over.catch(() => undefined)
  return { over, stop: () => stopping.abort() }
}

async function unlessUnanswered(error: unknown): Promise<void> {
  if (!(error instanceof Unanswered)) throw error
  await pause(afterRefusal)
}

async function workOnce(
  to: () => RequestTarget,
  editor: Editor,
  mayRepeat: (intent: Intent) => boolean,
): Promise<void> {
  const { draft } = editor
  const intent = choose(editor, await look(to(), draft))
  const floor = draft.seen
  editor.pending = intent
  let reply: Reply | undefined
  while (!reply)
    try {
      reply = await ask(to(), intent.request)
    } catch (error) {
      if (!(error instanceof Unanswered) || !mayRepeat(intent)) throw error
      editor.repeated++
      await pause(beforeRepeat)
    }
  note(editor, intent, { reply, floor })
  editor.pending = undefined
  if (editor.refusedInRow > 0) await pause(afterRefusal)
}

/** Requests a change and records the response. Throws on an unexpected one. */
export async function request(to: RequestTarget, editor: Editor, intent: Intent): Promise<Reply> {
  const floor = editor.draft.seen
  const reply = await ask(to, intent.request)
  note(editor, intent, { reply, floor })
  return reply
}

const Applied = v.object({ status: v.literal('applied'), previewVersion: v.number() })

/** A response, with the newest version known when it was requested. */
export interface ReadOutcome {
  readonly reply: Reply
  readonly floor: number
}

/** Records the response to a change. Throws on an unexpected one. */
export function note(editor: Editor, intent: Intent, { reply, floor }: ReadOutcome): void {
  const { draft } = editor
  const { expect, key } = intent
  if (reply.status !== 200) return noteRefusal(editor, intent, { reply, floor })
  const { previewVersion: version } = read(reply, Applied)
  if (version <= floor) throw new Error(`version ${version} was answered after version ${floor}`)
  if (expect !== undefined && version !== expect + 1)
    throw new Error(`version ${version} follows on ${expect}`)
  if (draft.acknowledged.has(version)) throw new Error(`version ${version} was answered twice`)
  draft.acknowledged.set(version, intent)
  draft.seen = Math.max(draft.seen, version)
  editor.answered++
  editor.refusedInRow = 0
  if (key !== undefined) editor.lastKeyed = { intent, reply }
}

const Refused = v.object({ code: v.string(), reason: v.string(), currentVersion: v.optional(v.number(), 0) })

function noteRefusal(editor: Editor, { edit, expect }: Intent, { reply, floor }: ReadOutcome): void {
  const { status, headers, text } = reply
  const { code, reason, currentVersion } = read(reply, Refused, status)
  if (status === 400 && code === `nothing_to_${edit.kind}`) return
  if (status === 409 && code === 'version_mismatch' && expect !== undefined && currentVersion >= floor) return
  const isFull = status === 503 && code === 'store_unavailable' && reason.includes('full')
  if (!isFull || headers['retry-after'] === undefined)
    throw new Error(`${edit.kind} was answered with ${status}: ${text}`)
  editor.refused++
  editor.refusedInRow++
}
