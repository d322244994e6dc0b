import type { Note } from '../types/plan.ts'

/** Some of what a plan asks for is nothing that anybody could look for. */
export const unfitImages: Note = { kind: 'unfit_images', type: '' }

/** A plan asks for images, and nothing looks for any. */
export const noImages: Note = { kind: 'no_images', type: '' }

/** Images of these types, or on these pages, that are not there. */
export const missingImages = (types: readonly string[]): readonly Note[] => [...new Set(types)].map((type) => ({ kind: 'images', type }))
