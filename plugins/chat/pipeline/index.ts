import { createKeyedQueue } from '../../../kernel/index.ts'
import { intentOf } from '../message.ts'
import { otherPlan, sessionBusy } from '../refusals.ts'
import { siteOf } from '../sessions/pending-plans.ts'
import { phases } from '../types/events.ts'
import { Canceled, type Ending } from '../types/run.ts'
import { applyPlan, nothingPending } from './apply.ts'
import { approvedPlan, freshPlan, hasModel, keepUsage, planMessage } from './plan.ts'
import { readApproval, readContext, readSession } from './reading.ts'
import { remembered, respond } from './respond.ts'
import {
  type Chat,
  checkpoint,
  type EndedRun,
  type MessageRun,
  type RunContext,
  type SessionState,
} from './run.ts'
import { vary } from './variations.ts'

/**
 * Creates the pipeline of a message: read, plan, validate, hold or apply, respond.
 *
 * Runs of one session wait for each other from the plan stage on; answers without a model do not wait.
 */
export function createPipeline({ longestWaitMs }: Pick<Chat, 'longestWaitMs'>) {
  const queue = createKeyedQueue({ longestWaitMs, overdue: () => sessionBusy(longestWaitMs / 1000) })

  return async (run: MessageRun) => {
    const { chat, id, how } = run
    const ended = await chat.wholeDrafts.use(id, () => conduct(run)).finally(() => keepUsage(run))
    run.record.reached('done')
    const rendered = respond(ended.site ? { ...run, site: ended.site } : run, ended)
    const { ending } = ended
    if (ending.kind !== 'applied' || !ending.isRemembered) {
      // The draft may be changed already, so a failure to write the memory does not fail the run.
      await chat.memories
        .add(id, remembered(run, ending, rendered.result))
        .catch((err: unknown) =>
          chat.log.warn({ err, run: how.id }, 'a chat message could not be remembered'),
        )
    }
    return rendered
  }

  async function conduct(run: MessageRun): Promise<EndedRun> {
    const { chat, how, message, request } = run
    const before = await readSession(chat, run)
    checkpoint(run)
    const intent = intentOf(request.executionMode, message, before)
    how.limits?.require(intent === 'approve' ? 'approve' : 'plan')
    switch (intent) {
      case 'discard':
        return discard(run, before)
      case 'approve':
        return inTurn(run, async () => approve(run, await readSession(chat, run)))
      case 'continue':
        return approve(run, { memory: before.memory })
      case 'plan':
        return answerOrPlan(run, before)
    }
  }

  /** Runs a job after all earlier ones of the session; `waited` says whether there were any. */
  async function inTurn(run: MessageRun, job: (waited: boolean) => Promise<EndedRun>): Promise<EndedRun> {
    const { signal } = run.how
    let hasStarted = false
    const begin = (waited: boolean): Promise<EndedRun> => {
      hasStarted = true
      return job(waited)
    }
    return queue.run(run.chat.scope.key(run.id), begin, signal).catch((error: unknown) => {
      throw signal.aborted && !hasStarted ? new Canceled() : error
    })
  }

  /** Plans a message in its turn. Without a model, an answer that changes nothing does not wait. */
  async function answerOrPlan(run: MessageRun, before: SessionState): Promise<EndedRun> {
    const context = await readContext(run, before)
    const early = hasModel(run.chat) ? undefined : await planMessage(run, context)
    if (early && 'outcome' in early && early.outcome.kind === 'answer') {
      return { ending: { ...early.outcome, source: early.source }, context }
    }
    return inTurn(run, async (waited) => {
      const now = waited ? await readContext(run, await readSession(run.chat, run)) : context
      const again = repeated(run, now)
      if (again) return { ending: again, context: now }
      checkpoint(run)
      run.how.emit({ type: 'status', message: phases.planning })
      return planAndApply(run, now, waited ? undefined : early)
    })
  }
}

async function discard(run: MessageRun, { memory, pending }: SessionState): Promise<EndedRun> {
  const { chat, id, request } = run
  const { pendingPlanId, slug } = request
  if (pending && pendingPlanId !== undefined && pendingPlanId !== pending.id) throw otherPlan()
  const had = pending !== undefined && (await chat.pendingPlans.drop(id, pending))
  const { version } = await chat.drafts.head(id)
  const draft = { version, pages: [], config: {} }
  return { ending: { kind: 'discarded', had }, context: { draft, selection: { slug }, memory } }
}

/** Applies the pending plan, or its accepted part, without asking again. */
async function approve(run: MessageRun, before: SessionState): Promise<EndedRun> {
  const context = await readApproval(run, before)
  const { pending } = before
  if (!pending) return { ending: await nothingPending(run), context }
  const { pendingPlanId = pending.id } = run.request
  if (pendingPlanId !== pending.id) {
    return { ending: { kind: 'mismatched', pendingPlanId: pending.id }, context }
  }
  // An approval need not send the block types again.
  const { componentsManifest } = run.request
  const site = siteOf(pending, componentsManifest ? run.site : { ...run.site, manifest: undefined })
  return {
    ...(await applyPlan(
      { ...run, site, changeRun: pending.run ?? run.changeRun },
      context,
      approvedPlan(run, pending),
    )),
    site,
  }
}

async function planAndApply(
  run: MessageRun,
  context: RunContext,
  early: Awaited<ReturnType<typeof planMessage>> | undefined,
): Promise<EndedRun> {
  const planned = early ?? (await planMessage(run, context))
  checkpoint(run)
  if ('failure' in planned) return { ending: planned, context }
  const { outcome, source } = planned
  if (outcome.kind === 'variations') return vary(run, context, { isAgain: outcome.isAgain })
  if (outcome.kind !== 'plan') return { ending: { ...outcome, source }, context }
  return applyPlan(run, context, freshPlan(run, outcome.plan, planned))
}

/** Returns the pending plan if the same message is sent again: a repetition does not approve it. */
function repeated(run: MessageRun, { pending, selection }: RunContext): Ending | undefined {
  if (!pending || pending.promptHash !== run.promptHash) return undefined
  const keys = ['slug', 'blockId', 'path'] as const
  const isSamePlace = keys.every((key) => pending.selection[key] === selection[key])
  return isSamePlace ? { kind: 'held', plan: pending } : undefined
}
