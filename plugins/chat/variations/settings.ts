import * as v from 'valibot'
import { type SourceKind, sourceKinds } from '../types/plan.ts'

export const VariationVariables = v.object({
  VARIATION_DEFAULT_IMAGE_SOURCE: v.pipe(
    v.optional(v.string(), 'unsplash'),
    v.description('Which images variations ask for first where the message names none: `unsplash` for those of photo libraries, `generated`, or `brand` for those of the site.'),
  ),
})
export type VariationVariables = v.InferOutput<typeof VariationVariables>

/** The source of images that is asked first. A word that means nothing leaves the default, and `warn` is told the variable. */
export function toImageSource({ VARIATION_DEFAULT_IMAGE_SOURCE: value }: VariationVariables, warn: (variable: keyof VariationVariables) => void): SourceKind {
  const word = value.trim().toLowerCase()
  const kind = sourceKinds.find((each) => each === word)
  if (!kind && word !== 'unsplash') warn('VARIATION_DEFAULT_IMAGE_SOURCE')
  return kind ?? 'stock'
}
