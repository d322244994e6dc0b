import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import type { Ask } from '../../kernel/testing.ts'
import { ChatResult } from '../../plugins/chat/port.ts'
import type { Page } from '../../plugins/content/page.ts'
import { editor } from '../helpers/stack.ts'
import { asksForChange, looksAtOps, statusesOf, type Case } from './case.ts'
import { readDraft, type Snapshot } from './draft.ts'

/** Result of sending the message of a case. */
export interface Attempt {
  readonly status: ChatResult['status']
  readonly summary: string
  readonly opTypes: readonly string[]
  readonly opCount: number
  /** The operations of a pending plan; empty if they were not needed. */
  readonly ops: readonly unknown[]
  readonly before: Snapshot
  /** Directly after the message. */
  readonly after: Snapshot
  /** After the approval of a requested plan, if one was pending. */
  readonly outcome: Snapshot
  /** `null` if the price is unknown. */
  readonly estimatedUsd: number | null
}

export interface AttemptOptions {
  readonly ask: Ask
  /** The initial pages of the draft. */
  readonly pages: readonly Page[]
  readonly modelKey?: string | undefined
}

const Plan = v.looseObject({ ops: v.array(v.unknown()) })

/**
 * Sends the message of a case in a new session, and reads the draft before and after.
 *
 * Only a pending plan exposes its operations. For a case that checks them, the message is sent with
 * `plan_only` and the plan is approved. Throws when the service does not respond with a result.
 */
export async function attempt(wanted: Case, { ask, pages, modelKey }: AttemptOptions): Promise<Attempt> {
  const client = editor(ask, { session: wanted.id, siteId: 'eval' })
  expectOk(await client.bootstrap(pages))
  const before = await readDraft(client)
  const { slug, activeBlockId, activeEditablePath } = wanted
  const isPlanned = looksAtOps(wanted) && statusesOf(wanted).includes('applied')
  const say = async (message: string) =>
    resultOf(
      await client.send('/chat', {
        slug,
        message,
        activeBlockId,
        activeEditablePath,
        modelKey,
        ...(isPlanned && { executionMode: 'plan_only' }),
      }),
    )
  const first = await say(wanted.message)
  const { offer } = first.debug
  const result = wanted.clicks && offer !== undefined ? await say(offer) : first
  const {
    summary,
    debug: { opTypes = [], opCount = 0, estimatedUsd = 0 },
  } = result
  const after = await readDraft(client)
  const facts = { summary, opTypes, opCount, estimatedUsd, before, after }
  if (result.pendingPlanId === undefined || !asksForChange(wanted))
    return { ...facts, status: result.status, ops: [], outcome: after }

  const { ops } = v.parse(Plan, expectOk(await client.get(`/chat/plans/${result.pendingPlanId}`)).json())
  const approved = resultOf(
    await client.send('/chat', {
      slug,
      executionMode: 'apply_pending_plan',
      pendingPlanId: result.pendingPlanId,
    }),
  )
  const wouldWait = !isPlanned || result.destructiveReasons !== undefined
  return {
    ...facts,
    status: wouldWait ? result.status : approved.status,
    ops,
    outcome: await readDraft(client),
  }
}

function expectOk(response: Injected): Injected {
  if (response.status !== 200) throw new Error(`the service answered ${response.status}: ${response.text}`)
  return response
}

/** A failed chat is a result; a rejected request is not. */
function resultOf(response: Injected): ChatResult {
  const { success, output } = v.safeParse(ChatResult, response.json())
  if (!success) throw new Error(`the service answered ${response.status}: ${response.text}`)
  return output
}
