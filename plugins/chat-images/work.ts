import * as v from 'valibot'
import {
  type ImageAsk, type ImageIntent, type ImageOutcome, type ImageScene, type ImageWork, type MessageReader, type OpenQuestion,
  type Outcome, type PlanningInput, type Searching, withAnswered,
} from '../chat/port.ts'
import { typeName } from '../content/naming.ts'
import type { Operation } from '../content/operations/index.ts'
import { sameJson } from '../content/same-json.ts'
import { ownTarget, type Target, targetAt } from './fields.ts'
import { queryFor } from './query.ts'
import { type Found, search, type SearchMeans, type Sought } from './search.ts'
import { targetsOf } from './targets.ts'
import { imageTextsIn } from './texts.ts'
import { fittingImages, stillWanted } from './wanted.ts'

/** Marks an open question as the question for an image source. */
const Memory = v.object({ asks: v.literal('image source') })

/**
 * Creates the image work: a message that only asks for new images becomes a plan with their addresses,
 * without a model; images that a plan asks for besides operations are searched once those are applied.
 *
 * An image that is not found stays unchanged. Nothing is written here, and only addresses get into a plan.
 */
export function createImageWork(words: MessageReader, means: SearchMeans): ImageWork {
  const { sources } = means
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
      return resolved(run, ask, wanted, unfitNotes(left))
    },
    planned(asked, ask) {
      const { images, left } = fittingImages(asked, ask.input, ask.choice)
      const question = questionFor(images, ask)
      return { images: images.map(({ target: _target, ...image }) => image), notes: unfitNotes(left), question }
    },
    async illustrate(run, blocks, { settled, source, ...ask }) {
      const { input } = ask
      const sought = blocks.flatMap((block): readonly Sought[] => {
        const target = ownTarget(input.selection, block, input, 'imageUrl')
        return target ? [{ target, query: queryFor(undefined, target, input), source }] : []
      })
      await search(run, sought, ask, means, (image, index) => {
        const op = image && sought[index]?.target.setTo(image)
        settled(op?.op === 'update_props' ? op.patch : undefined, index)
      })
    },
    async find(run, images, ask) {
      const sought = images.flatMap((image): readonly Sought[] => {
        const target = stillWanted(image, ask.input)
        return target ? [{ ...image, target }] : []
      })
      if (sought.length === 0) return []
      const found = await search(run, sought, ask, means)
      return found.map((each) => ({
        type: each.target.type,
        credit: creditOf(each, ask.input),
        operation: (scene) => settingOf(each, scene),
      }))
    },
  }

  function read(ask: ImageAsk): ReturnType<ImageWork['read']> {
    const { input, choice } = ask
    const types = [...input.registry.types(), ...(input.manifest?.types() ?? [])]
    const fresh = words.imageIntent(input.message, types)
    const open = fresh ? undefined : openIn(input.open)
    const answer = open && words.imageSource(input.message)
    const intent = fresh ?? (open && answer && words.imageIntent(open.message, types))
    const targets = intent && targetsOf(intent, input)
    if (!intent || !targets) return { answer }
    const chosen = intent.source ?? answer ?? choice
    const source = chosen === 'any' ? undefined : chosen
    return {
      answer,
      async job(run) {
        const sought = targets.fields.map((target) => ({ target, query: queryFor(saidFor(intent, target), target, input), source }))
        const { noImage } = imageTextsIn(input.locale)
        if (sought.length === 0) return { outcome: { kind: 'unchanged', summary: noImage(typeName(targets.type, input)) } }
        if (chosen === undefined && hasChoice()) return { outcome: whichSource(input, input.message) }
        return resolved(run, ask, sought)
      },
    }
  }

  /** Returns a plan that sets the found images in fields that have not changed. */
  async function resolved(run: Searching, ask: ImageAsk, sought: readonly Sought[], unfit: Notes = []): Promise<ImageOutcome> {
    const { input } = ask
    const texts = imageTextsIn(input.locale)
    const found = await search(run, sought, ask, means)
    if (found.length === 0) return { outcome: { kind: 'unchanged', summary: texts.nothingFound } }
    const now = { ...input, draft: await ask.draftNow() }
    const settings = new Map(found.flatMap((each) => {
      const op = settingOf(each, now)
      return op ? [[each.target, op]] : []
    }))
    if (settings.size === 0) return { outcome: { kind: 'unchanged', summary: texts.changedConcurrently } }
    const ops = [...settings.values()]
    const remarks = unique(found.flatMap((each) => (settings.has(each.target) ? (creditOf(each, input) ?? []) : [])))
    const missing = unique(sought.flatMap(({ target }) => (settings.has(target) ? [] : [target.type])))
    return {
      outcome: { kind: 'plan', plan: { summary: texts.willSet(ops.length), changeLog: [], ops, remarks } },
      notes: [...unfit, ...missing.map((type) => ({ kind: 'images', type }) as const)],
    }
  }

  /** Whether images can be both searched and generated. */
  function hasChoice(): boolean {
    return (['stock', 'generated'] as const).every((kind) => sources.some((source) => source.kind === kind && source.available))
  }

  /** Asks for a source. Keeps an open question: the planner is asked again with the complete request. */
  function questionFor(images: readonly Sought[], { input, choice }: Pick<ImageAsk, 'input' | 'choice'>): Question | undefined {
    if (choice !== undefined || images.every(({ source }) => source !== undefined) || !hasChoice()) return undefined
    return whichSource(input, withAnswered(input))
  }
}

type Notes = NonNullable<ImageOutcome['notes']>
type Question = Extract<Outcome, { kind: 'question' }>

function whichSource({ locale }: PlanningInput, message: string): Question {
  const { whichSource: question, sources: suggestions } = imageTextsIn(locale)
  return { kind: 'question', question, suggestions, open: { message, memory: { asks: 'image source' } } }
}

const unfitNotes = (left: number): Notes => (left > 0 ? [{ kind: 'unfit_images', type: '' }] : [])

const saidFor = ({ query, queries }: ImageIntent, { at }: Target): string | undefined =>
  (at.kind === 'row' ? queries.get(at.index + 1) : undefined) ?? query

/** Returns the operation that sets an image; `undefined` if its field or row has changed. */
function settingOf({ target, image }: Found, scene: ImageScene): Operation | undefined {
  const now = targetAt(target.at, scene)
  return now && sameJson(target.was, now.was) ? target.setTo(image) : undefined
}

const creditOf = ({ image: { credit } }: Found, { locale }: PlanningInput): string | undefined =>
  credit && imageTextsIn(locale).credit(credit.name, credit.address)

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

const openIn = (open: OpenQuestion | undefined): OpenQuestion | undefined => (v.is(Memory, open?.memory) ? open : undefined)
