/** What a person can do with an answer of the chat; each change is one line of the history. */
import { change } from '../edit/intents.ts'
import { sayChanged, undoLine } from '../edit/undo-line.ts'
import { ask, askVariations, run } from './chat-store.ts'
import { update } from '../stores/chat-conversation.ts'
import { plan, planTurn, ticks } from '../stores/chat-plan.ts'
import type { ChatResult, Turn } from '../stores/chat-turn.ts'

/** Keeps the focus in the conversation when the button that has it goes away. */
function stayInTalk(): void {
  const talk = document.querySelector<HTMLElement>('.talk')
  if (talk?.contains(document.activeElement)) talk.focus({ preventScroll: true })
}

/** Applies the ticked operations of the plan that waits. */
export async function applyPlan(): Promise<void> {
  const [waiting, turn, numbers] = [plan.value, planTurn.value, [...ticks.value].toSorted((a, b) => a - b)]
  if (!waiting || !turn || numbers.length === 0) return
  stayInTalk()
  const request = { executionMode: 'apply_pending_plan', pendingPlanId: waiting.id, acceptedOps: numbers }
  const { version } = (await run(turn.id, request)) ?? {}
  if (version !== undefined)
    sayChanged(numbers.length === 1 ? '1 change applied' : `${numbers.length} changes applied`, version)
}

export async function discardPlan(): Promise<void> {
  stayInTalk()
  const pendingPlanId = plan.value?.id
  if (planTurn.value) await run(planTurn.value.id, { executionMode: 'discard_pending_plan', pendingPlanId })
}

/** Asks what a button offers: a suggestion, or an earlier message again. */
export async function askFor({ message, about, files, asksVariations }: Omit<Turn, 'id'>): Promise<void> {
  stayInTalk()
  await (asksVariations && about ? askVariations(about) : ask({ message, about, files }))
}

/** Undoes the change of a turn; nothing is left to undo then. */
export async function undoTurn({ id, version = 0 }: Turn): Promise<void> {
  stayInTalk()
  if (await undoLine(version)) update(id, (turn) => ({ ...turn, version: undefined }))
}

/** Plans anew for the page as it is; while a plan waits, the service answers the same message with it. */
export async function planAgain(turn: Turn): Promise<void> {
  await discardPlan()
  await askFor(turn)
}

type Variation = NonNullable<ChatResult['variations']>[number]

export async function applyVariation(turn: Turn, { title, patch }: Variation): Promise<void> {
  const { blockId, pageSlug } = turn.result ?? {}
  const applied = await change(`${title} applied`, [{ op: 'update_props', pageSlug, blockId, patch }])
  if (applied) update(turn.id, (each) => ({ ...each, version: applied.previewVersion }))
}
