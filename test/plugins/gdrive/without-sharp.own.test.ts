import { registerHooks } from 'node:module'
import t from 'tap'
import { use } from '../../../kernel/index.ts'
import { mountForTest } from '../../../kernel/testing.ts'
import gdrive from '../../../plugins/media/gdrive/index.ts'
import media from '../../../plugins/media/index.ts'
import { startDrive } from '../../helpers/drive-server.ts'
import { files } from '../../helpers/media-files.ts'
import { draftsInMemory, refused } from '../../helpers/stack.ts'

registerHooks({ resolve: (name, context, next) => next(name === 'sharp' ? 'not-installed' : name, context) })

t.test('without sharp images are stored unconverted', async (t) => {
  const root = 'folder-root'
  const kinds = [
    ['jpeg', 'jpg'],
    ['png', 'png'],
    ['gif', 'gif'],
    ['webp', 'webp'],
  ] as const
  const drive = await startDrive(t, [
    ...kinds.map(([kind]) => ({
      id: kind,
      name: `a.${kind}`,
      mimeType: `image/${kind}`,
      parents: [root],
      bytes: files[kind],
    })),
    { id: 'turned', name: 'a.png', mimeType: 'image/png', parents: [root], bytes: files.turned },
    {
      id: 'half',
      name: 'a.jpg',
      mimeType: 'image/jpeg',
      parents: [root],
      bytes: files.jpeg.subarray(0, -40),
    },
  ])
  const env = { ...drive.account, GOOGLE_DRIVE_FOLDER_ID: root }
  const mounted = mountForTest(t, draftsInMemory({ plugins: [use(media), use(gdrive, {})], env }))
  for (const [kind, extension] of kinds) {
    const answer = await mounted.fetch(new Request(`http://localhost/gdrive/images/${kind}`))
    t.strictSame([answer.status, answer.headers.get('content-type')], [200, `image/${kind}`])
    t.strictSame(Buffer.from(await answer.arrayBuffer()), files[kind])
    t.equal((await mounted.inject({ url: `/generated-images/gdrive_${kind}.${extension}` })).status, 200)
  }
  t.match(
    (await mounted.inject({ method: 'POST', url: '/gdrive/import', json: { fileId: 'turned' } })).json(),
    { fileName: 'gdrive_turned.jpg', width: 30, height: 40 },
  )
  t.match(refused(await mounted.inject({ url: '/gdrive/images/half' })), { status: 404, code: 'not_found' })
})
