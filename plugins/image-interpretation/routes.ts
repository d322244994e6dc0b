import { defineRoutes, gates } from '../../kernel/index.ts'
import { imageUpload } from '../media/port.ts'
import { Interpretation } from './schemas.ts'

const { form, refusals } = imageUpload('purpose')

export const routes = defineRoutes({
  interpret: {
    method: 'POST',
    path: '/image/interpret',
    gate: gates.access,
    can: 'plan',
    sites: 'none',
    summary: 'Describes an image, sent in the field `image` of a form, for an edit or, with the field `purpose` as `alt`, for people who cannot see it; nothing is stored.',
    ...form,
    replies: { 200: Interpretation },
    refusals: { ...refusals, 502: 'interpretation_failed', 503: 'vision_not_configured' },
  },
})
