import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { importBuiltin, presets } from '../../config/builtins.ts'
import { createLogger, mount, type Used } from '../../kernel/index.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import { report } from './harness.ts'
import type { Bench } from './run.ts'

const root = new URL('../..', import.meta.url)
const own = new RegExp(`^${fileURLToPath(root)}(kernel|plugins|config)/`)
const session = { session: 'dev', slug: '/' }
const hero = { id: 'b_0', type: 'Hero', props: { ...builtinRegistry.get('Hero')?.starter() } }
const pages = [
  { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [hero] },
]

/** The code path of one operation and of one literal edit in words: files with a called function, and calls. */
const walk: Bench = async (folder) => {
  const plugins = await Promise.all(
    presets.standalone.map(async (name): Promise<Used> => ({
      plugin: await importBuiltin(name),
      options: undefined,
    })),
  )
  const mounted = mount({
    shape: 'standalone',
    plugins,
    env: { ORCHESTRATOR_DATA_DIR: await folder() },
    log: createLogger({ level: 'warn' }),
  })
  await mounted.ready()
  const post = async (url: string, body: object) =>
    (await mounted.inject({ method: 'POST', url, json: { ...session, ...body } })).json()
  const edit = (text: string) => post('/chat', { message: `Change the headline to "${text}"` })
  const operation = (heading: string) =>
    post('/ops', { ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_0', patch: { heading } }] })
  await post('/draft/bootstrap', { pages })
  const warmUp = ['Loads what only the first one loads', 'Creates the last tables']
  for (const text of warmUp) await operation(text)
  const ops = await walked(() => operation('Counted'))
  for (const text of warmUp) await edit(text)
  const words = await walked(() => edit('Counted as well'))
  await mounted.close()
  const batches = words
    .flatMap(({ called }) => called)
    .filter(({ name }) => name === 'applyBatch')
    .reduce((sum, { count }) => sum + count, 0)
  return [
    report('files that an operation runs through', [ops.length], { atMost: 70 }, ''),
    report('calls of functions for an operation', [callsIn(ops)], { atMost: 450 }, ''),
    report('files that a literal edit in words runs through', [words.length], { atMost: 118 }, ''),
    report('calls of applyBatch for one operation in words', [batches], { atMost: 3 }, ''),
  ].every(Boolean)
}

type Walked = readonly {
  readonly path: string
  readonly called: readonly { readonly name: string; readonly count: number }[]
}[]

const callsIn = (files: Walked): number =>
  files.flatMap(({ called }) => called).reduce((sum, { count }) => sum + count, 0)

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
  const files = result.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url.split('?')[0] ?? '') : ''
    const called = functions.flatMap(({ functionName: name, ranges: [range] }) =>
      name !== '' && range && range.count > 0 ? [{ name, count: range.count }] : [],
    )
    return own.test(path) && called.length > 0 ? [{ path, called }] : []
  })
  if (process.env['BENCH_FILES'])
    for (const { path, called } of files)
      console.log(path.slice(fileURLToPath(root).length), callsIn([{ path, called }]))
  return files
}

export const benches = { walk }
