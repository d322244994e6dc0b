/** Messages to the service, and what comes of them. */
import { computed, signal } from '@preact/signals'
import { ApiError, call, sentenceOf, stream } from '../service.ts'
import { displayNameOf } from '../stores/block-types.ts'
import { loadCost } from './chat-cost.ts'
import { addTurn, keepConversation, turns, update } from '../stores/chat-conversation.ts'
import { followPlan, loadPlan } from '../stores/chat-plan.ts'
import { after, ended, type MessageSubject, type Turn } from '../stores/chat-turn.ts'
import { openPage, slug } from '../stores/draft.ts'
import { selected, selectedBlock } from '../stores/selection.ts'
import { draftId } from '../stores/site.ts'
import { say } from '../stores/toast.ts'
import { side } from '../stores/ui.ts'
import { nameOfPath } from '../stores/words.ts'

/** The turn that runs. */
const running = signal<number | undefined>(undefined)
export const isBusy = computed(() => running.value !== undefined)

/** What the next message is about. */
export const messageSubject = computed((): MessageSubject | undefined => {
  const block = selectedBlock.value
  if (!block) return undefined
  const path = selected.value?.path
  const name = displayNameOf(block.type)
  const label = path === undefined ? name : `${name} · ${nameOfPath(block.type, path)}`
  return { blockId: block.id, path, name, label }
})

/** Asks for a change. A plan waits for approval; its operations can be ticked one by one. */
export async function ask({ message, about, files }: Pick<Turn, 'message' | 'about' | 'files'>) {
  await run(addTurn({ message, about, files }), {
    message,
    executionMode: 'plan_only',
    slug: slug.value,
    ...(about && { activeBlockId: about.blockId }),
    ...(about?.path !== undefined && { activeEditablePath: about.path }),
    ...(files && { attachments: files }),
  })
}

/** Runs a request of a turn, and returns the turn after it. */
export async function run(id: number, request: object): Promise<Turn | undefined> {
  await working(id, async (signal) => {
    const body = { ...draftId.value, ...request }
    const { streamId } = await call('POST /chat/start', { body: body as never, signal })
    update(id, (turn) => ({ ...turn, streamId }))
    await follow(id, streamId)
  })
  return turns.value.find((turn) => turn.id === id)
}

/** Asks for other contents of a block, to choose from. */
export async function askVariations(about: MessageSubject): Promise<void> {
  const message = 'Show three variations'
  const id = addTurn({ message, about, asksVariations: true })
  await working(id, async (signal) => {
    const body = { ...draftId.value, slug: slug.value, message, activeBlockId: about.blockId }
    const result = await call('POST /chat/variations', { body, signal })
    update(id, (turn) => ended(turn, result))
  })
}

let stopping = new AbortController()

/** Shows that a turn works, until it has ended. */
async function working(id: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  running.value = id
  stopping = new AbortController()
  const { signal } = stopping
  update(id, (turn) => ({ ...turn, step: 'Reading the page', failure: undefined }))
  try {
    await work(signal)
  } catch (error) {
    update(id, (turn) => ({ ...turn, failure: signal.aborted ? 'Stopped.' : sentenceOf(error) }))
  } finally {
    void loadCost().catch(() => undefined)
    await loadPlan().catch(() => undefined)
    running.value = undefined
    update(id, (turn) => ({ ...turn, step: undefined, seconds: undefined, streamId: undefined }))
  }
}

/** Follows a run from its first event on; the client continues a broken stream after the last event. */
async function follow(id: number, streamId: string): Promise<void> {
  const query = { ...draftId.value, streamId, afterSeq: '0' }
  for await (const { data } of stream('GET /chat/stream', { query })) update(id, (turn) => after(turn, data))
  const next = turns.value.find((turn) => turn.id === id)?.result?.updatedSlug
  if (next !== undefined && next !== slug.value) await openPage(next)
}

/** Asks the service to stop. What was streamed stays; the last event says what came of it. */
export async function stop(): Promise<void> {
  const streamId = turns.value.find(({ id }) => id === running.value)?.streamId
  if (streamId === undefined) return stopping.abort()
  try {
    const { status } = await call('POST /chat/cancel', { body: { ...draftId.value, streamId } })
    if (status === 'already_terminal') say('It was done before it could stop.')
  } catch (error) {
    say(sentenceOf(error))
  }
}

/** A turn that ended with the page: the service had not named its stream. */
const isCutOff = ({ step, streamId }: Turn): boolean => step !== undefined && streamId === undefined
const cutOff = { step: undefined, failure: 'The page was loaded again before the service answered.' }

/** Continues after a reload: with the run that goes on, or with the plan that waits. */
export async function resumeChat(): Promise<void> {
  keepConversation()
  followPlan()
  turns.value = turns.value.map((turn) => (isCutOff(turn) ? { ...turn, ...cutOff } : turn))
  const going = turns.value.find(({ streamId }) => streamId !== undefined)
  if (going?.streamId === undefined) return loadPlan()
  const { id, streamId } = going
  side.value = 'chat'
  update(id, ({ text: _text, ops: _ops, ...turn }) => turn)
  await working(id, async () => {
    try {
      await follow(id, streamId)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 410) throw error
      await loadPlan(id)
      update(id, (turn) =>
        turn.planId === undefined ? { ...turn, failure: 'The service has forgotten this message.' } : turn,
      )
    }
  })
}
