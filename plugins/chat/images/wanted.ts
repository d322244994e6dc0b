import * as v from 'valibot'
import {
  type ImageChoice,
  type ImageScene,
  mostImages,
  type OpenQuestion,
  type Outcome,
  type PlannedImage,
  type PlanningInput,
  WantedImage,
  withAnswered,
} from '../port.ts'
import { resolveBlock } from '../../content/operations/target.ts'
import { sameJson } from '../../content/plain-object.ts'
import { slugSpellings } from '../../content/slugs.ts'
import { readsAsInstruction } from '../../content/words.ts'
import { fieldAt, type ImageField } from './fields.ts'

/** Marks an open question as the question for an image source. */
const memory = { asks: 'image source' } as const

/** The answers that clients show as buttons; they know them by these words. */
const chips: Readonly<Record<string, ImageChoice>> = {
  'Use Unsplash': 'stock',
  'Generate with AI': 'generated',
  Either: 'any',
}

/** Asks for a source. The question keeps the request, which is planned again with the answer. */
export const whichSource = (input: PlanningInput): Extract<Outcome, { kind: 'question' }> => ({
  kind: 'question',
  question: 'Should the image come from a photo library, or should it be generated?',
  suggestions: Object.keys(chips),
  open: { message: withAnswered(input), memory },
})

/** The source that a message chooses: a chip, in answer to the question for one. */
export function chosenIn(message: string, open: OpenQuestion | undefined): ImageChoice | undefined {
  if (!sameJson(open?.memory, memory)) return undefined
  const text = message.trim().toLowerCase()
  return Object.entries(chips).find(([chip]) => text.startsWith(chip.toLowerCase()))?.[1]
}

const longestQuery = 120
const mostWords = 12
/** Words and the punctuation between them: no address, no markup. */
const plainWords = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’&-]*$/u

/** Returns the first words of a text as a search query; `undefined` for an address, markup or an instruction. */
export function queryOf(text: string): string | undefined {
  const query = text.trim().split(/\s+/).slice(0, mostWords).join(' ')
  const isFit = query.length <= longestQuery && plainWords.test(query) && !readsAsInstruction(query)
  return isFit ? query : undefined
}

/**
 * Reads the images that a planner asks for, in the draft after its operations, and counts the others as `omitted`.
 *
 * Leaves out images without an image field in a contract, repeated fields, images beyond the limit, and
 * queries that are missing, an address, an instruction or not in plain words.
 */
export function fittingImages(
  requested: readonly unknown[],
  scene: ImageScene,
  choice: ImageChoice | undefined,
) {
  const images = new Map<string, PlannedImage>()
  for (const each of requested.slice(0, mostImages)) {
    const { success, output: wanted } = v.safeParse(WantedImage, each)
    if (!success) continue
    const field = fieldFor(wanted, scene)
    const query = queryOf(wanted.query ?? '')
    const { source = choice === 'any' ? undefined : choice } = wanted
    if (!field || query === undefined || source === 'describe') continue
    const { at, type, was } = field
    const key = JSON.stringify(at)
    if (!images.has(key)) images.set(key, { at, type, query, source, was })
  }
  return { images: [...images.values()], omitted: requested.length - images.size }
}

function fieldFor(wanted: WantedImage, scene: ImageScene): ImageField | undefined {
  const { pageSlug: slug, blockId: named, listKey, index, field } = wanted
  const { draft, selection } = scene
  if (named === undefined && (field === 'logo' || field === 'logoUrl'))
    return fieldAt({ kind: 'site' }, scene)
  const spellings = new Set(slugSpellings(slug ?? selection.slug))
  const page = draft.pages.find((each) => spellings.has(each.slug))
  if (!page) return undefined
  const { slug: pageSlug } = page
  if (named === undefined) return field === 'ogImage' ? fieldAt({ kind: 'page', pageSlug }, scene) : undefined
  const blockId = resolveBlock(page.blocks, named, { byType: true })?.block.id
  if (blockId === undefined || (listKey === undefined) !== (index === undefined)) return undefined
  const kind = listKey === undefined ? 'block' : 'row'
  return fieldAt({ kind, pageSlug, blockId, listKey, index, field }, scene)
}
