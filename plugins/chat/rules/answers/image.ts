import { focusedField, valueOf } from '../resolve/fields.ts'
import type { Answering } from './index.ts'

/** Where the selected image comes from; nobody has looked at it. */
export const selectedImage: Answering = (work) => {
  const field = focusedField(work)
  if (field?.meta.kind !== 'image') return undefined
  const address = valueOf(work, field)
  const { texts } = work.scene
  return typeof address === 'string' && address !== '' ? { summary: texts.imageAt, findings: [address] } : { summary: texts.noImage, findings: [] }
}
