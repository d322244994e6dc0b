import { join } from 'node:path'
import * as v from 'valibot'
import { clock, definePlugin, ids } from '../../kernel/index.ts'
import { createFileBlobs } from './files.ts'
import { blobs } from './port.ts'

/** Stores bytes under generated names in a folder. */
export default definePlugin({
  name: 'blobs',
  tag: 'Media',
  env: v.object({
    ORCHESTRATOR_GENERATED_IMAGE_DIR: v.pipe(
      v.optional(v.string()),
      v.description('The folder of the files that were uploaded or generated.'),
      v.metadata({ otherwise: '`generated-images` in the data directory' }),
    ),
    ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
  }),
  needs: { clock, ids },
  gives: { blobs },
}).setup(async ({ needs, env }) => {
  const folder =
    env.ORCHESTRATOR_GENERATED_IMAGE_DIR ??
    join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'generated-images')
  return { gives: { blobs: await createFileBlobs({ folder, ...needs }) } }
})
