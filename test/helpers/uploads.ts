/** What the tests of uploads have in common. */
import * as v from 'valibot'
import { give, randomIds, systemClock, use } from '../../kernel/index.ts'
import { openGates } from '../../kernel/testing.ts'
import { blobs, type Blobs } from '../../plugins/blobs/port.ts'
import media from '../../plugins/media/index.ts'
import { createMemoryStore } from '../../plugins/store/testing.ts'
import { store } from '../../plugins/store/port.ts'
import { upload, type FormFile } from './media-files.ts'
import { createMemoryBlobs } from './memory-blobs.ts'

export const mebibyte = 1024 * 1024
export const given = { clock: systemClock, ids: randomIds }
export const setting = (
  files: Blobs = createMemoryBlobs(given),
  env: Readonly<Record<string, string>> = {},
) => ({
  plugins: [use(media)],
  seeds: [...openGates, give(blobs, files), give(store, createMemoryStore())],
  env: { MEDIA_UPLOADS_PER_MIN: '0', ...env },
})

export const image = (file: FormFile) => upload('/image/upload', { field: 'image', ...file })
export const attachment = (file: FormFile) => upload('/attachment/upload', file)

export const Stored = v.object({
  url: v.string(),
  fileName: v.string(),
  bytes: v.number(),
  mimeType: v.string(),
  sha256: v.string(),
})
export const Refused = v.object({ code: v.string(), error: v.string(), reason: v.string() })
