import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from '../helpers/property.ts'
import t from 'tap'
import * as v from 'valibot'
import { mountForTest } from '../../kernel/testing.ts'
import { pageOf } from '../helpers/content.ts'
import { askOver, draftsInMemory, temporaryFolder } from '../helpers/stack.ts'
import { grabs } from './grabbing-bodies.ts'

const primitives = [Object, Array, Function, String, Number, Boolean, Symbol]
const builtins = [...primitives, Map, Set, Promise, RegExp, Error, Date, Uint8Array, URL, Headers]

/** The properties of all built-in prototypes, by name and kind. */
function inheritance(): readonly string[] {
  return builtins.flatMap(({ name, prototype }) =>
    Reflect.ownKeys(prototype).map((key) => {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, key) ?? {}
      return `${name}.${String(key)} has ${Object.keys(descriptor).join()}`
    }),
  )
}

const isPolluted = (): boolean => 'canary' in {} || 'canary' in [] || 'canary' in (() => undefined)

const Pages = v.looseObject({ pages: v.array(v.looseObject({ slug: v.string() })) })
const questions = { title: 'Questions', items: [{ q: 'Why?', a: 'Because.' }] }
const faq = { id: 'b_2', type: 'FAQAccordion', props: questions }
const text = { id: 'b_1', type: 'RichText', props: { title: 'One', body: 'Text.' } }
const home = pageOf('/', [text, faq])

t.test('thousands of attempts at prototype pollution change no prototype', async (t) => {
  const untouched = inheritance()
  const { inject } = mountForTest(t, draftsInMemory({ draft: { keptChangesPerDraft: 100 } }))
  const body = { session: 'dev', siteId: 'acme', pages: [home], overwrite: true }
  const load = () => inject({ method: 'POST', url: '/draft/bootstrap', json: body })
  const statuses = new Map<number, number>()
  let sent = 0
  await fc.assert(
    fc.asyncProperty(grabs, async (grab) => {
      if (sent++ % 500 === 0) await load()
      const { status } = await inject(grab)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      return status < 500 && !isPolluted()
    }),
    { numRuns: 10_000 },
  )
  t.comment(`answered ${JSON.stringify(Object.fromEntries(statuses))}`)
  const isMixed = [200, 400].every((status) => (statuses.get(status) ?? 0) > sent / 10)
  t.ok(isMixed, 'some were applied, some were refused')
  t.strictSame(inheritance(), untouched)
  for (const siteId of ['acme', '__proto__', 'constructor']) {
    const content = await inject({ url: `/publish/content?siteId=${siteId}&session=dev` })
    for (const { slug } of v.parse(Pages, content.json()).pages) {
      const query = new URLSearchParams({ session: 'dev', siteId, slug })
      const { status } = await inject({ url: `/draft/pages?${query}` })
      t.equal(status, 200, `${slug} of ${siteId} can be read`)
    }
  }
})

const at = { session: 'dev', siteId: 'demo' }
const draft = new URLSearchParams(at)
const ops = [
  { op: 'add_block', pageSlug: '/', block: { ...text, id: 'b_new' } },
  { op: 'update_props', pageSlug: '/', blockId: 'b_new', patch: { title: 'Newer' } },
  { op: 'duplicate_page', pageSlug: '/' },
]
/** Requests of many kinds: the path, the body, and the status unless it is 200. */
const requests: readonly (readonly [url: string, body?: object | undefined, status?: number])[] = [
  ...'/health /readyz /docs /openapi.json /sites /whoami /sessions /status/planner /restore/snapshots'
    .split(' ')
    .map((url) => [url] as const),
  [`/draft/slugs?${draft}`],
  [`/draft/pages?${draft}&slug=/`],
  ['/ops', { ...at, ops }],
  ['/publish/diff', at],
  ['/publish', at],
  ['/history/undo', { ...at, slug: '/' }],
  ['/history/redo', { ...at, slug: '/' }],
  ['/auth/verify', { password: 'x' }],
  ['/ops', { ...at, ops: [{ op: 'paint' }] }, 400],
  ['/nowhere', undefined, 404],
]

t.test('the complete service runs with frozen intrinsics', async (t) => {
  const cli = fileURLToPath(new URL('../../config/cli/bin.ts', import.meta.url))
  const child = spawn(process.execPath, ['--frozen-intrinsics', cli, 'serve', '--demo', '--port', '0'], {
    cwd: temporaryFolder(t),
    env: { DEMO_SITE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const complaints: string[] = []
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  const Line = v.object({ level: v.number(), address: v.optional(v.string()) })
  createInterface(child.stdout).on('line', (line) => {
    const { level, address } = v.parse(Line, JSON.parse(line))
    if (level > 30) complaints.push(line)
    if (address !== undefined) resolve(address)
  })
  child.once('exit', (code) => reject(new Error(`it exited with ${code} before it listened`)))
  const origin = await listening
  for (const [url, json, status = 200] of requests) {
    const answer = await askOver(origin, { url, ...(json && { method: 'POST', json }) })
    t.equal(answer.status, status, url)
  }
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
  t.strictSame(complaints, [])
})
