/** A picture that an editor adds. */
import type { MediaFile } from '../../plugins/content/port.ts'
import { png } from './media-files.ts'

export const fileBytes = png(8, 8)

/** Returns an uploaded picture as an adapter gets it. */
export const file = ({
  name = 'My photo.png',
  type = 'image/png',
  use,
  bytes = fileBytes,
}: Partial<Pick<MediaFile, 'name' | 'type' | 'use'>> & { readonly bytes?: Buffer }): MediaFile => ({
  name,
  type,
  use,
  size: bytes.length,
  async *bytes() {
    yield bytes
  },
  signal: AbortSignal.timeout(10_000),
})
