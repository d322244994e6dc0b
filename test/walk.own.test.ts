/** The code path of an edit, counted without a clock: a change that makes it longer fails, with the path. */
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { importBuiltin, presets } from '../config/builtins.ts'
import { createLogger, mount, type Used } from '../kernel/index.ts'
import { builtinRegistry } from '../plugins/content/registry.ts'
import { page } from './helpers/publishing.ts'
import { serve } from './helpers/raw.ts'
import { temporaryFolder } from './helpers/stack.ts'

/**
 * Today's counts. A change that needs more says in its commit what is called, and why; one that needs fewer
 * lowers them. A busy machine takes a few ways more, such as those of timers.
 */
const most = {
  operation: { files: 65, calls: 440 },
  words: { files: 115, batches: 2 },
  publish: { files: 110, calls: 4_880 },
}

const root = fileURLToPath(new URL('..', import.meta.url))
const own = new RegExp(`^${root}(kernel|plugins|config)/`)
const session = { session: 'dev', slug: '/' }
const hero = { id: 'b_0', type: 'Hero', props: { ...builtinRegistry.get('Hero')?.starter() } }
const pages = [
  { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [hero] },
]

/** The standalone service, and a function that posts to it. */
async function withService(t: Test, env: Readonly<Record<string, string>> = {}) {
  const plugins = await Promise.all(
    presets.standalone.map(async (name): Promise<Used> => ({
      plugin: await importBuiltin(name),
      options: undefined,
    })),
  )
  const mounted = mount({
    shape: 'standalone',
    plugins,
    env: { ORCHESTRATOR_DATA_DIR: temporaryFolder(t), ...env },
    log: createLogger({ level: 'warn' }),
  })
  t.teardown(() => mounted.close())
  await mounted.ready()
  return async (url: string, body: object) => {
    const { status, text } = await mounted.inject({ method: 'POST', url, json: body })
    t.equal(status, 200, `${url}: ${text.slice(0, 200)}`)
  }
}

/** Fails for a count over its limit, with the path. */
const atMost = (t: Test, count: number, limit: number, what: string, path: Walked) =>
  t.ok(count <= limit, `${count} ${what}, at most ${limit}`, count <= limit ? {} : { path: listed(path) })

t.test('an operation and an edit in words run through a limited number of files and calls', async (t) => {
  const send = await withService(t)
  const post = (url: string, body: object) => send(url, { ...session, ...body })
  const edit = (text: string) => post('/chat', { message: `Change the headline to "${text}"` })
  const operation = (heading: string) =>
    post('/ops', { ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_0', patch: { heading } }] })
  await post('/draft/bootstrap', { pages })
  const warmUp = ['Loads what only the first one loads', 'Creates the last tables']
  for (const text of warmUp) await operation(text)
  const ops = await walked(() => operation('Counted'))
  for (const text of warmUp) await edit(text)
  const words = await walked(() => edit('Counted as well'))

  atMost(t, ops.length, most.operation.files, 'files for an operation', ops)
  atMost(t, callsIn(ops), most.operation.calls, 'calls of functions for an operation', ops)
  atMost(t, words.length, most.words.files, 'files for an edit in words', words)
  const batches = words.flatMap(({ called }) => called.filter(({ name }) => name === 'applyBatch'))
  atMost(
    t,
    callsIn([{ path: '', called: batches }]),
    most.words.batches,
    'batches for an edit in words',
    words,
  )
})

t.test('a publish of five pages runs through a limited number of files and calls', async (t) => {
  const slugs = ['/', '/one', '/two', '/three', '/four']
  let site = JSON.stringify({ pages: slugs.map((slug) => page(slug)) })
  const origin = await serve(t, async (request, response) => {
    const isPublish = request.url === '/api/editor/publish'
    if (isPublish) site = Buffer.concat(await Array.fromAsync(request)).toString()
    response.writeHead(200, { 'content-type': 'application/json' }).end(isPublish ? '{"ok":true}' : site)
  })
  const send = await withService(t, { ORCHESTRATOR_CORS_ORIGINS: origin })
  const post = (url: string, body: object) => send(url, { siteId: 'acme', session: 'dev', ...body })
  await post('/sites/register', { siteId: 'acme', name: 'Acme', previewUrl: origin })
  const edit = (heading: string) =>
    post('/ops', {
      ops: slugs.map((slug) => ({
        op: 'update_props',
        pageSlug: slug,
        blockId: `b${slug}`,
        patch: { heading },
      })),
    })
  for (const heading of ['Loads what only the first one loads', 'Creates the last tables']) {
    await edit(heading)
    await post('/publish', {})
  }
  await edit('Counted')
  const publish = await walked(() => post('/publish', {}))
  atMost(t, publish.length, most.publish.files, 'files for a publish', publish)
  atMost(t, callsIn(publish), most.publish.calls, 'calls of functions for a publish', publish)
  await edit('In the diff')
  await post('/publish/diff', {})
  const patch = { heading: 'After the diff' }
  await post('/ops', { ops: [{ op: 'update_props', pageSlug: '/one', blockId: 'b/one', patch }] })
  const after = await walked(() => post('/publish', {}))
  const compared = after.flatMap(({ called }) => called.filter(({ name }) => name === 'diffPage'))
  t.equal(callsIn([{ path: '', called: compared }]), 1, 'of the pages, only the changed one is compared')
  t.match(site, /After the diff/)
  t.equal(site.split('In the diff').length, slugs.length, 'the others are sent as they are')
})

t.test(
  'a diff merges nothing after an edit of a page that is on the site, as that is no conflict',
  async (t) => {
    const published = { pages: ['/', '/one'].map((slug) => page(slug)), siteConfig: { name: 'Acme' } }
    const origin = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published)),
    )
    const send = await withService(t, { ORCHESTRATOR_CORS_ORIGINS: origin })
    const post = (url: string, body: object) => send(url, { siteId: 'acme', session: 'dev', ...body })
    await post('/sites/register', { siteId: 'acme', name: 'Acme', previewUrl: origin })
    const mergesAfter = async (...ops: object[]) => {
      await post('/ops', { ops })
      const files = await walked(() => post('/publish/diff', {}))
      return files.some(({ called }) => called.some(({ name }) => name === 'planFollow'))
    }
    const edit = (heading: string) => ({
      op: 'update_props',
      pageSlug: '/one',
      blockId: 'b/one',
      patch: { heading },
    })
    t.equal(await mergesAfter(edit('The first one')), true)
    t.equal(await mergesAfter(edit('Edited')), false)
    t.equal(await mergesAfter(edit('Edited again')), false)
    const renamed = { op: 'rename_page', pageSlug: '/one', newPageSlug: '/renamed' }
    t.equal(await mergesAfter(renamed), true)
    t.equal(await mergesAfter({ ...edit('On a renamed page'), pageSlug: '/renamed' }), true)
  },
)

type Walked = readonly {
  readonly path: string
  readonly called: readonly { readonly name: string; readonly count: number }[]
}[]

const callsIn = (files: Walked): number =>
  files.flatMap(({ called }) => called).reduce((sum, { count }) => sum + count, 0)

const listed = (files: Walked): readonly string[] =>
  files.map(
    ({ path, called }) => `${path}: ${called.map(({ name, count }) => `${name} ${count}`).join(', ')}`,
  )

/** Returns the files with named functions that a request calls. */
async function walked(request: () => Promise<unknown>): Promise<Walked> {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.post('Profiler.takePreciseCoverage')
  await request()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  inspector.disconnect()
  return result.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url.split('?')[0] ?? '') : ''
    const called = functions.flatMap(({ functionName: name, ranges: [range] }) =>
      name !== '' && range && range.count > 0 ? [{ name, count: range.count }] : [],
    )
    // How often work pauses depends on the machine.
    const isCounted = own.test(path) && !path.endsWith('kernel/pace.ts')
    return isCounted && called.length > 0 ? [{ path: path.slice(root.length), called }] : []
  })
}
