import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { Playground } from '../../draft/port.ts'
import type { createReadPicture } from '../read-picture.ts'
import type { Memories } from '../sessions/memory.ts'
import { texts } from '../texts/texts.ts'
import type { ImageAsk, ImageWork } from '../types/images.ts'
import { type Outcome, type Plan, type Source, suggestionsIn } from '../types/plan.ts'
import {
  byRules,
  type Planner,
  type PlannerBreak,
  PlannerFailure,
  type PlanningInput,
  type PlanningRun,
  withModel,
} from '../types/planner.ts'
import { checkpoint, type Ending, type Run, type RunContext } from '../types/run.ts'
import type { Reading } from './reading.ts'

/** The outcome of a planner; `ask` is the context of the images that it wants. */
export interface Planned {
  readonly outcome: Outcome
  readonly source: Source
  readonly ask: Pick<ImageAsk, 'input' | 'choice'>
}

interface PlanningParts {
  readonly planners: readonly Planner[]
  readonly reading: Reading
  readonly memories: Memories
  readonly images: ImageWork | undefined
  readonly readPicture: ReturnType<typeof createReadPicture>
  /** The edits that a public demo allows; `undefined` without a lock. */
  readonly playground: Playground | undefined
  readonly maxOperations: number
  readonly log: Logger
}

/** Asks the planners: those with a model, or else the local ones. */
export type Planning = ReturnType<typeof createPlanning>

export function createPlanning(parts: PlanningParts) {
  const { planners, reading, memories, images, readPicture, playground, maxOperations, log } = parts

  /** The input of every planner. */
  function inputOf(run: Run, { draft, selection, memory }: RunContext): PlanningInput {
    const { message, locale, site, siteContext, request } = run
    return {
      message,
      locale,
      draft,
      selection,
      siteContext,
      playground,
      maxOperations,
      ...site,
      ...run.id,
      registry: builtinRegistry,
      open: memory.asked?.question,
      history: memory.history,
      tier: request.modelKey,
      attachments: request.attachments,
      findsImages: images?.available === true,
    }
  }

  /** Asks the local planners: the first that understands the message decides. */
  async function locally(input: PlanningInput, run: PlanningRun): Promise<Outcome> {
    let outcome: Outcome = { kind: 'unsupported', suggestions: [] }
    for (const planner of planners.filter(({ available, isLocal }) => available && isLocal)) {
      outcome = await planner.plan(input, run)
      if (outcome.kind !== 'unsupported') break
    }
    return outcome
  }

  /** Remembers the source of images that the message chooses. */
  async function choiceOf({ id, message }: Run, { memory }: RunContext): Promise<ImageAsk['choice']> {
    const chosen = images?.chosen(message, memory.asked?.question)
    if (chosen) await memories.chooseImages(id, chosen)
    return chosen ?? memory.images?.choice
  }

  return {
    inputOf,
    locally,
    /** False if all planning is local, and therefore fast. */
    hasModel: (): boolean => withModel(planners).length > 0,
    /** Requests that the local planners suggest. */
    suggestions: async (run: Run, context: RunContext): Promise<readonly string[]> =>
      suggestionsIn(
        await locally({ ...inputOf(run, context), message: '', open: undefined }, planningRun(run)),
      ),

    /** Plans a message. A planner that does not support the request leaves it to the next one. */
    async plan(run: Run, context: RunContext): Promise<Planned | Extract<Ending, { kind: 'failed' }>> {
      const { how } = run
      const available = inOrder(withModel(planners), run)
      const input = inputOf(run, context)
      if (available.size === 0) {
        const outcome = await locally(input, planningRun(run))
        if (outcome.kind === 'plan') {
          how.emit({ type: 'planned_by_rules', opTypes: outcome.plan.ops.map(({ op }) => op) })
        }
        return { outcome, source: byRules, ask: { input, choice: undefined } }
      }
      const choice = await choiceOf(run, context)
      const asked = { ...input, recentEdits: await reading.recentEdits(run.id) }
      const tools = { ...planningRun(run), readPicture: (at: string) => readPicture(run.id, at, how.signal) }
      let source: Source = byRules
      for (const planner of available) {
        checkpoint(run)
        how.emit({ type: 'planner_asked', planner: planner.name })
        try {
          const outcome = readable(await planner.plan(asked, tools))
          source = sourceOf(planner, run)
          if (outcome.kind !== 'unsupported') return { outcome, source, ask: { input, choice } }
        } catch (error) {
          checkpoint(run)
          source = sourceOf(planner, run)
          if (error instanceof PlannerFailure) return { kind: 'failed', failure: error, source }
          log.error({ err: error, run: how.id, planner: planner.name }, 'a planner failed')
          return { kind: 'failed', failure: broken('broke_off', { cause: error }), source }
        }
      }
      return { outcome: { kind: 'unsupported', suggestions: [] }, source, ask: { input, choice } }
    },
  }
}

/** Sorts the requested provider first. */
const inOrder = (planners: readonly Planner[], { request }: Run): ReadonlySet<Planner> =>
  new Set([...planners.filter(({ name }) => name === request.provider), ...planners])

const planningRun = ({ how, record }: Run): PlanningRun => ({
  ...record,
  id: how.id,
  signal: how.signal,
  emit(event) {
    record.saw(event)
    how.emit(event)
  },
})

function sourceOf({ name }: Planner, { record }: Run): Source {
  const { model = name, tier } = record.facts() ?? {}
  return { plannerSource: name, modelUsed: model, plannerTier: 'full_llm', modelKey: tier }
}

const Texts = v.array(v.string())
/** The validators check operations and images later. */
const PlanShape = v.object({
  summary: v.pipe(v.string(), v.nonEmpty()),
  changeLog: Texts,
  ops: v.array(v.unknown()),
  images: v.optional(v.array(v.unknown())),
  remarks: v.optional(Texts),
  suggestions: v.optional(Texts),
  isPlanFirst: v.optional(v.boolean()),
})

/** Throws if a plan has the wrong shape. */
function readable(outcome: Outcome): Outcome {
  if (outcome.kind !== 'plan') return outcome
  const { issues } = v.safeParse(PlanShape, outcome.plan satisfies Plan)
  if (!issues) return outcome
  throw broken('no_plan', { attempts: [`${v.getDotPath(issues[0]) ?? 'the plan'}: ${issues[0].message}`] })
}

type Details = ConstructorParameters<typeof PlannerFailure>[2]

const broken = (how: PlannerBreak, details: Details): PlannerFailure =>
  new PlannerFailure('unusable', texts.broken(how), { ...details, notice: texts.broken(how) })
