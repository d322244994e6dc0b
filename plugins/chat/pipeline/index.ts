import { createKeyedQueue } from '../../../kernel/index.ts'
import type { Drafts } from '../../draft/port.ts'
import type { Scope } from '../../scope/port.ts'
import type { UsageLog } from '../../usage/port.ts'
import { intentOf } from '../intent.ts'
import { otherPlan, sessionBusy } from '../refusals.ts'
import type { PlacedRequest } from '../request.ts'
import { siteOf } from '../sessions/pending-plans.ts'
import { phases } from '../types/events.ts'
import {
  Canceled,
  checkpoint,
  type Ended,
  type Ending,
  placeOf,
  type Run,
  type RunContext,
  type RunEnd,
  type RunOptions,
  type SessionState,
} from '../types/run.ts'
import type { WholeDrafts } from '../whole-drafts.ts'
import { applyPlan, type ApplyParts } from './apply.ts'
import { approvedPlan, freshPlan } from './candidate.ts'
import { render } from './render.ts'
import { keepUsage, remembered, type Respond } from './respond.ts'
import type { Vary } from './variations.ts'

interface RunnerParts extends ApplyParts {
  readonly drafts: Drafts
  readonly wholeDrafts: WholeDrafts
  readonly scope: Scope
  readonly usage: UsageLog | undefined
  readonly vary: Vary
  readonly respond: Respond
  readonly longestWaitMs: number
}

/**
 * Creates the message runner: read, plan, validate, hold or apply, respond.
 *
 * Runs of one session wait for each other from the plan stage on; answers without a model do not wait.
 */
export function createRunner(parts: RunnerParts) {
  const { drafts, wholeDrafts, scope, usage, log, reading, planning, memories, pendingPlans, longestWaitMs } =
    parts
  const queue = createKeyedQueue({ longestWaitMs, overdue: () => sessionBusy(longestWaitMs / 1000) })

  return {
    async run(request: PlacedRequest, how: RunOptions): Promise<RunEnd> {
      const run = reading.run(request, how)
      const ended = await wholeDrafts
        .use(run.id, () => conduct(run))
        .finally(() => keepUsage(run, usage, log))
      const rendered = render({ ...run, site: ended.site ?? run.site }, ended)
      if (ended.ending.kind !== 'applied' || !ended.ending.isRemembered) {
        // The draft is already changed, so a failure to write the memory does not fail the run.
        await memories
          .add(run.id, remembered(run, rendered))
          .catch((err: unknown) => log.warn({ err, run: how.id }, 'a chat message could not be remembered'))
      }
      return parts.respond(run, rendered)
    },
  }

  async function conduct(run: Run): Promise<Ended> {
    const before = await reading.session(run.id)
    checkpoint(run)
    const intent = intentOf(run.request.executionMode, run.message, before)
    run.how.limits?.require(intent === 'approve' ? 'approve' : 'plan')
    switch (intent) {
      case 'discard':
        return discard(run, before)
      case 'approve':
        return inTurn(run, async () => approve(run, await reading.session(run.id)))
      case 'continue':
        return nothingPending(run, await reading.approvalContext(run, { ...before, pending: undefined }))
      case 'plan':
        return answerOrPlan(run, before)
    }
  }

  /** Runs a job after all earlier ones of the session; `waited` says whether there were any. */
  async function inTurn(run: Run, job: (waited: boolean) => Promise<Ended>): Promise<Ended> {
    const { signal } = run.how
    let hasBegun = false
    const begin = (waited: boolean): Promise<Ended> => {
      hasBegun = true
      return job(waited)
    }
    return queue.run(scope.key(run.id), begin, signal).catch((error: unknown) => {
      throw signal.aborted && !hasBegun ? new Canceled() : error
    })
  }

  async function discard(run: Run, { pending }: SessionState): Promise<Ended> {
    const { pendingPlanId, slug } = run.request
    if (pending && pendingPlanId !== undefined && pendingPlanId !== pending.id) throw otherPlan()
    const had = pending !== undefined && (await pendingPlans.drop(run.id, pending.id))
    const { version } = await drafts.head(run.id)
    return { ending: { kind: 'discarded', had }, place: { version, slug, pages: [] } }
  }

  async function nothingPending(run: Run, context: RunContext): Promise<Ended> {
    const droppedFor = await pendingPlans.droppedFor(run.id)
    return { ending: { kind: 'nothingPending', droppedFor }, place: placeOf(context) }
  }

  /** Applies the pending plan, or its accepted part, without asking again. */
  async function approve(asked: Run, before: SessionState): Promise<Ended> {
    const context = await reading.approvalContext(asked, before)
    const { pending } = before
    if (!pending) return nothingPending(asked, context)
    const { pendingPlanId = pending.id } = asked.request
    if (pendingPlanId !== pending.id) {
      return { ending: { kind: 'mismatched', pendingPlanId: pending.id }, place: placeOf(context) }
    }
    const candidate = approvedPlan(asked, pending, pendingPlans)
    // An approval need not send the block types again.
    const site = siteOf(pending, asked.site)
    return { ...(await applyPlan({ ...asked, site }, context, candidate, parts)), site }
  }

  /** Plans a message in its turn. Without a model, an answer that changes nothing does not wait. */
  async function answerOrPlan(run: Run, before: SessionState): Promise<Ended> {
    const context = await reading.context(run, before)
    const early = planning.hasModel() ? undefined : await planning.plan(run, context)
    if (early && 'outcome' in early && early.outcome.kind === 'answer') {
      return { ending: { ...early.outcome, source: early.source }, place: placeOf(context) }
    }
    return inTurn(run, async (waited) => {
      const now = waited ? await reading.context(run, await reading.session(run.id)) : context
      const again = repeated(run, now)
      if (again) return { ending: again, place: placeOf(now) }
      checkpoint(run)
      run.how.emit({ type: 'status', message: phases.planning })
      return planAndApply(run, now, waited ? undefined : early)
    })
  }

  async function planAndApply(
    run: Run,
    context: RunContext,
    early: Awaited<ReturnType<typeof planning.plan>> | undefined,
  ): Promise<Ended> {
    const planned = early ?? (await planning.plan(run, context))
    checkpoint(run)
    if ('failure' in planned) return { ending: planned, place: placeOf(context) }
    const { outcome, source } = planned
    if (outcome.kind === 'variations') return parts.vary(run, context, { isAgain: outcome.isAgain })
    if (outcome.kind !== 'plan') return { ending: { ...outcome, source }, place: placeOf(context) }
    return applyPlan(run, context, freshPlan(run, outcome.plan, planned, pendingPlans), parts)
  }
}

/** Returns the pending plan if the same message is sent again: a repetition does not approve it. */
function repeated(run: Run, { pending, selection }: RunContext): Ending | undefined {
  if (!pending || pending.promptHash !== run.promptHash) return undefined
  const keys = ['slug', 'blockId', 'path'] as const
  const isSamePlace = keys.every((key) => pending.selection[key] === selection[key])
  return isSamePlace ? { kind: 'held', plan: pending } : undefined
}
