/** What the service does where a package that a website need not install is missing. */
import { registerHooks } from 'node:module'
import t from 'tap'
import { use } from '../../kernel/index.ts'
import { failureOf, mountForTest, openGates } from '../../kernel/testing.ts'
import gdrive from '../../plugins/media/gdrive/index.ts'
import media from '../../plugins/media/index.ts'
import metrics from '../../plugins/metrics/index.ts'
import webhooks from '../../plugins/webhooks/index.ts'
import { folderWith, orchestrator } from '../config/helpers.ts'
import { startDrive } from '../helpers/drive-server.ts'
import { bearer } from '../helpers/mcp.ts'
import { files } from '../helpers/media-files.ts'
import { draftsInMemory, refused, startStack } from '../helpers/stack.ts'

const missing = new Set(['@modelcontextprotocol/server', 'prom-client', 'sharp', 'standardwebhooks'])
registerHooks({ resolve: (name, context, next) => next(missing.has(name) ? 'not-installed' : name, context) })

t.test('without the metrics package the answer says what to install', async (t) => {
  const { inject } = mountForTest(t, { plugins: [use(metrics)], seeds: openGates })
  t.match(refused(await inject({ url: '/metrics' })), {
    status: 503,
    code: 'metrics_missing',
    error: /npm install prom-client/,
  })
})

t.test('without the protocol package the answer says what to install', async (t) => {
  const { ask } = await startStack(t, { env: { MCP_BEARER_TOKEN: bearer } })
  const request = { method: 'POST', url: '/mcp', headers: { authorization: `Bearer ${bearer}` }, json: {} }
  for (let time = 0; time < 2; time++)
    t.match(refused(await ask(request)), {
      status: 503,
      code: 'mcp_missing',
      reason: /Run npm install @modelcontextprotocol\/server, and restart\.$/,
    })
  t.match(await orchestrator(folderWith(t), ['mcp'], { env: { MCP_SITE_ID: 'acme' } }), {
    code: 1,
    out: '',
    err: /^The package @modelcontextprotocol\/server is not installed\./,
  })
})

t.test(
  'without the signing package a service says what to install, unless it has no endpoints',
  async (t) => {
    const boot = (env: Readonly<Record<string, string>>) =>
      failureOf(mountForTest(t, draftsInMemory({ plugins: [use(webhooks, {})], env })).ready())
    const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
    t.match(await boot({ WEBHOOK_URL: 'https://hooks.test', WEBHOOK_SECRET }), /npm install standardwebhooks/)
    t.equal(await boot({}), 'did not fail')
  },
)

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
