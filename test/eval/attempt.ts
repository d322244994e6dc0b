import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import type { Ask } from '../../kernel/testing.ts'
import { ChatResult } from '../../plugins/chat/port.ts'
import type { Page } from '../../plugins/content/page.ts'
import { editor } from '../helpers/stack.ts'
import { asksForChange, looksAtOps, statusesOf, type Case } from './case.ts'
import { readDraft, type Snapshot } from './draft.ts'

/** What became of a message. */
export interface Attempt {
  readonly status: ChatResult['status']
  readonly summary: string
  readonly opTypes: readonly string[]
  readonly opCount: number
  /** The operations of a plan that waited; none where nobody had to ask for them. */
  readonly ops: readonly unknown[]
  readonly before: Snapshot
  /** Right after the message. */
  readonly after: Snapshot
  /** In the end: after the plan was approved, where one waited that had been asked for. */
  readonly outcome: Snapshot
  /** `null` where nobody knows the price. */
  readonly estimatedUsd: number | null
}

export interface Asking {
  readonly ask: Ask
  /** The pages that the draft begins with. */
  readonly pages: readonly Page[]
  readonly modelKey?: string | undefined
}

const Plan = v.looseObject({ ops: v.array(v.unknown()) })

/**
 * Says the message of a case in a session of its own, and looks at the draft before and after.
 *
 * Only a plan that waits shows its operations. Where a case is about them, the message is planned first, and the plan is
 * approved unless it would have waited anyway. Throws when the service answers with something else than a result.
 */
export async function attempt(wanted: Case, { ask, pages, modelKey }: Asking): Promise<Attempt> {
  const client = editor(ask, { session: wanted.id, siteId: 'eval' })
  expectOk(await client.bootstrap(pages))
  const before = await readDraft(client)
  const { slug, message, activeBlockId, activeEditablePath } = wanted
  const isPlanned = looksAtOps(wanted) && statusesOf(wanted).includes('applied')
  const said = resultOf(await client.send('/chat', { slug, message, activeBlockId, activeEditablePath, modelKey, ...(isPlanned && { executionMode: 'plan_only' }) }))
  const { summary, debug: { opTypes = [], opCount = 0, estimatedUsd = 0 } } = said
  const after = await readDraft(client)
  const facts = { summary, opTypes, opCount, estimatedUsd, before, after }
  if (said.pendingPlanId === undefined || !asksForChange(wanted)) return { ...facts, status: said.status, ops: [], outcome: after }

  const { ops } = v.parse(Plan, expectOk(await client.get(`/chat/plans/${said.pendingPlanId}`)).json())
  const approved = resultOf(await client.send('/chat', { slug, executionMode: 'apply_pending_plan', pendingPlanId: said.pendingPlanId }))
  const wouldWait = !isPlanned || said.destructiveReasons !== undefined
  return { ...facts, status: wouldWait ? said.status : approved.status, ops, outcome: await readDraft(client) }
}

function expectOk(answer: Injected): Injected {
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}: ${answer.text}`)
  return answer
}

/** A failure is a result too; a refusal of the request is none. */
function resultOf(answer: Injected): ChatResult {
  const { success, output } = v.safeParse(ChatResult, answer.json())
  if (!success) throw new Error(`the service answered ${answer.status}: ${answer.text}`)
  return output
}
