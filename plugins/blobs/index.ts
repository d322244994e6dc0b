import { join } from 'node:path'
import * as v from 'valibot'
import { clock, definePlugin, ids, optional } from '../../kernel/index.ts'
import { store } from '../store/port.ts'
import { createFileBlobs } from './files.ts'
import { blobs } from './port.ts'
import { readBucket } from './s3/bucket.ts'
import { createStoredBlobs } from './stored.ts'

// For the command line.
export { copyBlobs } from './copy.ts'
export { createFileBlobs } from './files.ts'
export { createStoredBlobs } from './stored.ts'

/** Stores bytes under generated names: in the folder or bucket that is named, else in the database if it keeps files. */
export default definePlugin({
  name: 'blobs',
  tag: 'Media',
  options: v.object({
    /** The address of an S3-compatible bucket, instead of `BLOBS_URL`. */
    url: v.optional(v.string()),
  }),
  env: v.object({
    ORCHESTRATOR_GENERATED_IMAGE_DIR: v.pipe(
      v.optional(v.string()),
      v.description('The folder of the files that were uploaded or generated.'),
      v.metadata({
        otherwise: 'PostgreSQL where it keeps the content, else `generated-images` in the data directory',
      }),
    ),
    BLOBS_URL: v.pipe(
      v.optional(v.string()),
      v.description(
        'The S3-compatible bucket of these files, `s3://bucket/prefix?endpoint=…`, for a server without ORCHESTRATOR_GENERATED_IMAGE_DIR. A mount takes it as the option `url` of `blobs`.',
      ),
    ),
    AWS_ACCESS_KEY_ID: v.pipe(v.optional(v.string()), v.description('The key of that bucket.')),
    AWS_SECRET_ACCESS_KEY: v.pipe(v.optional(v.string()), v.description('Its secret part.')),
    AWS_SESSION_TOKEN: v.pipe(v.optional(v.string()), v.description('Its session, for temporary keys.')),
    AWS_REGION: v.pipe(
      v.optional(v.string()),
      v.description('The region of that bucket, unless its address has one.'),
      v.metadata({ otherwise: 'us-east-1' }),
    ),
    ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
  }),
  needs: { store: optional(store), clock, ids },
  gives: { blobs },
}).setup(async ({ needs: { store, ...needs }, options, env, shape, log }) => {
  const chosen = env.ORCHESTRATOR_GENERATED_IMAGE_DIR
  const url = options.url ?? (shape === 'standalone' ? env.BLOBS_URL : undefined)
  if (url !== undefined && chosen === undefined) {
    const { createS3Blobs } = await import('./s3/blobs.ts')
    return { gives: { blobs: await createS3Blobs({ place: readBucket(url, env), ...needs, log }) } }
  }
  if (store?.files && chosen === undefined)
    return { gives: { blobs: createStoredBlobs({ store, files: store.files, ...needs }) } }
  const folder = chosen ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'generated-images')
  return { gives: { blobs: await createFileBlobs({ folder, ...needs }) } }
})
