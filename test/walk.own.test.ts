/** The code path of an edit, counted without a clock: a change that makes it longer fails, with the path. */
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { importBuiltin, presets } from '../config/builtins.ts'
import { createLogger, mount, type Used } from '../kernel/index.ts'
import { builtinRegistry } from '../plugins/content/registry.ts'
import { temporaryFolder } from './helpers/stack.ts'

/**
 * Today's counts. A change that needs more says in its commit what is called, and why; one that needs fewer
 * lowers them. A busy machine takes a few ways more, such as those of timers.
 */
const most = { operation: { files: 76, calls: 480 }, words: { files: 135, batches: 2 } }

const root = fileURLToPath(new URL('..', import.meta.url))
const own = new RegExp(`^${root}(kernel|plugins|config)/`)
const session = { session: 'dev', slug: '/' }
const hero = { id: 'b_0', type: 'Hero', props: { ...builtinRegistry.get('Hero')?.starter() } }
const pages = [
  { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [hero] },
]

t.test('an operation and an edit in words run through a limited number of files and calls', async (t) => {
  const plugins = await Promise.all(
    presets.standalone.map(async (name): Promise<Used> => ({
      plugin: await importBuiltin(name),
      options: undefined,
    })),
  )
  const mounted = mount({
    shape: 'standalone',
    plugins,
    env: { ORCHESTRATOR_DATA_DIR: temporaryFolder(t) },
    log: createLogger({ level: 'warn' }),
  })
  t.teardown(() => mounted.close())
  await mounted.ready()
  const post = async (url: string, body: object) => {
    const { status } = await mounted.inject({ method: 'POST', url, json: { ...session, ...body } })
    t.equal(status, 200, url)
  }
  const edit = (text: string) => post('/chat', { message: `Change the headline to "${text}"` })
  const operation = (heading: string) =>
    post('/ops', { ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_0', patch: { heading } }] })
  await post('/draft/bootstrap', { pages })
  const warmUp = ['Loads what only the first one loads', 'Creates the last tables']
  for (const text of warmUp) await operation(text)
  const ops = await walked(() => operation('Counted'))
  for (const text of warmUp) await edit(text)
  const words = await walked(() => edit('Counted as well'))

  const atMost = (count: number, limit: number, what: string, path: Walked) =>
    t.ok(count <= limit, `${count} ${what}, at most ${limit}`, count <= limit ? {} : { path: listed(path) })
  atMost(ops.length, most.operation.files, 'files for an operation', ops)
  atMost(callsIn(ops), most.operation.calls, 'calls of functions for an operation', ops)
  atMost(words.length, most.words.files, 'files for an edit in words', words)
  const batches = words.flatMap(({ called }) => called.filter(({ name }) => name === 'applyBatch'))
  atMost(callsIn([{ path: '', called: batches }]), most.words.batches, 'batches for an edit in words', words)
})

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
