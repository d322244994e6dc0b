import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { resolvePlugins } from './helpers/resolve-plugins.ts'
import { createLogger, definePlugin, isPlugin, mount, use } from '../kernel/index.ts'
import { openGates } from '../kernel/testing.ts'
import { imageSources, type ImageSource } from '../plugins/chat/port.ts'
import { serveDemo } from './helpers/serve-demo.ts'
import { temporaryFolder } from './helpers/stack.ts'
import { doors, pathOf } from './surface/doors.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

/** The code blocks of a Markdown file in one language. */
async function blocksOf(file: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(root, file), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
}

/** Writes a block down as a module that finds this package under its name, and the packages it depends on. */
async function moduleOf(folder: string, name: string, block: string): Promise<string> {
  const code = doors().reduce((text, { address, file }) => text.replaceAll(`'${address}'`, `'${pathToFileURL(pathOf(file)).href}'`), block)
  await mkdir(folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules')).catch(() => undefined)
  const file = join(folder, name)
  await writeFile(file, code)
  return file
}

const hasCurl = await run('curl', ['--version']).then(() => true, () => false)

t.test('the first edit of the README works as it is pasted, block by block', { skip: hasCurl ? false : 'there is no curl here' }, async (t) => {
  const { origin } = await serveDemo(t)
  const answers: Record<string, unknown>[] = []
  for (const block of await blocksOf('README.md', 'sh')) {
    const { stdout } = await run('sh', ['-c', block.replaceAll('http://127.0.0.1:4200', origin)])
    answers.push(JSON.parse(stdout) as Record<string, unknown>)
  }
  const [slugs, edited, diff, undone, redone, published, said] = answers
  t.match(slugs, { slugs: ['/', '/services'] })
  t.match(edited, { status: 'applied', previewVersion: 2 })
  t.match(diff, { summary: { pagesModified: 1, totalChangedFields: 1 } })
  t.match(undone, { status: 'applied', canUndo: false, canRedo: true })
  t.match(redone, { status: 'applied', canUndo: true, canRedo: false })
  t.match(published, { status: 'ready', slugs: ['/', '/services'] })
  t.match(said, { status: 'applied', changes: [/Book a visit/, /Testimonials/], plannerSource: 'demo' })
})

t.test('the in-house plugin of the README loads from its file and answers', async (t) => {
  const folder = temporaryFolder(t)
  const [block = ''] = await blocksOf('README.md', 'js')
  await moduleOf(folder, 'hello.mjs', block)
  const plugins = await resolvePlugins({ shape: 'standalone', preset: 'minimal', base: folder, without: [], plugins: [['./hello.mjs', { greeting: 'Good day' }]] })
  const hello = plugins.filter(({ plugin }) => plugin.name === 'hello')
  const mounted = mount({ shape: 'standalone', plugins: hello, seeds: openGates, env: { HELLO_SIGNATURE: '!' }, log: createLogger({ level: 'silent' }) })
  t.teardown(() => mounted.close())
  t.strictSame((await mounted.inject({ url: '/hello/Ada' })).json(), { text: 'Good day, Ada!' })
})

t.test('the source of images of the README finds the first image that is not there yet', async (t) => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(['/used.jpg', request.url].map((url) => ({ url, text: 'A boat' }))))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const [, block = ''] = await blocksOf('README.md', 'js')
  const folder = temporaryFolder(t)
  await moduleOf(folder, 'photos.mjs', block.replace('https://photos.example', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`))
  const plugins = await resolvePlugins({ shape: 'standalone', preset: 'minimal', base: folder, without: [], plugins: ['./photos.mjs'] })
  let found: readonly ImageSource[] = []
  const chat = definePlugin({ name: 'chat-in-small', tag: 'Chat', needs: { sources: imageSources } }).setup(({ needs: { sources } }) => {
    found = sources
    return {}
  })
  const mounted = mount({ shape: 'standalone', plugins: [...plugins.filter(({ plugin }) => plugin.name === 'photos'), use(chat)], seeds: openGates, env: {}, log: createLogger({ level: 'silent' }) })
  t.teardown(() => mounted.close())
  await mounted.ready()
  const request = { query: 'red boat', avoid: new Set(['/used.jpg']), signal: new AbortController().signal, progress: () => undefined }
  t.strictSame(await Promise.all(found.map((source) => source.find(request))), [{ address: '/search?q=red%20boat', alt: 'A boat' }])
})

t.test('every TypeScript block of the README and of the kernel runs', async (t) => {
  const folder = temporaryFolder(t)
  for (const file of ['README.md', 'kernel/README.md', 'plugins/README.md']) {
    for (const [at, block] of (await blocksOf(file, 'ts')).entries()) {
      const path = await moduleOf(folder, `${file.replaceAll(/\W/g, '-')}-${at}.ts`, block)
      const module: unknown = await import(pathToFileURL(path).href)
      t.ok(typeof module === 'object' && !isPlugin(module), `${file}, block ${at + 1}`)
    }
  }
})
