import { inputOf } from '../pipeline/plan.ts'
import type { CheckDeps } from '../pipeline/validate.ts'
import type { Variation } from '../result.ts'
import type { Props } from '../../content/model.ts'
import { type ImageWork, searchingOf } from '../types/images.ts'
import type { SourceKind } from '../types/plan.ts'
import { checkpoint } from '../types/run.ts'
import { tried } from './attempt.ts'
import type { VariationTask } from './call.ts'

export interface IllustrationMeans {
  readonly images: ImageWork
  readonly source: SourceKind
  /** All variations get the same image. */
  readonly isShared: boolean
  readonly check: CheckDeps
  /** Told of each variation as it stays. */
  tell(variation: Variation, index: number): void
}

/** Variations with their images, and how many got none. */
export interface Illustrated {
  readonly variations: readonly Variation[]
  readonly without: number
}

/**
 * Looks for an image for each variation, by what it says. Where nobody has one in time, or no page may have it, the variation
 * keeps its texts and loses the description of the image; one that was nothing else goes.
 */
export async function illustrated(written: readonly Variation[], { run, context, block }: VariationTask, { images, source, isShared, check, tell }: IllustrationMeans): Promise<Illustrated> {
  const ready = new Map<number, Variation | undefined>()
  const settle = (image: Props | undefined, index: number): void => {
    const variation = written[index]
    if (!variation) return
    const made = image && withImage(variation, image)
    ready.set(index, made)
    tell(made ?? withoutAlt(variation), index)
  }
  const blocks = written.map(({ patch }) => ({ ...block, props: { ...block.props, imageAlt: undefined, ...patch } }))
  await images.illustrate(searchingOf(run), isShared ? blocks.slice(0, 1) : blocks, {
    source, isStreamed: run.how.isStreamed, input: inputOf(run, context),
    settled: (image, index) => (isShared ? written.forEach((_, each) => settle(image, each)) : settle(image, index)),
  })
  checkpoint(run)
  const variations = written.map((variation, index) => ready.get(index) ?? withoutAlt(variation)).filter(({ changedKeys }) => changedKeys.length > 0)
  return { variations, without: written.filter((_, index) => ready.get(index) === undefined).length }

  function withImage(variation: Variation, image: Props): Variation | undefined {
    const result = tried({ ...variation.patch, ...image }, block, context, run, check)
    return result.ok ? toVariation(variation, result.patch) : undefined
  }
}

function withoutAlt(variation: Variation): Variation {
  const { imageAlt: _alt, ...patch } = variation.patch
  return toVariation(variation, patch)
}

const toVariation = (variation: Variation, patch: Variation['patch']): Variation => ({ ...variation, patch, changedKeys: Object.keys(patch) })
