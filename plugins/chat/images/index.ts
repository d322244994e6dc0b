import * as v from 'valibot'
import { typeName } from '../../content/naming.ts'
import type { Operation } from '../../content/operations/index.ts'
import { sameJson } from '../../content/same-json.ts'
import { type Illustration, type ImageAsk, type ImageJob, type ImageOutcome, type ImageReading, type ImageScene, type ImageSource, type ImageWork, missingImages, type PlanImages, type Searching, unfitImages } from '../types/images.ts'
import { type Note, type OpenQuestion, type Outcome, withAnswered } from '../types/plan.ts'
import type { PlanningInput } from '../types/planner.ts'
import type { ImageIntent, MessageReader } from '../types/reader.ts'
import { ownTarget, type Target, targetAt } from './fields.ts'
import { queryFor } from './query.ts'
import { type FindMeans, inOrder } from './resolve.ts'
import { type Found, search, type Sought } from './search.ts'
import { targetsOf } from './targets.ts'
import { imageTextsIn } from './texts.ts'
import { fittingImages, stillWanted, titleOf, type Wanted } from './wanted.ts'

export interface ImageParts extends FindMeans {
  readonly sources: readonly ImageSource[]
  readonly words: MessageReader
  /** Milliseconds for all images of a request that nobody follows, and for each image of one that somebody does. */
  readonly longestImageMs: number
}

/** Marks the question for a source among the questions that are open. */
const Memory = v.object({ asks: v.literal('image source') })

/**
 * Makes the image work of chat: whoever asks for a new image and for nothing else gets a plan with a real address, without a
 * model, and what a plan asks for beside its operations is looked for once these are applied.
 *
 * An image that cannot be had stays as it was. Nothing is written here, and nothing but addresses gets into a plan.
 */
export function createImageWork({ sources, words, log, owns, longestImageMs: longestMs }: ImageParts): ImageWork {
  return {
    get available() {
      return sources.some(({ available }) => available)
    },
    read,
    alone: (ask, images) => async (run) => {
      const { input, choice } = ask
      const { images: wanted, left } = fittingImages(images, input, choice)
      const question = questionFor(wanted, ask)
      if (question) return { outcome: question }
      if (wanted.length === 0) return { outcome: { kind: 'unchanged', summary: imageTextsIn(input.locale).noneFits } }
      const sought = wanted.map(({ target, query, source }): Sought => ({ target, query, sources: inOrder(sources, source) }))
      return resolved(run, ask, sought, left > 0 ? [unfitImages] : [])
    },
    planned(asked, ask) {
      const { images, left } = fittingImages(asked, ask.input, ask.choice)
      return { images: images.map(({ target: _target, ...image }) => image), notes: left > 0 ? [unfitImages] : [], question: questionFor(images, ask) }
    },
    async illustrate(run, blocks, { page, input, source, isStreamed, tell }) {
      const sought = blocks.flatMap((block): readonly Sought[] => {
        const target = ownTarget(page, block, input, 'imageUrl')
        return target ? [{ target, query: queryFor(undefined, target, page.title), sources: inOrder(sources, source) }] : []
      })
      await look(run, sought, { input, isStreamed }, tell)
    },
    async find(run, images, { input, isStreamed }) {
      const sought = images.flatMap((image): readonly Sought[] => {
        const target = stillWanted(image, input)
        return target ? [{ target, query: image.query, sources: inOrder(sources, image.source) }] : []
      })
      if (sought.length === 0) return []
      const found = await look(run, sought, { input, isStreamed })
      return found.map((each) => ({ type: each.target.type, credit: creditOf(each, input.locale), operation: (scene) => settingOf(each, scene) }))
    },
  }

  function look(run: Searching, sought: readonly Sought[], { input, isStreamed }: Pick<ImageAsk, 'input' | 'isStreamed'>, tell?: Illustration['tell']): Promise<readonly Found[]> {
    return search(run, sought, { draft: input.draft, locale: input.locale, longestMs, isStreamed, isOffered: tell !== undefined, log, owns, tell })
  }

  function read(ask: ImageAsk): ImageReading {
    const { input, choice: before } = ask
    const types = [...input.registry.types(), ...(input.manifest?.types() ?? [])]
    const fresh = words.imageIntent(input.message, types)
    const open = fresh ? undefined : openIn(input.open)
    const answer = open && words.imageSource(input.message)
    const intent = fresh ?? (open && answer && words.imageIntent(open.message, types))
    const targets = intent && targetsOf(intent, input)
    if (!intent || !targets) return { answer }
    const named = intent.source ?? answer ?? before
    const job: ImageJob = async (run) => {
      const texts = imageTextsIn(input.locale)
      if (targets.fields.length === 0) return { outcome: { kind: 'unchanged', summary: texts.noImage(typeName(targets.type, input)) } }
      if (named === undefined && isOpen()) return { outcome: whichSource(input, input.message) }
      const order = inOrder(sources, named === 'any' ? undefined : named)
      return resolved(run, ask, targets.fields.map((target) => ({ target, query: queryFor(saidFor(intent, target), target, titleOf(target.at, input)), sources: order })))
    }
    return { answer, job }
  }

  /** The plan that sets what was found, where the fields are still what they were. */
  async function resolved(run: Searching, { input, isStreamed, draftNow }: ImageAsk, sought: readonly Sought[], leftBefore: readonly Note[] = []): Promise<ImageOutcome> {
    const texts = imageTextsIn(input.locale)
    const found = await look(run, sought, { input, isStreamed })
    if (found.length === 0) return { outcome: { kind: 'unchanged', summary: texts.nothingFound } }
    const now = { ...input, draft: await draftNow() }
    const settings = new Map(found.flatMap((each) => {
      const op = settingOf(each, now)
      return op ? [[each.target, op]] : []
    }))
    if (settings.size === 0) return { outcome: { kind: 'unchanged', summary: texts.changedMeanwhile } }
    const ops = [...settings.values()]
    const remarks = unique(found.flatMap((each) => (settings.has(each.target) ? (creditOf(each, input.locale) ?? []) : [])))
    const missing = sought.flatMap(({ target }) => (settings.has(target) ? [] : [target.type]))
    return { outcome: { kind: 'plan', plan: { summary: texts.willSet(ops.length), changeLog: [], ops, remarks } }, notes: [...leftBefore, ...missingImages(missing)] }
  }

  /** Whether nobody knows which source is wanted: images can be searched as well as made. */
  function isOpen(): boolean {
    return (['stock', 'generated'] as const).every((kind) => sources.some((source) => source.kind === kind && source.available))
  }

  /** The question for a source; a planner is asked again with the answer, so that it is about all that was said. */
  function questionFor(images: readonly Wanted[], { input, choice }: Pick<ImageAsk, 'input' | 'choice'>): PlanImages['question'] {
    if (choice !== undefined || images.every(({ source }) => source !== undefined) || !isOpen()) return undefined
    return whichSource(input, withAnswered(input))
  }
}

function whichSource({ locale }: PlanningInput, message: string): Extract<Outcome, { kind: 'question' }> {
  const texts = imageTextsIn(locale)
  return { kind: 'question', question: texts.whichSource, suggestions: texts.sources, open: { message, memory: { asks: 'image source' } } }
}

const saidFor = ({ query, queries }: ImageIntent, { at }: Target): string | undefined => (at.kind === 'row' ? queries.get(at.index + 1) : undefined) ?? query

/** What sets an image; `undefined` where its field is not what it was. Rows are told by their place, so another one may stand there by now. */
function settingOf({ target, image }: Found, scene: ImageScene): Operation | undefined {
  const now = targetAt(target.at, scene)
  return now && sameJson(target.was, now.was) ? target.setTo(image) : undefined
}

const creditOf = ({ image: { credit } }: Found, locale: string): string | undefined => credit && imageTextsIn(locale).credit(credit.name, credit.address)

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

const openIn = (open: OpenQuestion | undefined): OpenQuestion | undefined => (open && v.is(Memory, open.memory) ? open : undefined)
