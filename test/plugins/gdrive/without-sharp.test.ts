import { registerHooks } from 'node:module'
import t from 'tap'
import { systemClock, use } from '../../../kernel/index.ts'
import { mountForTest, stillClock } from '../../../kernel/testing.ts'
import gdrive from '../../../plugins/gdrive/index.ts'
import media from '../../../plugins/media/index.ts'
import { startDrive } from '../../helpers/drive-server.ts'
import { files } from '../../helpers/media-files.ts'
import { page, publishing, startWebsite } from '../../helpers/publishing.ts'
import { editor, refused } from '../../helpers/stack.ts'

registerHooks({ resolve: (name, context, next) => next(name === 'sharp' ? 'not-installed' : name, context) })

t.test('without sharp images are stored and published unconverted', async (t) => {
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
  const site = await startWebsite(t)
  const own = 'http://localhost:4200'
  const env = {
    ...drive.account,
    GOOGLE_DRIVE_FOLDER_ID: root,
    ORCHESTRATOR_CORS_ORIGINS: site.origin,
    ORCHESTRATOR_PUBLIC_ORIGIN: own,
  }
  const mounted = mountForTest(
    t,
    publishing({
      env,
      time: stillClock(systemClock.now().toISOString()),
      plugins: [use(media), use(gdrive, {})],
    }),
  )
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

  const edit = editor((request) => mounted.inject(request))
  await edit.bootstrap([page('/', 'Hello', { imageUrl: `${own}/gdrive/images/jpeg` })])
  t.equal((await edit.send('/publish', { siteOrigin: site.origin })).status, 200)
  const [sent] = site.sent()
  t.match(sent?.body['pages'], [{ blocks: [{ props: { imageUrl: '/generated-images/gdrive_jpeg.jpg' } }] }])
  site.answers.pages = { status: 200, body: { pages: sent?.body['pages'] } }
  t.match((await edit.get('/publish/diff', { siteOrigin: site.origin })).json(), {
    summary: { pagesModified: 0, pagesUnchanged: 1 },
  })
})
