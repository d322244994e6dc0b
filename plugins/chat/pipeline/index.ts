import { createKeyedQueue } from '../../../kernel/index.ts'
import { otherPlan, sessionBusy } from '../refusals.ts'
import type { PlacedRequest } from '../request.ts'
import { siteOf } from '../sessions/pending-plans.ts'
import { phases } from '../types/events.ts'
import { workingImages } from '../types/images.ts'
import type { Outcome } from '../types/plan.ts'
import {
  Canceled, checkpoint, type Ended, placeOf, type Run, type RunContext, type RunEnd, type RunOptions,
  type SessionState,
} from '../types/run.ts'
import { withApplier } from './applier.ts'
import { startEarly } from './apply-early.ts'
import { applyPlan } from './apply.ts'
import { approvedPlan, freshPlan } from './candidate.ts'
import { type Conducted, createChainRunner } from './chain.ts'
import { readApprovalContext, readContext, readDraft, readRun, readSession } from './context.ts'
import type { Deps } from './deps.ts'
import { answeredByChecks, inputOf, localSource, plan, planLocally, type PlanTask } from './plan.ts'
import { render } from './render.ts'
import { keepUsage, remembered, respond } from './respond.ts'
import { intentOf, repeated } from './screen.ts'
import { vary } from './variations.ts'

/**
 * Creates the message runner: context, screen, plan, validate, gate, apply, respond.
 *
 * Runs of one session wait for each other from the plan stage on; answers that change nothing do not wait.
 */
export function createRunner(deps: Deps) {
  const { drafts, wholeDrafts, scope, log, words, memories, pendingPlans, longestWaitMs } = deps
  const queue = createKeyedQueue({ longestWaitMs, overdue: () => sessionBusy(longestWaitMs / 1000) })
  const steps = createChainRunner(runAlone, deps)
  const locally = async (run: Run, context: RunContext): Promise<Outcome> =>
    answeredByChecks(await planLocally(run, context, deps), run, context, deps)

  return {
    async run(request: PlacedRequest, how: RunOptions): Promise<RunEnd> {
      const run = readRun(request, how, deps)
      const conducted = await wholeDrafts.use(run.id, () => conduct(run)).finally(() => keepUsage(run, deps))
      const { step = run, continuation, ending } = conducted
      const rendered = render(step, conducted)
      if (ending.kind !== 'applied' || !ending.isRemembered) {
        // The draft is already changed, so a failure to write the memory does not fail the run.
        await memories
          .add(run.id, remembered(step, rendered, words.isRequest(step.message)))
          .catch((err: unknown) => log.warn({ err, run: how.id }, 'a chat message could not be remembered'))
      }
      const { status, result } = respond(step, rendered, deps)
      return { status, result: { ...result, ...(continuation && { continuation }) } }
    },
  }

  async function conduct(run: Run): Promise<Conducted> {
    const before = await readSession(run.id, deps)
    checkpoint(run)
    const intent = intentOf(run.request.executionMode, run.message, before, words)
    run.how.limits?.ask(intent === 'approve' ? 'approve' : 'plan')
    switch (intent) {
      case 'discard':
        return discard(run, before)
      case 'approve':
        return inTurn(run, async () => approve(run, await readSession(run.id, deps)))
      case 'continue':
        return steps.next(run, (job) => inTurn(run, job))
      case 'plan':
        return answerOrPlan(run, before)
    }
  }

  /** Runs a job after all earlier ones of the session; `waited` says whether there were any. */
  async function inTurn(run: Run, job: (waited: boolean) => Promise<Conducted>): Promise<Conducted> {
    const { signal } = run.how
    let hasBegun = false
    const begin = (waited: boolean): Promise<Conducted> => {
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

  /** Applies the pending plan, or its accepted part, without the gate. */
  async function approve(asked: Run, before: SessionState): Promise<Conducted> {
    const context = await readApprovalContext(asked, before, deps)
    const place = placeOf(context)
    const { pending } = before
    if (!pending) return { ending: { kind: 'nothingPending', droppedFor: await pendingPlans.droppedFor(asked.id) }, place }
    const { id: planId } = pending
    const { pendingPlanId = planId } = asked.request
    if (pendingPlanId !== planId) return { ending: { kind: 'mismatched', pendingPlanId: planId }, place }
    const candidate = approvedPlan(asked, pending, deps)
    // An approval need not send the block types again.
    const run: Run = { ...asked, site: siteOf(pending, asked.site) }
    const applied = await withApplier(run, context, deps, (applier) =>
      applyPlan(run, context, { candidate, applier }, deps))
    const ended = { ...applied, step: run }
    return steps.settle(run, ended, (waitsFor) => typeof waitsFor === 'object' && waitsFor.planId === planId)
  }

  /** Answers at once if nothing changes; otherwise waits for its turn, then rereads session and draft. */
  async function answerOrPlan(run: Run, before: SessionState): Promise<Conducted> {
    const context = await readContext(run, before, deps)
    const local = await locally(run, context)
    const place = placeOf(context)
    if (local.kind === 'answer') return { ending: { ...local, source: localSource(deps) }, place }
    const variation = words.variationIntent(run.message)
    if (variation) return vary(run, context, variation.again, deps)
    return inTurn(run, async (waited) => {
      const now = waited ? await readSession(run.id, deps) : before
      const ended = waited ? await runAlone(run) : await planAndApply(run, context, local)
      const isAnswer = words.isAnswer(run.message) || imagesOf(run, context)?.reading.answer !== undefined
      const answers = now.memory.asked !== undefined && isAnswer
      return steps.settle(run, ended, (waitsFor) => waitsFor === 'answer' && answers)
    })
  }

  /** Runs one message on the current session and draft. */
  async function runAlone(run: Run): Promise<Conducted> {
    const context = await readContext(run, await readSession(run.id, deps), deps)
    return planAndApply(run, context, await locally(run, context))
  }

  async function planAndApply(run: Run, context: RunContext, local: Outcome): Promise<Conducted> {
    const again = repeated(run, context)
    if (again) return { ending: again, place: placeOf(context) }
    checkpoint(run)
    run.how.emit({ type: 'status', message: phases.planning })
    const task = { local, images: local.kind === 'plan' ? undefined : imagesOf(run, context) }
    const inSteps = await steps.begin(run, context, task)
    if (inSteps) return inSteps
    checkpoint(run)
    return withApplier(run, context, deps, async (applier) => {
      const early = startEarly(run, context, applier, deps)
      const planned = await plan(early.run, context, task, deps).finally(early.stop)
      checkpoint(run)
      const place = placeOf(context)
      if ('failure' in planned) return { ending: planned, place }
      const { outcome, source } = planned
      if (outcome.kind !== 'plan') return { ending: { ...outcome, source }, place }
      const candidate = freshPlan(run, outcome.plan, planned, deps)
      return applyPlan(run, context, { candidate, applier, begun: await early.stop() }, deps)
    })
  }

  /** The image work of a run; `undefined` without a source of images. */
  function imagesOf(run: Run, context: RunContext): PlanTask['images'] {
    const work = workingImages(deps)
    if (!work) return undefined
    const { choice } = context.memory.images ?? {}
    const { isStreamed } = run.how
    const input = inputOf(run, context, deps)
    const ask = { input, choice, isStreamed, draftNow: () => readDraft(run.id, deps) }
    return { work, ask, reading: work.read(ask) }
  }
}
