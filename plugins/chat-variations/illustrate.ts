import { Canceled, type ImageWork, type SourceKind, type Variation } from '../chat/port.ts'
import type { Props } from '../content/model.ts'
import type { VariationTask } from './call.ts'

interface IllustrationMeans {
  readonly images: ImageWork
  /** The source to ask first. */
  readonly source: SourceKind
  /** True if all variations get the same image. */
  readonly isShared: boolean
}

/**
 * Searches for an image for each variation, by its texts, and counts the variations `without` one. If none is
 * found in time, or the block may not have it, the variation keeps its texts and loses the image description;
 * without texts it is left out. Throws `Canceled` when the run is canceled.
 */
export async function illustrated(
  written: readonly Variation[], { input, run, block, tried, settled }: VariationTask, { images, source, isShared }: IllustrationMeans,
) {
  const ready = new Map<number, Variation>()
  const settle = (image: Props | undefined, index: number): void => {
    const variation = written[index]
    if (!variation) return
    const result = image && tried({ ...variation.patch, ...image })
    const made = result && 'patch' in result ? withPatch(variation, result.patch) : undefined
    if (made) ready.set(index, made)
    settled(made ?? withoutAlt(variation), index)
  }
  const blocks = written.map(({ patch }) => ({ ...block, props: { ...block.props, imageAlt: undefined, ...patch } }))
  await images.illustrate(run, isShared ? blocks.slice(0, 1) : blocks, {
    input, source, isStreamed: run.isStreamed,
    settled: (image, index) => (isShared ? written.forEach((_, each) => settle(image, each)) : settle(image, index)),
  })
  if (run.signal.aborted) throw new Canceled()
  const variations = written.map((variation, index) => ready.get(index) ?? withoutAlt(variation))
  return { variations: variations.filter(({ changedKeys }) => changedKeys.length > 0), without: written.length - ready.size }
}

function withoutAlt(variation: Variation): Variation {
  const { imageAlt: _alt, ...patch } = variation.patch
  return withPatch(variation, patch)
}

/** Returns a variation with another patch. */
export const withPatch = (variation: Pick<Variation, 'id' | 'title' | 'summary'>, patch: Variation['patch']): Variation =>
  ({ ...variation, patch, changedKeys: Object.keys(patch) })
