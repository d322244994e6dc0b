import { join } from 'node:path'
import * as v from 'valibot'
import { clock, definePlugin, ids, optional } from '../../kernel/index.ts'
import { store } from '../store/port.ts'
import { createFileBlobs } from './files.ts'
import { blobs } from './port.ts'
import { createStoredBlobs } from './stored.ts'

/** Stores bytes under generated names: in the folder that is named, else in the database if it keeps files, else in a folder. */
export default definePlugin({
  name: 'blobs',
  tag: 'Media',
  env: v.object({
    ORCHESTRATOR_GENERATED_IMAGE_DIR: v.pipe(
      v.optional(v.string()),
      v.description('The folder of the files that were uploaded or generated.'),
      v.metadata({
        otherwise: 'PostgreSQL where it keeps the content, else `generated-images` in the data directory',
      }),
    ),
    ORCHESTRATOR_DATA_DIR: v.optional(v.string()),
  }),
  needs: { store: optional(store), clock, ids },
  gives: { blobs },
}).setup(async ({ needs: { store, ...needs }, env }) => {
  const chosen = env.ORCHESTRATOR_GENERATED_IMAGE_DIR
  if (store?.files && chosen === undefined)
    return { gives: { blobs: createStoredBlobs({ store, files: store.files, ...needs }) } }
  const folder = chosen ?? join(env.ORCHESTRATOR_DATA_DIR ?? '.orchestrator', 'generated-images')
  return { gives: { blobs: await createFileBlobs({ folder, ...needs }) } }
})
