import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { mountForTest } from '../../../kernel/testing.ts'
import { createFileBlobs } from '../../../plugins/blobs/testing.ts'
import { startLibrary } from '../../helpers/library.ts'
import { files, largePng, pdf, png } from '../../helpers/media-files.ts'
import { refused, startStack, temporaryFolder } from '../../helpers/stack.ts'
import { attachment, given, image, mebibyte, setting } from '../../helpers/uploads.ts'

t.test('uploads require the credentials of the gate, and stored files are always public', async (t) => {
  const token = 'an-access-token-of-some-length'
  const requests = [
    image({ type: 'image/png', bytes: files.png }),
    attachment({ type: 'application/pdf', bytes: files.pdf }),
  ]
  const access = { ORCHESTRATOR_ACCESS_TOKEN: token }
  const auth = ({ headers }: { readonly headers: Headers }) => headers.get('x-access-token') === token
  type Env = Readonly<Record<string, string>>
  const inLibrary =
    (mode: string, env: Env, options = {}) =>
    async (t: Test, dataDir: string) => {
      const library = await startLibrary(t, { ...env, ORCHESTRATOR_DATA_DIR: dataDir }, options)
      t.match((await library.ask({ url: '/auth/status' })).json(), { mode })
      return library
    }
  const alone = (env: Env) => (t: Test, dataDir: string) =>
    startStack(t, { dataDir, env: { ...access, ...env } })
  /** The status without and with the token. */
  const modes = [
    [inLibrary('open-dev', {}), 200, 200],
    [inLibrary('token', access), 401, 200],
    [inLibrary('closed', { NODE_ENV: 'production' }), 401, 401],
    [inLibrary('hook', {}, { auth }), 401, 200],
    [alone({ ORCHESTRATOR_GATE: 'agent' }), 200, 200],
    [alone({ ORCHESTRATOR_GATE: 'all' }), 401, 200],
  ] as const
  for (const [at, [start, ...statuses]] of modes.entries())
    await t.test(`mode ${at}`, async (t) => {
      const dataDir = temporaryFolder(t)
      const stored = await createFileBlobs({ folder: join(dataDir, 'generated-images'), ...given })
      const { key } = await stored.put(files.png, { type: 'image/png', extension: 'png' })
      const { ask } = await start(t, dataDir)
      for (const request of requests) {
        const without = await ask(request)
        const headers = { ...request.headers, 'x-access-token': token }
        t.strictSame([without.status, (await ask({ ...request, headers })).status], statuses)
        if (without.status !== 200) t.match(without.json(), { error: 'unauthorized' })
      }
      for (const method of ['GET', 'HEAD']) {
        const served = await ask({ url: `/generated-images/${key}`, method })
        t.strictSame([served.status, served.headers.get('content-type')], [200, 'image/png'])
      }
    })
})

t.test('files up to the limits of size are stored, and larger ones are refused', async (t) => {
  const folder = join(t.testdir(), 'images')
  const { inject } = mountForTest(t, setting(await createFileBlobs({ folder, ...given })))
  const tooLarge = largePng(10 * mebibyte + 1)
  for (const request of [
    image({ type: 'image/png', bytes: tooLarge }),
    attachment({ type: 'image/png', bytes: tooLarge }),
    attachment({ type: 'application/pdf', bytes: pdf('', '', 25 * mebibyte) }),
  ])
    t.match(refused(await inject(request)), { status: 413, code: 'file_too_large' })
  t.strictSame(await readdir(folder).catch(() => []), [])
  for (const bytes of [largePng(10 * mebibyte), png(8000, 5000, 1)])
    t.equal((await inject(image({ type: 'image/png', bytes }))).status, 200)
  const nearly = 25 * mebibyte - 10_000
  const largest = pdf('', '', nearly + (25 * mebibyte - pdf('', '', nearly).length))
  t.equal(largest.length, 25 * mebibyte)
  t.equal((await inject(attachment({ type: 'application/pdf', bytes: largest }))).status, 200)
})

t.test('a PDF with a few bytes too many, which every reader accepts, is accepted', async (t) => {
  const { inject } = mountForTest(t, setting())
  const before = (bytes: string) => Buffer.concat([Buffer.from(bytes, 'latin1'), files.pdf])
  const after = (bytes: string | Buffer) => Buffer.concat([files.pdf, Buffer.from(bytes)])
  for (const [why, bytes] of [
    ['after empty lines', before('\r\n\r\n')],
    ['after zeros and a byte order mark', before('\0\0\xef\xbb\xbf\n')],
    ['after commands of a printer', before('\x1b%-12345X@PJL SET DUPLEX=ON\r\n')],
    ['after a line of text', before('Some text of a mail program\n\n')],
    ['after the headers of its download', before('Content-Type: application/pdf\r\n\r\n')],
    ['before line ends', after(Buffer.alloc(3000, '\n'))],
    ['before a web page', after(`<html>${'text '.repeat(1000)}`)],
  ] as const)
    t.match((await inject(attachment({ type: 'application/pdf', bytes }))).json(), { kind: 'pdf' }, why)
})

t.test('a PDF that is encrypted or has active content is stored with a warning', async (t) => {
  const { inject } = mountForTest(t, setting())
  for (const [bytes, warnings] of [
    [files.pdf, undefined],
    [pdf('', '/Encrypt 4 0 R '), ['encrypted']],
    [pdf('/OpenAction << /S /JavaScript /JS (1) >> '), ['active_content']],
    [pdf('/AA << /S /Launch >> '), ['active_content']],
    [pdf('/AcroForm << /XFA 1 >> '), ['active_content']],
    [pdf('/Names << /EmbeddedFiles 1 >> '), ['active_content']],
  ] as const)
    t.match((await inject(attachment({ type: 'application/pdf', bytes }))).json(), { warnings })
})
