import * as v from 'valibot'
import { clock, definePlugin, optional } from '../../kernel/index.ts'
import { ProxyVariables } from '../auth/port.ts'
import { blobs, invalidFileName, typeOf } from '../blobs/port.ts'
import { mountPath } from '../sites/port.ts'
import { features } from '../health/status/port.ts'
import { store } from '../store/port.ts'
import { publicBase } from './address.ts'
import { createLibrary, entries } from './library.ts'
import { createMedia } from './media.ts'
import { createReadPdf } from './text.ts'
import { media } from './port.ts'
import { refusals } from './refusals.ts'
import { createQuota } from './store.ts'
import { routes } from './routes.ts'
import { MediaVariables } from './schemas.ts'
import { createSizes, toFileAnswer } from './serve.ts'
import { createUploads } from './uploads.ts'

/** Uploads of images and attachments, and the public route for stored files. */
export default definePlugin({
  name: 'media',
  tag: 'Media',
  needs: { blobs, clock, store, mountPath: optional(mountPath) },
  gives: { features, media },
  collections: [entries],
  env: v.object({ ...MediaVariables.entries, ...ProxyVariables.entries }),
  routes,
}).setup(({ needs: { blobs, clock, store, mountPath }, env, shape, log }) => {
  const quota = createQuota({ blobs, maxBytes: env.MEDIA_STORE_MAX_BYTES })
  const base = publicBase(env, { shape, mountPath })
  const sizes = createSizes({ blobs, quota, log })
  const addressOf = (path: `/${string}`): string => base + path
  const library = createLibrary({ store, blobs, addressOf, log })
  const deps = { blobs, quota, library, addressOf, readPdf: createReadPdf() }
  const uploads = createUploads({
    ...deps,
    clock,
    counts: store,
    perMinute: env.MEDIA_UPLOADS_PER_MIN,
    trusted: env.TRUST_PROXY,
  })
  return {
    gives: { features: { attachments: true }, media: createMedia({ ...deps, uploads }) },
    handlers: {
      async file({ params: { fileName }, query: { w: width }, header }) {
        // Resized variants are addressed only through their original.
        if ([undefined, 'image/avif'].includes(typeOf(fileName))) throw invalidFileName()
        const blob = await blobs.open(fileName)
        if (!blob) throw refusals.notFound()
        return toFileAnswer(
          width === undefined ? blob : await sizes.of(blob, { width, accept: header('accept') ?? '' }),
          header,
        )
      },
      list: async ({ query, caller }) => ({
        status: 200,
        body: await library.list(query, caller.limits?.site),
      }),
      image: async (call) => ({ status: 200, body: await uploads.image(call) }),
      attachment: async (call) => ({ status: 200, body: await uploads.attachment(call) }),
    },
  }
})
