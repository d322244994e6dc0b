import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { imageUpload } from '../port.ts'
import { refusals } from './refusals.ts'

/** The purposes of a description. */
export const purposes = ['edit-context', 'alt'] as const
export type Purpose = (typeof purposes)[number]

const Interpretation = v.object({
  /** One sentence without markup, of at most 400 characters. */
  text: v.string(),
  model: v.string(),
  bytes: v.number(),
  mimeType: v.string(),
})

const upload = imageUpload('purpose')

export const routes = defineRoutes({
  interpret: {
    method: 'POST',
    path: '/image/interpret',
    gate: gates.access,
    can: 'plan',
    sites: 'none',
    summary:
      'Describes an image from the form field `image`; with `alt` in the field `purpose`, as an alt text. Nothing is stored.',
    ...upload.form,
    replies: { 200: Interpretation },
    refusals: [...upload.refusals, refusals.failed, refusals.notConfigured],
  },
})
