import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { resolvePlugins } from './helpers/resolve-plugins.ts'
import { createLogger, isPlugin, mount } from '../kernel/index.ts'
import { openGates } from '../kernel/testing.ts'
import { blocksOf, moduleOf, nameOf, readmes } from './helpers/readme-blocks.ts'
import { serveDemo } from './helpers/serve-demo.ts'
import { temporaryFolder } from './helpers/stack.ts'

const run = promisify(execFile)

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

t.test(
  'the first edit of the README works as it is pasted, block by block',
  { skip: hasCurl ? false : 'there is no curl here' },
  async (t) => {
    const { origin } = await serveDemo(t)
    const answers: Record<string, unknown>[] = []
    for (const block of await blocksOf('README.md', 'sh')) {
      const { stdout } = await run('sh', ['-c', block.replaceAll('http://localhost:4200', origin)])
      answers.push(JSON.parse(stdout) as Record<string, unknown>)
    }
    const shown = await blocksOf('README.md', 'json')
    t.equal(shown.length, answers.length, 'every command has its answer')
    // An ellipsis stands for fields that are not shown.
    for (const [at, block] of shown.entries())
      t.match(answers[at], JSON.parse(block.replaceAll(/,\s*…/g, '')))
  },
)

t.test('the configuration samples name files that the READMEs have', async (t) => {
  const [plugin = ''] = await blocksOf('README.md', 'js')
  for (const file of ['README.md', 'config/README.md']) {
    const files = (await blocksOf(file, 'ts')).flatMap((block) =>
      [...block.matchAll(/'\.\/([\w/.-]+\.mjs)'/g)].map(([, path]) => path),
    )
    t.strictSame(files, [nameOf(plugin)], file)
  }
})

t.test('the in-house plugin of the README loads from its file and answers', async (t) => {
  const folder = temporaryFolder(t)
  const [block = ''] = await blocksOf('README.md', 'js')
  await moduleOf(folder, 'hello.mjs', block)
  const plugins = await resolvePlugins({
    shape: 'standalone',
    preset: 'minimal',
    base: folder,
    without: [],
    plugins: [['./hello.mjs', { greeting: 'Good day' }]],
  })
  const hello = plugins.filter(({ plugin }) => plugin.name === 'hello')
  const mounted = mount({
    shape: 'standalone',
    plugins: hello,
    seeds: openGates,
    env: { HELLO_SIGNATURE: '!' },
    log: createLogger({ level: 'silent' }),
  })
  t.teardown(() => mounted.close())
  t.strictSame((await mounted.inject({ url: '/hello/Ada' })).json(), { text: 'Good day, Ada!' })
})

t.test('every TypeScript block of the READMEs runs, except recipes', async (t) => {
  const folder = temporaryFolder(t)
  for (const file of await readmes()) {
    if (file === 'plugins/RECIPES.md') continue
    for (const [at, block] of (await blocksOf(file, 'ts')).entries()) {
      // A named block is a program, which test/hosts runs.
      if (nameOf(block) !== undefined) continue
      const path = await moduleOf(folder, `${file.replaceAll(/\W/g, '-')}-${at}.ts`, block)
      const module: unknown = await import(pathToFileURL(path).href)
      t.ok(typeof module === 'object' && !isPlugin(module), `${file}, block ${at + 1}`)
    }
  }
})
