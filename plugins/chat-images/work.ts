import * as v from 'valibot'
import { type ImageAsk, type ImageIntent, type ImageOutcome, type ImageScene, type ImageSource, type ImageWork, type MessageReader, type OpenQuestion, type Outcome, type PlanningInput, type Searching, withAnswered } from '../chat/port.ts'
import type { Props } from '../content/model.ts'
import { typeName } from '../content/naming.ts'
import type { Operation } from '../content/operations/index.ts'
import { sameJson } from '../content/same-json.ts'
import { ownTarget, type Target, targetAt } from './fields.ts'
import { queryFor } from './query.ts'
import { type FindMeans, inOrder } from './resolve.ts'
import { type Found, search, type SearchOptions, type Sought } from './search.ts'
import { targetsOf } from './targets.ts'
import { imageTextsIn } from './texts.ts'
import { fittingImages, stillWanted, titleOf, type Wanted } from './wanted.ts'

export interface ImageParts extends FindMeans {
  readonly sources: readonly ImageSource[]
  readonly words: MessageReader
  /** Milliseconds for all images of a request, or for each image of one that a client follows. */
  readonly longestImageMs: number
}

/** Marks an open question as the one for a source. */
const Memory = v.object({ asks: v.literal('image source') })

/**
 * Makes the image work of chat: a message that asks for new images and for nothing else becomes a plan with their addresses,
 * without a model; the images that a plan asks for in addition to its operations are searched once these are applied.
 *
 * An image that is not found stays as it was. Nothing is written here, and only addresses get into a plan.
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
      return resolved(run, ask, sought, unfitNotes(left))
    },
    planned(asked, ask) {
      const { images, left } = fittingImages(asked, ask.input, ask.choice)
      return { images: images.map(({ target: _target, ...image }) => image), notes: unfitNotes(left), question: questionFor(images, ask) }
    },
    async illustrate(run, blocks, { input, source, isStreamed, settled }) {
      const sought = blocks.flatMap((block): readonly Sought[] => {
        const target = ownTarget(input.selection, block, input, 'imageUrl')
        return target ? [{ target, query: queryFor(undefined, target, titleOf(target.at, input)), sources: inOrder(sources, source) }] : []
      })
      await look(run, sought, { input, isStreamed }, (image, index) => settled(image && patchIn(sought[index]?.target.setTo(image)), index))
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

  /** With `settled` the images are only offered. */
  function look(run: Searching, sought: readonly Sought[], { input: { draft, locale }, isStreamed }: Pick<ImageAsk, 'input' | 'isStreamed'>, settled?: SearchOptions['settled']): Promise<readonly Found[]> {
    return search(run, sought, { draft, locale, longestMs, isStreamed, log, owns, settled })
  }

  function read(ask: ImageAsk): ReturnType<ImageWork['read']> {
    const { input, choice: before } = ask
    const types = [...input.registry.types(), ...(input.manifest?.types() ?? [])]
    const fresh = words.imageIntent(input.message, types)
    const open = fresh ? undefined : openIn(input.open)
    const answer = open && words.imageSource(input.message)
    const intent = fresh ?? (open && answer && words.imageIntent(open.message, types))
    const targets = intent && targetsOf(intent, input)
    if (!intent || !targets) return { answer }
    const source = intent.source ?? answer ?? before
    return {
      answer,
      async job(run) {
        if (targets.fields.length === 0) return { outcome: { kind: 'unchanged', summary: imageTextsIn(input.locale).noImage(typeName(targets.type, input)) } }
        if (source === undefined && hasChoice()) return { outcome: whichSource(input, input.message) }
        const order = inOrder(sources, source === 'any' ? undefined : source)
        return resolved(run, ask, targets.fields.map((target) => ({ target, query: queryFor(saidFor(intent, target), target, titleOf(target.at, input)), sources: order })))
      },
    }
  }

  /** The plan that sets what was found, where the fields are still what they were. */
  async function resolved(run: Searching, { input, isStreamed, draftNow }: ImageAsk, sought: readonly Sought[], leftBefore: ImageOutcome['notes'] = []): Promise<ImageOutcome> {
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
    return { outcome: { kind: 'plan', plan: { summary: texts.willSet(ops.length), changeLog: [], ops, remarks } }, notes: [...leftBefore, ...unique(missing).map((type) => ({ kind: 'images', type }) as const)] }
  }

  /** Whether images can be searched as well as generated. */
  function hasChoice(): boolean {
    return (['stock', 'generated'] as const).every((kind) => sources.some((source) => source.kind === kind && source.available))
  }

  /** The question for a source; it keeps an open one, since the planner is asked again with all that was said. */
  function questionFor(images: readonly Wanted[], { input, choice }: Pick<ImageAsk, 'input' | 'choice'>): Question | undefined {
    if (choice !== undefined || images.every(({ source }) => source !== undefined) || !hasChoice()) return undefined
    return whichSource(input, withAnswered(input))
  }
}

type Question = Extract<Outcome, { kind: 'question' }>

function whichSource({ locale }: PlanningInput, message: string): Question {
  const texts = imageTextsIn(locale)
  return { kind: 'question', question: texts.whichSource, suggestions: texts.sources, open: { message, memory: { asks: 'image source' } } }
}

const unfitNotes = (left: number): NonNullable<ImageOutcome['notes']> => (left > 0 ? [{ kind: 'unfit_images', type: '' }] : [])

const saidFor = ({ query, queries }: ImageIntent, { at }: Target): string | undefined => (at.kind === 'row' ? queries.get(at.index + 1) : undefined) ?? query

/** The operation that sets an image; `undefined` where its field has changed. A row is found by its place, where another one may be now. */
function settingOf({ target, image }: Found, scene: ImageScene): Operation | undefined {
  const now = targetAt(target.at, scene)
  return now && sameJson(target.was, now.was) ? target.setTo(image) : undefined
}

const creditOf = ({ image: { credit } }: Found, locale: string): string | undefined => credit && imageTextsIn(locale).credit(credit.name, credit.address)

const patchIn = (op: Operation | undefined): Props | undefined => (op?.op === 'update_props' ? op.patch : undefined)

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

const openIn = (open: OpenQuestion | undefined): OpenQuestion | undefined => (open && v.is(Memory, open.memory) ? open : undefined)
