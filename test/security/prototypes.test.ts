import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { mountForTest } from '../../kernel/testing.ts'
import { definitions } from '../../plugins/content/operations/index.ts'
import { askOver, draftsInMemory, temporaryFolder } from '../helpers/stack.ts'

const builtins = [Object, Array, Function, String, Number, Boolean, Symbol, Map, Set, Promise, RegExp, Error, Date, Uint8Array, URL, Headers]
/** Everything that every object of the process inherits, by name and kind. */
const inheritance = (): string =>
  builtins.map(({ prototype }) => Reflect.ownKeys(prototype).map((key) => `${String(key)}: ${Object.keys(Object.getOwnPropertyDescriptor(prototype, key) ?? {}).join()}`).join('\n')).join('\n')
const untouched = inheritance()
const isPolluted = (): boolean => 'canary' in {} || 'canary' in [] || 'canary' in (() => undefined)

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
/** Names that the body reader refuses as keys, and names that it lets through because content may have them. */
const refused = ['__proto__', 'constructor', 'prototype']
const inherited = ['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'length', 'then', 'toJSON']
const paths = ['__proto__.canary', 'constructor.prototype.canary', '__proto__[canary]', 'items[0].__proto__.canary', '["__proto__"]']
const words = fc.oneof({ weight: 3, arbitrary: pick(...refused, ...paths) }, { weight: 2, arbitrary: pick(...inherited, 'canary') }, pick('/', '/about', 'b_1', 'items', 'title', 'Hero', ''))
const key = fc.oneof({ weight: 30, arbitrary: pick(...inherited, ...paths, 'canary', 'items', 'title', 'props', 'fields', 'properties') }, { weight: 1, arbitrary: pick(...refused) })

/** Own keys by any name, `__proto__` among them, as JSON text can have them. */
const objectOf = (value: fc.Arbitrary<unknown>): fc.Arbitrary<object> => fc.array(fc.tuple(key, value), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs))
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4, depthSize: 'small' }, words, pick<unknown>(true, 1, null, 'canary'), objectOf(tie('tree')), fc.array(tie('tree'), { maxLength: 3 })),
}))
const bag = objectOf(tree)

const block = fc.record({ id: words, type: pick('RichText', 'Hero', 'FAQAccordion', 'constructor', '__proto__', 'toString'), props: bag })
const page = fc.record(
  { id: words, slug: pick('/', '/__proto__', '/constructor', ...refused), title: words, updatedAt: words, blocks: fc.array(block, { maxLength: 2 }), meta: bag },
  { requiredKeys: ['slug', 'id', 'title', 'updatedAt', 'blocks'] },
)
/** Every field of every operation, with what might do harm in it. */
const fields = {
  pageSlug: pick('/', '/', '/', '/__proto__', ...refused), blockId: pick('b_1', 'b_2', 'b_1', ...refused), index: pick(0, 1), patch: bag, item: bag, block, page,
  listKey: words, afterBlockId: words, newPageSlug: words, newTitle: words, targetPageSlug: words, afterPageSlug: words,
}
const sound = pick(
  { op: 'update_props', pageSlug: '/', blockId: 'b_1' },
  { op: 'add_item', pageSlug: '/', blockId: 'b_2', listKey: 'items' },
  { op: 'update_item', pageSlug: '/', blockId: 'b_2', listKey: 'items', index: 0 },
  { op: 'update_site_config' },
  { op: 'update_page_meta', pageSlug: '/' },
)
const operation = fc.oneof(
  fc.tuple(sound, bag, bag).map(([op, patch, item]) => ({ ...op, patch, item })),
  fc.tuple(pick(...definitions.map(({ name }) => name), ...refused, 'toString'), fc.record(fields)).map(([op, rest]) => ({ ...rest, op })),
)
const blockType = fc.record({
  type: pick('Hero', 'Own', '__proto__', 'constructor'), displayName: words, defaultProps: bag, fields: bag,
  propsSchema: fc.record({ type: pick('object'), properties: bag, required: fc.array(words, { maxLength: 2 }) }),
})
const manifest = fc.record({ version: pick(1), blocks: fc.array(blockType, { maxLength: 2 }) })
const orText = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof(value, value.map((each) => JSON.stringify(each)))
const batch = fc.array(operation, { minLength: 1, maxLength: 3 })
const config = fc.oneof(bag, fc.record({ navLabels: objectOf(words), themeOverrides: objectOf(words), navGroups: objectOf(fc.array(words, { maxLength: 2 })) }, { requiredKeys: [] }))

type Body = readonly [method: string, url: string, body: object]
const at = fc.record({ session: pick('dev', ...refused, ...inherited), siteId: pick('acme', '__proto__', 'constructor', 'prototype', 'tostring') })
const target = (method: string, url: string, rest: fc.Arbitrary<object>): fc.Arbitrary<Body> => fc.tuple(at, rest).map(([at, rest]) => [method, url, { ...at, ...rest }])
const bodies: fc.Arbitrary<Body> = fc.oneof(
  { weight: 6, arbitrary: batch.map((ops): Body => ['POST', '/ops', { session: 'dev', siteId: 'acme', ops }]) },
  { weight: 2, arbitrary: target('POST', '/ops', fc.record({ ops: batch, componentsManifest: orText(manifest), siteCapabilities: orText(bag) }, { requiredKeys: ['ops'] })) },
  { weight: 2, arbitrary: target('POST', '/draft/bootstrap', fc.record({ pages: fc.array(page, { maxLength: 2 }), overwrite: pick(true) })) },
  { weight: 2, arbitrary: target('PUT', '/draft/site-config', fc.record({ config })) },
  { weight: 2, arbitrary: target('POST', '/sites/register', fc.record({ name: words, config })) },
  target('POST', '/history/undo', fc.record({ slug: pick('/', ...refused) })),
  target('POST', '/history/discard', fc.record({ slug: pick('/', ...refused) })),
)

const Pages = v.looseObject({ pages: v.array(v.looseObject({ slug: v.string() })) })
const home = {
  id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T00:00:00.000Z',
  blocks: [{ id: 'b_1', type: 'RichText', props: { title: 'One', body: 'Text.' } }, { id: 'b_2', type: 'FAQAccordion', props: { title: 'Questions', items: [{ q: 'Why?', a: 'Because.' }] } }],
}

t.test('thousands of bodies that reach for prototypes touch none', async (t) => {
  const mounted = mountForTest(t, draftsInMemory({ draft: { keptChangesPerDraft: 100 } }))
  const send = (method: string, url: string, json: object) => mounted.inject({ method, url, json })
  const load = () => send('POST', '/draft/bootstrap', { session: 'dev', siteId: 'acme', pages: [home], overwrite: true })
  await load()
  const statuses = new Map<number, number>()
  let sent = 0
  await fc.assert(
    fc.asyncProperty(bodies, async ([method, url, body]) => {
      const { status } = await send(method, url, body)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (++sent % 500 === 0) await load()
      return status < 500 && !isPolluted()
    }),
    { numRuns: 15_000 },
  )
  t.comment(`answered ${JSON.stringify(Object.fromEntries(statuses))}`)
  t.ok([200, 400].every((status) => (statuses.get(status) ?? 0) > sent / 10), 'some of them were taken, some of them refused')
  t.equal(inheritance(), untouched)
  for (const siteId of ['acme', '__proto__', 'constructor']) {
    const content = await mounted.inject({ url: `/publish/content?siteId=${siteId}&session=dev` })
    for (const { slug } of v.parse(Pages, content.json()).pages) {
      t.equal((await mounted.inject({ url: `/draft/pages?session=dev&siteId=${siteId}&slug=${encodeURIComponent(slug)}` })).status, 200, `${slug} of ${siteId} can be read`)
    }
  }
})

t.test('the whole service runs where nobody can write to a prototype', async (t) => {
  const cli = fileURLToPath(new URL('../../config/cli.ts', import.meta.url))
  const cwd = temporaryFolder(t)
  const child = spawn(process.execPath, ['--frozen-intrinsics', cli, 'serve', '--demo', '--port', '0'], { cwd, env: { DEMO_SITE_PORT: '0' }, stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  const complaints: string[] = []
  const { promise: listening, resolve } = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const { level, address } = v.parse(v.object({ level: v.number(), address: v.optional(v.string()) }), JSON.parse(line))
    if (level > 30) complaints.push(line)
    if (address !== undefined) resolve(address)
  })
  const origin = await listening
  const at = { session: 'dev', siteId: 'demo' }
  const block = { id: 'b_new', type: 'RichText', props: { title: 'New', body: 'Fresh.' } }
  const ops = [{ op: 'add_block', pageSlug: '/', block }, { op: 'update_props', pageSlug: '/', blockId: 'b_new', patch: { title: 'Newer' } }, { op: 'duplicate_page', pageSlug: '/' }]
  const wishes = [
    ['/health'], ['/readyz'], ['/docs'], ['/openapi.json'], ['/sites'], ['/draft/slugs?session=dev&siteId=demo'], ['/draft/pages?session=dev&siteId=demo&slug=/'],
    ['/ops', { ...at, ops }], ['/publish/diff', at], ['/publish', at], ['/history/undo', { ...at, slug: '/' }], ['/history/redo', { ...at, slug: '/' }], ['/auth/verify', { password: 'x' }],
    ['/whoami'], ['/sessions'], ['/status/planner'], ['/restore/snapshots'], ['/ops', { ...at, ops: [{ op: 'paint' }] }, 400], ['/nowhere', undefined, 404],
  ] as const
  for (const [url, body, status = 200] of wishes) {
    const answer = await askOver(origin, { url, ...(body !== undefined && { method: 'POST', json: body }) })
    t.equal(answer.status, status, url)
  }
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
  t.strictSame(complaints, [])
})
