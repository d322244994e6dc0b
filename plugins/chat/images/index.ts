import * as v from 'valibot'
import type { Logger } from '../../../kernel/index.ts'
import { sameJson } from '../../content/same-json.ts'
import type { DraftId } from '../../scope/port.ts'
import type { ImageChoice, Memories } from '../memory.ts'
import { phases } from '../phases.ts'
import type { Outcome, OpenQuestion } from '../plan.ts'
import type { DraftSnapshot, PlanningInput, PlanningRun } from '../planner.ts'
import { typeName } from '../texts/change-line.ts'
import { textsIn } from '../texts/index.ts'
import type { Note } from '../validate/step.ts'
import { nounsFor } from './nouns.ts'
import { addressesIn, queryFor } from './query.ts'
import { findImage, inOrder } from './resolve.ts'
import type { FoundImage, ImageSource } from './source.ts'
import { targetsOf, type Target, type Targets } from './targets.ts'
import { imageTextsIn } from './texts.ts'
import { sourceAlone } from './source-alone.ts'
import { imageWish, type ImageWish } from './wish.ts'

/** A request for new images, ready to be worked on: it gives a plan with their addresses. */
export type ImageJob = (run: PlanningRun) => Promise<ImageOutcome>

/** What it came to; `notes` say what could not be done of it. */
export interface ImageOutcome {
  readonly outcome: Outcome
  readonly notes?: readonly Note[]
}

/** What a run knows beside what planners look at. */
export interface ImageAsk {
  readonly id: DraftId
  readonly input: PlanningInput
  /** What was chosen in this session. */
  readonly choice: ImageChoice | undefined
  /** True while somebody follows the run. */
  readonly isStreamed: boolean
  /** The draft as it is by then: images take their time. */
  draftNow(): Promise<DraftSnapshot>
}

/** The part of chat that gets new images. */
export interface ImageWork {
  /** False while no source can work. */
  readonly available: boolean
  /** Reads a request for new images; `undefined` for every other one. */
  read(ask: ImageAsk): ImageJob | undefined
}

export interface ImageParts {
  readonly sources: readonly ImageSource[]
  readonly memories: Pick<Memories, 'chooseImages'>
  readonly log: Logger
  /** Milliseconds for all images of a request that nobody follows, and for each image of one that somebody does. */
  readonly longestImageMs: number
}

/** Marks the question for a source among the questions that are open. */
const Memory = v.object({ asks: v.literal('image source') })

/**
 * Makes the image work of chat: whoever asks for a new image and for nothing else gets a plan with a real address, without a model.
 *
 * An image that cannot be had stays as it was. Nothing is written here, and nothing but addresses gets into a plan.
 */
export function createImageWork({ sources, memories, log, longestImageMs }: ImageParts): ImageWork {
  return {
    get available() {
      return sources.some(({ available }) => available)
    },
    read,
  }

  function read({ id, input, choice: before, isStreamed, draftNow }: ImageAsk): ImageJob | undefined {
    const nouns = nounsFor([...input.registry.types(), ...(input.manifest?.types() ?? [])])
    const fresh = imageWish(input.message, nouns)
    const open = fresh ? undefined : openIn(input.open)
    const answer = open && sourceAlone(input.message)
    const wish = fresh ?? (open && answer && imageWish(open.message, nouns))
    const targets = wish && targetsOf(wish, input)
    if (!wish || !targets) return undefined
    const named = wish.source ?? answer ?? before
    return async (run) => {
      if (answer) await memories.chooseImages(id, answer)
      const texts = imageTextsIn(input.locale)
      const [first] = targets.fields
      if (!first) return { outcome: { kind: 'unchanged', summary: texts.noImage(typeName(targets.block.type, { texts: textsIn(input.locale), manifest: input.manifest })) } }
      if (named === undefined && isOpen(sources)) {
        return { outcome: { kind: 'question', question: texts.whichSource, suggestions: texts.sources, open: { message: input.message, memory: { asks: 'image source' } } } }
      }
      return resolved(run, { input, wish, targets, isStreamed, draftNow, sources: inOrder(sources, named === 'any' ? undefined : named) })
    }
  }

  /** The plan that sets what was found, where the fields are still what they were. */
  async function resolved(run: PlanningRun, task: Task): Promise<ImageOutcome> {
    const { input, wish, targets: { block, fields }, draftNow } = task
    const texts = imageTextsIn(input.locale)
    const found = await search(run, task)
    if (found.length === 0) return { outcome: { kind: 'unchanged', summary: texts.nothingFound } }
    const now = targetsOf(wish, { ...input, draft: await draftNow() })?.fields ?? []
    const ops = found.filter(({ target }) => now.some((other) => isSame(target, other))).map(({ target, image }) => target.setTo(image.address, image.alt))
    if (ops.length === 0) return { outcome: { kind: 'unchanged', summary: texts.changedMeanwhile } }
    const notes: readonly Note[] = ops.length < fields.length ? [{ kind: 'images', type: block.type }] : []
    return { outcome: { kind: 'plan', plan: { summary: texts.willSet(ops.length), changeLog: [], ops } }, notes }
  }

  /** Looks for one image after the other, so that none is used twice, and tells how far it is. */
  async function search(run: PlanningRun, { input, wish, targets: { fields }, isStreamed, sources }: Task): Promise<readonly Found[]> {
    const texts = imageTextsIn(input.locale)
    const page = input.draft.pages.find(({ slug }) => slug === input.selection.slug)
    const avoid = new Set(addressesIn(page?.blocks.map(({ props }) => props)))
    const together = AbortSignal.timeout(longestImageMs)
    const found: Found[] = []
    let told = 0
    run.emit({ type: 'status', message: phases.images })
    for (const [index, target] of fields.entries()) {
      let isWaiting = true
      const progress = (percent: number): void => {
        if (!isWaiting) return
        told = Math.max(told, Math.floor((100 * index + within(percent)) / fields.length))
        run.emit({ type: 'image_progress', percent: told, stage: texts.stage(index + 1, fields.length) })
      }
      progress(0)
      const signal = AbortSignal.any([run.signal, isStreamed ? AbortSignal.timeout(longestImageMs) : together])
      const image = await findImage(sources, { query: queryFor(wish, target, page?.title ?? ''), avoid, signal, progress }, log)
      if (run.signal.aborted) return []
      progress(100)
      isWaiting = false
      if (!image) continue
      avoid.add(image.address)
      found.push({ target, image })
    }
    return found
  }
}

/** What a search knows. */
interface Task extends Pick<ImageAsk, 'input' | 'isStreamed' | 'draftNow'> {
  readonly wish: ImageWish
  readonly targets: Targets
  readonly sources: readonly ImageSource[]
}

interface Found {
  readonly target: Target
  readonly image: FoundImage
}

/** Whether a field is where it was. Rows are told by their place, so another one may stand there by now. */
const isSame = (before: Target, now: Target): boolean => sameJson(before.setTo('', undefined), now.setTo('', undefined)) && (now.row === undefined || sameJson(before.props, now.props))

const within = (percent: number): number => (percent >= 0 ? Math.min(percent, 100) : 0)

const openIn = (open: OpenQuestion | undefined): OpenQuestion | undefined => (open && v.is(Memory, open.memory) ? open : undefined)

/** Whether nobody knows which source is wanted: images can be searched as well as made. */
const isOpen = (sources: readonly ImageSource[]): boolean => (['stock', 'generated'] as const).every((kind) => sources.some((source) => source.kind === kind && source.available))
