import type { Clock, Logger } from '../../../kernel/index.ts'
import type { Checks } from '../../checks/port.ts'
import type { Drafts, Playground } from '../../draft/port.ts'
import type { Price } from '../../llm/port.ts'
import type { Scope } from '../../scope/port.ts'
import type { Sites } from '../../sites/port.ts'
import type { UsageLog } from '../../usage/port.ts'
import type { ApplySettings } from '../apply-settings.ts'
import { type ImageWork, workingImages } from '../images/image-work.ts'
import type { ReadPicture } from '../read-picture.ts'
import { otherPlan } from '../refusals.ts'
import type { Tier } from '../result.ts'
import { createTurns } from '../sessions/turns.ts'
import type { WholeDrafts } from '../whole-drafts.ts'
import type { Chains } from '../sessions/chains.ts'
import type { PromptHash } from '../digest.ts'
import type { Memories } from '../sessions/memory.ts'
import { remembered, respond } from './respond.ts'
import type { PendingPlans } from '../sessions/pending-plans.ts'
import { type Ended, placeOf } from '../types/ending.ts'
import { phases } from '../types/events.ts'
import { byRules, byRulesAlone, type Planner, withModel } from '../types/planner.ts'
import type { Outcome } from '../types/plan.ts'
import type { Words } from '../types/reader.ts'
import { type Before, type ChatRunner, checkpoint, type PlacedRunner, type Run, type Scene } from '../types/run.ts'
import type { Variations } from '../variations/index.ts'
import { withApplier } from './applier.ts'
import { startEarly } from './apply-early.ts'
import { carryOut } from './apply.ts'
import { approvalOf, freshPlan } from './candidate.ts'
import { type Conducted, createSteps } from './chain.ts'
import { readApprovalScene, readBefore, readDraft, readRun, readScene } from './context.ts'
import { answeredByChecks, inputOf, plan, planLocally, type RunImages, withoutPlan } from './plan.ts'
import { keepUsage } from './record.ts'
import { render } from './render.ts'
import { repeated, wishOf } from './screen.ts'

/** What runs are made of. */
export interface RunnerParts {
  readonly drafts: Drafts
  readonly wholeDrafts: WholeDrafts
  readonly sites: Sites
  readonly scope: Scope
  readonly clock: Clock
  readonly log: Logger
  /** How messages are read before they are planned. */
  readonly words: Words
  readonly promptHash: PromptHash
  readonly variations: Variations
  /** Reads requests for new images; `undefined` where nothing finds or makes any. */
  readonly images: ImageWork | undefined
  readonly checks: Checks | undefined
  /** Asked in this order as far as they are available, local ones first. */
  readonly planners: readonly Planner[]
  readonly memories: Memories
  readonly pendingPlans: PendingPlans
  readonly chains: Chains
  /** What a public demo lets through; `undefined` while there is no lock. */
  readonly playground: Playground | undefined
  readonly readPicture: ReadPicture
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
  /** What models cost. */
  readonly prices: readonly Price[]
  /** The tier of requests that choose none. */
  readonly defaultTier: Tier
  /** Where what models took is kept. */
  readonly usage: UsageLog | undefined
  /** Operations that one plan may have. */
  readonly maxOperations: number
  /** How plans are applied while somebody follows them. */
  readonly stepping: ApplySettings
  /** Milliseconds for which a message waits for the one before it. */
  readonly longestWaitMs: number
}

/**
 * Makes what runs messages: context, screen, plan, validate, gate, apply, tell, respond.
 *
 * Runs of one session wait for each other from the plan on; answers that change nothing do not.
 */
export function createRunner(parts: RunnerParts): PlacedRunner {
  const { drafts, wholeDrafts, scope, log, words, variations, memories, pendingPlans } = parts
  const turns = createTurns(parts.longestWaitMs)
  const steps = createSteps({ ...parts, runAlone })
  const locally = async (run: Run, scene: Scene): Promise<Outcome> => answeredByChecks(await planLocally(run, scene, parts.planners), run, scene, parts)
  const inTurn = (run: Run, job: (waited: boolean) => Promise<Conducted>): Promise<Conducted> => turns.take(scope.key(run.id), run.how.signal, job)

  return {
    async run(request, how) {
      const run = readRun(request, how, parts)
      const { step = run, continuation, isRemembered, ...ended } = await wholeDrafts.use(run.id, () => conduct(run)).finally(() => keepUsage(run, parts))
      const told = render(step, ended)
      if (!isRemembered) {
        // The draft is as the result says, whether the talk about it can be kept or not.
        await memories
          .add(run.id, remembered(step, told, words.isRequest(step.message)))
          .catch((err: unknown) => log.warn({ err, run: how.id }, 'a chat message could not be remembered'))
      }
      const { status, result } = respond(step, told)
      return { status, result: { ...result, ...(continuation && { continuation }) } }
    },
  }

  async function conduct(run: Run): Promise<Conducted> {
    const before = await readBefore(run, parts)
    checkpoint(run)
    switch (wishOf(run, before, words)) {
      case 'discard':
        return discard(run, before)
      case 'approve':
        run.how.limits?.ask('approve')
        return inTurn(run, async () => approve(run, await readBefore(run, parts)))
      case 'continue':
        return steps.next(run, (job) => inTurn(run, job))
      case 'plan':
        return answerOrPlan(run, before)
    }
  }

  async function discard(run: Run, { pending }: Before): Promise<Ended> {
    const { pendingPlanId, slug } = run.request
    if (pending && pendingPlanId !== undefined && pendingPlanId !== pending.id) throw otherPlan()
    const had = pending !== undefined && (await pendingPlans.drop(run.id, pending.id))
    const { version } = await drafts.head(run.id)
    return { ending: { kind: 'discarded', had }, place: { version, slug, pages: [] } }
  }

  /** Takes the plan that waits, or the accepted part of it, and carries it out without asking the gate again. */
  async function approve(asked: Run, before: Before): Promise<Conducted> {
    const scene = await readApprovalScene(asked, before, parts)
    const approval = approvalOf(asked, before, pendingPlans)
    if (approval.kind !== 'approved') return { ending: approval, place: placeOf(scene) }
    const { run, candidate, planId } = approval
    const ended = await withApplier(run, parts, (applier) => carryOut(run, scene, { candidate, applier }, parts))
    return steps.settle(run, { ...ended, step: run }, (waitsFor) => typeof waitsFor === 'object' && waitsFor.planId === planId)
  }

  /** What changes nothing is answered at once; everything else in its turn, by what the session and the draft are then. */
  async function answerOrPlan(run: Run, before: Before): Promise<Conducted> {
    const scene = await readScene(run, before, parts)
    const local = await locally(run, scene)
    if (local.kind === 'answer') {
      const source = run.hasModel ? byRules : byRulesAlone
      return { ending: { ...local, kind: 'answered', source }, place: placeOf(scene) }
    }
    const wish = variations.wishOf(run.message)
    if (wish) return variations.vary(run, scene, wish)
    return inTurn(run, async (waited) => {
      const now = waited ? await readBefore(run, parts) : before
      const ended = waited ? await runAlone(run) : await planAndCarryOut(run, before, scene, local)
      const answers = now.memory.asked !== undefined && (words.isAnswer(run.message) || imagesOf(run, scene)?.reading.answer !== undefined)
      return steps.settle(run, ended, (waitsFor) => waitsFor === 'answer' && answers)
    })
  }

  /** One message by itself, by what the session and the draft are now. */
  async function runAlone(run: Run): Promise<Conducted> {
    const before = await readBefore(run, parts)
    const scene = await readScene(run, before, parts)
    return planAndCarryOut(run, before, scene, await locally(run, scene))
  }

  async function planAndCarryOut(run: Run, before: Before, scene: Scene, local: Outcome): Promise<Conducted> {
    const again = repeated(run, before, scene)
    if (again) return { ending: again, place: placeOf(scene) }
    checkpoint(run)
    run.how.emit({ type: 'status', message: phases.planning })
    const deps = { local, images: imagesOf(run, scene), planners: withModel(parts.planners), words, memories, readPicture: parts.readPicture, drafts, log }
    const inSteps = await steps.begin(run, scene, deps)
    if (inSteps) return inSteps
    checkpoint(run)
    return withApplier(run, parts, async (applier) => {
      const early = startEarly(run, scene, applier, parts)
      const planned = await plan(early.run, scene, deps).finally(early.stop)
      checkpoint(run)
      if (planned.kind !== 'planned' || planned.outcome.kind !== 'plan') return { ending: withoutPlan(planned), place: placeOf(scene) }
      const { source, outcome, notes = [], asked } = planned
      const candidate = freshPlan(run, outcome.plan, { source, notes, asked, slug: scene.selection.slug, pendingPlans })
      return carryOut(run, scene, { candidate, applier, begun: await early.stop() }, parts)
    })
  }

  /** The image work of a run; nothing while nobody can look for images. */
  function imagesOf(run: Run, scene: Scene): RunImages | undefined {
    const work = workingImages(parts)
    const ask = { input: inputOf(run, scene), choice: scene.memory.images?.choice, isStreamed: run.how.isStreamed, draftNow: () => readDraft(run.id, parts) }
    return work && { work, ask, reading: work.read(ask) }
  }
}

/** Runs requests that name no page on the page of the plan that waits; on the home page where none does. */
export function placed(runner: PlacedRunner, { scope, pendingPlans }: { readonly scope: Scope; readonly pendingPlans: PendingPlans }): Pick<ChatRunner, 'run'> {
  return {
    async run(request, how) {
      const slug = request.slug ?? (await pendingPlans.find(scope.draft(request)))?.requestedSlug ?? '/'
      return runner.run({ ...request, slug }, how)
    },
  }
}
