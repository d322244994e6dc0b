import * as v from 'valibot'
import { type ImageAsk, type ImageScene, mostImages, type PlannedImage, WantedImage } from '../chat/port.ts'
import { resolveBlock } from '../content/resolve-block.ts'
import { slugSpellings } from '../content/slugs.ts'
import { readsAsInstruction } from '../content/words.ts'
import { ownTarget, pageTarget, rowTarget, siteTarget, type Target } from './fields.ts'
import { queryFor } from './query.ts'

const longestQuery = 120
const mostWords = 12
/** Words and the punctuation between them: no address, no markup. */
const plainWords = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} ,'’&-]*$/u

/**
 * Reads the images that a planner asks for, in the draft after its operations, and counts those `left` out.
 *
 * Leaves out images without an image field in a contract, repeated fields, images beyond the limit, and
 * queries that are an address, an instruction or not in plain words.
 */
export function fittingImages(asked: readonly unknown[], scene: ImageScene, choice: ImageAsk['choice']) {
  const images = new Map<string, PlannedImage>()
  for (const each of asked.slice(0, mostImages)) {
    const read = v.safeParse(WantedImage, each)
    const target = read.success ? namedTarget(read.output, scene) : undefined
    if (!read.success || !target) continue
    const { source = choice === 'any' ? undefined : choice } = read.output
    const said = (read.output.query ?? '').trim().split(/\s+/).slice(0, mostWords).join(' ')
    if (source === 'describe' || !isPlain(said)) continue
    const { at, type, was } = target
    const key = JSON.stringify(at)
    if (images.has(key)) continue
    images.set(key, { at, type, query: queryFor(said, target, scene), source, was })
  }
  return { images: [...images.values()], left: asked.length - images.size }
}

function namedTarget(wanted: WantedImage, scene: ImageScene): Target | undefined {
  const { pageSlug, blockId, listKey, index: row, field } = wanted
  const { draft, selection } = scene
  const spellings = new Set(slugSpellings(pageSlug ?? selection.slug))
  const page = draft.pages.find(({ slug }) => spellings.has(slug))
  if (blockId === undefined) {
    if (field === 'logo' || field === 'logoUrl') return siteTarget(draft.config)
    return page && field === 'ogImage' ? pageTarget(page) : undefined
  }
  const block = page && resolveBlock(page.blocks, blockId, { byType: true })?.block
  if (!page || !block) return undefined
  if (listKey === undefined) return row === undefined ? ownTarget(page, block, scene, field) : undefined
  return row === undefined ? undefined : rowTarget(page, block, scene, { listKey, index: row, field })
}

/** Whether a query can be sent to sources; an empty one is replaced by the text next to the image. */
const isPlain = (said: string): boolean =>
  said === '' || (said.length <= longestQuery && plainWords.test(said) && !readsAsInstruction(said))
