import { registerHooks } from 'node:module'
import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest } from '../../../kernel/testing.ts'
import media from '../../../plugins/media/index.ts'
import { files, upload } from '../../helpers/media-files.ts'
import { draftsInMemory, refused } from '../../helpers/stack.ts'

registerHooks({
  resolve: (name, context, next) => next(name === 'file-type' ? 'not-installed' : name, context),
})

t.test('without the file type package an upload says what to install, and stores nothing', async (t) => {
  const mounted = mountForTest(t, draftsInMemory({ plugins: [use(media)] }))
  const image = { field: 'image', type: 'image/png', bytes: files.png }
  const answer = await mounted.inject(upload('/image/upload', image))
  t.match(refused(answer), { status: 503, code: 'file_types_missing', error: /npm install file-type/ })
})
