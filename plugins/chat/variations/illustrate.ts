import { Canceled, type ImageWork, type Variation } from '../port.ts'
import type { SourceKind } from '../../media/port.ts'
import type { Props } from '../../content/model.ts'
import type { VariationTask } from './call.ts'

/**
 * Searches for an image for each variation, by its texts, and counts the variations `without` one. If none is
 * found in time, or the block may not have it, the variation keeps its texts and loses the image description;
 * without texts it is left out. `source` is asked first; if `isShared`, all get the same image. Throws
 * `Canceled` when the run is canceled.
 */
export async function illustrated(
  written: readonly Variation[],
  task: VariationTask,
  images: ImageWork,
  { source, isShared }: { readonly source: SourceKind; readonly isShared: boolean },
) {
  const { input, run, block, tried, settled } = task
  const complete = written.map((variation) => {
    const { imageAlt: _alt, ...patch } = variation.patch
    return withPatch(variation, patch)
  })
  let without = written.length
  const settle = (image: Props | undefined, variation: Variation, index: number): void => {
    const result = image && tried({ ...variation.patch, ...image })
    if (result && 'patch' in result) {
      complete[index] = withPatch(variation, result.patch)
      without -= 1
    }
    settled(complete[index] ?? variation, index)
  }
  const blocks = (isShared ? written.slice(0, 1) : written).map(({ patch }) => ({
    ...block,
    props: { ...block.props, imageAlt: undefined, ...patch },
  }))
  await images.illustrate(run, blocks, {
    source,
    scene: input,
    settled: (image, at) =>
      written.forEach((variation, index) => {
        if (isShared || at === index) settle(image, variation, index)
      }),
  })
  if (run.signal.aborted) throw new Canceled()
  return { variations: complete.filter(({ changedKeys }) => changedKeys.length > 0), without }
}

/** Returns a variation with another patch. */
export const withPatch = (of: Omit<Variation, 'patch' | 'changedKeys'>, patch: Props): Variation => ({
  ...of,
  patch,
  changedKeys: Object.keys(patch),
})
