import * as v from 'valibot'

/** What a description is for. */
export const purposes = ['edit-context', 'alt'] as const
export type Purpose = (typeof purposes)[number]

export const Interpretation = v.object({
  /** One sentence without markup, of at most 400 characters. */
  text: v.string(),
  model: v.string(),
  bytes: v.number(),
  mimeType: v.string(),
})
