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
const pages = [{ id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z', blocks: [hero] }]

/** The code path of one literal edit in words: files with a called function, and calls of `applyBatch`. */
const walk: Bench = async (folder) => {
  const plugins = await Promise.all(presets.standalone.map(async (name): Promise<Used> => ({ plugin: await importBuiltin(name), options: undefined })))
  const mounted = mount({ shape: 'standalone', plugins, env: { ORCHESTRATOR_DATA_DIR: await folder() }, log: createLogger({ level: 'warn' }) })
  await mounted.ready()
  const post = async (url: string, body: object) => (await mounted.inject({ method: 'POST', url, json: { ...session, ...body } })).json()
  const edit = (text: string) => post('/chat', { message: `Change the headline to "${text}"` })
  await post('/draft/bootstrap', { pages })
  await edit('Loads what only the first message loads')
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await inspector.post('Profiler.takePreciseCoverage')
  await edit('Counted')
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  inspector.disconnect()
  await mounted.close()
  const files = result.flatMap(({ url, functions }) => {
    const path = url.startsWith('file:') ? fileURLToPath(url.split('?')[0] ?? '') : ''
    const called = functions.filter(({ functionName, ranges: [range] }) => functionName !== '' && range && range.count > 0)
    return own.test(path) && called.length > 0 ? [{ path, called }] : []
  })
  if (process.env['BENCH_FILES']) for (const { path } of files) console.log(path.slice(fileURLToPath(root).length))
  const batches = files.flatMap(({ called }) => called).filter(({ functionName }) => functionName === 'applyBatch').reduce((sum, { ranges: [range] }) => sum + (range?.count ?? 0), 0)
  const isShort = report('files that a literal edit in words runs through', [files.length], { atMost: 90 }, '')
  return report('calls of applyBatch for one operation in words', [batches], { atMost: 3 }, '') && isShort
}

export const benches = { walk }
