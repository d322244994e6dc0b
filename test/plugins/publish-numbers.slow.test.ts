import { readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import * as v from 'valibot'
import { createSiteEditor } from '../../config/create-site-editor.ts'
import { capturedLog } from '../../kernel/testing.ts'
import { toBaseline } from '../../plugins/content/baseline.ts'
import { parseExactly } from '../../plugins/content/numbers.ts'
import { jsonFile } from '../../plugins/site/adapters/json-file.ts'
import { jsonFilePublishHandler } from '../../plugins/site/publish/index.ts'
import { fields, page } from '../helpers/publishing.ts'
import { serve } from '../helpers/raw.ts'
import { draftOf, everyKind, fileWith } from '../helpers/site-kinds.ts'
import { bodyOf } from '../helpers/stack.ts'

const text = (id: unknown, title: string) => ({ id, type: 'RichText', props: { title, body: 'Body' } })
const row = (id: unknown, q: string) => ({ id, q, a: 'Answer' })
const faq = {
  id: 1820,
  type: 'FAQAccordion',
  props: { title: 'Questions', items: [row(7, 'One?'), row('7', 'Two?'), row(8, 'Three?')] },
}
const time = 1_767_225_600_000
const seconds = 1_767_225_600

/** A page as CMSs have it, and one with two ids of the same digits. */
const home = { ...page('/'), id: 1, updatedAt: time, blocks: [text(1818, 'A'), text(1819, 'B'), faq] }
const both = { ...page('/both'), id: 2, updatedAt: seconds, blocks: [text(1818, 'A'), text('1818', 'B')] }
const last = { ...page('/last'), id: '3', blocks: [text(1.5, 'A'), text(0, 'B'), text(null, 'C')] }
const site = [home, both, last]

const Stored = v.array(
  v.looseObject({ slug: v.string(), updatedAt: v.unknown(), blocks: v.array(v.looseObject({})) }),
)
/** What is stored, without the times of pages that were changed. */
const untimed = (stored: unknown) =>
  v.parse(Stored, stored).map(({ updatedAt, ...entry }) => ({ ...entry, updatedAt: typeof updatedAt }))
const update = (pageSlug: string, blockId: string, title: string) => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch: { title },
})
const Snapshots = v.object({ snapshots: v.array(v.looseObject({ commit: v.string() })) })
const ready = { status: /ready|triggered/ }

t.test('numbers as ids and times are texts in a draft, and numbers where they came from', (t) =>
  everyKind(t, async (t, start) => {
    const { edit, stored } = await start(t, site, site)
    const publish = async () => t.match(fields(await edit.send('/publish', {})), ready)
    const apply = async (...ops: object[]) => t.match(fields(await edit.ops(ops)), { status: 'applied' })
    await edit.send('/draft/follow', {})
    t.match(await bodyOf(edit.get('/draft/pages', { slug: '/' })), {
      id: '1',
      updatedAt: '2026-01-01T00:00:00.000Z',
      blocks: [{ id: '1818' }, { id: '1819' }, { id: '1820' }],
    })
    t.match(await bodyOf(edit.get('/draft/pages', { slug: '/both' })), {
      updatedAt: '2026-01-01T00:00:00.000Z',
      blocks: [
        { id: '1818_1', props: { title: 'A' } },
        { id: '1818', props: { title: 'B' } },
      ],
    })
    await apply(update('/', '1818', 'Edited'), update('/both', '1818_1', 'Edited'))
    await publish()
    const edited = [
      { ...home, blocks: [text(1818, 'Edited'), ...home.blocks.slice(1)] },
      { ...both, blocks: [text(1818, 'Edited'), both.blocks[1]] },
      last,
    ]
    t.strictSame(untimed(stored()), untimed(edited))
    t.strictSame(v.parse(Stored, stored())[2], last, 'an unchanged page is as it was')
    t.ok(Number(v.parse(Stored, stored())[0]?.updatedAt) > time, 'a new time in milliseconds')
    t.match(String(v.parse(Stored, stored())[1]?.updatedAt), /^\d{10}$/, 'and in seconds')

    await apply(
      { op: 'move_block', pageSlug: '/', blockId: '1820' },
      { op: 'move_item', pageSlug: '/', blockId: '1820', listKey: 'items', index: 2 },
      { op: 'update_item', pageSlug: '/', blockId: '1820', listKey: 'items', index: 0, patch: { q: 'New?' } },
      { op: 'remove_block', pageSlug: '/', blockId: '1819' },
      { op: 'rename_page', pageSlug: '/both', newTitle: 'Both again' },
    )
    await publish()
    const [asked, ...kept] = [row(8, 'New?'), row(7, 'One?'), row('7', 'Two?')]
    t.match(untimed(stored()), [
      { id: 1, blocks: [{ id: 1820, props: { items: [asked, ...kept] } }, text(1818, 'Edited')] },
      { id: 2, title: 'Both again', blocks: [text(1818, 'Edited'), both.blocks[1]] },
    ])
    await edit.undo('/')
    await publish()
    t.strictSame(untimed(stored())[0], untimed(edited)[0], 'an undo brings them back as numbers')
    t.match(await bodyOf(edit.get('/publish/diff')), { summary: { pagesModified: 0 } })
  }),
)

const large = ['12345678901234567890', '12345678901234567891', '9007199254740993'] as const
/**
 * A page whose integers are too large for a number, as text: ids of the page, a block, rows and a picture.
 */
const largePage = (title: string) => `{
  "id": ${large[0]}, "slug": "/", "title": "Start", "updatedAt": "2026-01-01T00:00:00.000Z",
  "author": ${large[1]},
  "blocks": [
    { "id": ${large[0]}, "type": "FAQAccordion", "props": { "title": "${title}", "items": [
      { "id": ${large[0]}, "q": "One?", "a": "1" }, { "id": ${large[1]}, "q": "Two?", "a": "2" }
    ] } },
    { "id": ${large[1]}, "type": "Own", "props": { "picture": { "id": ${large[2]} }, "size": 1e21 } }
  ]
}`

const withoutTime = (text: string) =>
  JSON.stringify(parseExactly(text), (key, value: unknown) => (key === 'updatedAt' ? '' : value))

t.test('integers that a number cannot hold keep all their digits', async (t) => {
  const path = fileWith(t, [])
  writeFileSync(path, `[${largePage('Questions')}]`)
  const own = createSiteEditor({
    adapter: jsonFile(path),
    publish: jsonFilePublishHandler(path),
    logger: capturedLog().log,
  })
  t.teardown(() => own.close())
  let stored = `[${largePage('Questions')}]`
  const listeners: readonly (readonly [RequestListener, stored: () => string])[] = [
    [(request, response) => void own.node(request, response), () => readFileSync(path, 'utf8')],
    [
      (request, response) => {
        response.setHeader('content-type', 'application/json')
        if (request.method === 'GET') return void response.end(`{"pages":${stored}}`)
        void buffer(request).then((body) => {
          stored = JSON.stringify(
            v.parse(v.object({ pages: v.unknown() }), parseExactly(body.toString())).pages,
          )
          response.end('{"ok":true}')
        })
      },
      () => stored,
    ],
  ]
  for (const [listener, read] of listeners) {
    const edit = await draftOf(t, await serve(t, listener))
    t.match(await bodyOf(edit.get('/draft/pages', { slug: '/' })), {
      id: large[0],
      author: large[1],
      blocks: [{ id: large[0], props: { items: [{ id: large[0] }, { id: large[1] }] } }, { id: large[1] }],
    })
    t.match(fields(await edit.ops([update('/', large[0], 'Edited')])), { status: 'applied' })
    t.match(fields(await edit.send('/publish', {})), ready)
    t.equal(withoutTime(read()), withoutTime(`[${largePage('Edited')}]`))
    t.match(await bodyOf(edit.get('/publish/diff')), { summary: { pagesModified: 0 } })
  }
})

t.test('integers that a number cannot hold keep all their digits in settings, too', async (t) => {
  const path = fileWith(t, [])
  const content = (name: string) =>
    `{"pages":[${JSON.stringify(page('/'))}],"siteConfig":{"name":"${name}","pixel":${large[0]},"tone":null,"ads":[{"id":${large[1]},"ratio":0.5}],"own":{"$digits":"5"}}}`
  writeFileSync(path, content('Acme'))
  const own = createSiteEditor({
    adapter: jsonFile(path),
    publish: jsonFilePublishHandler(path, { shape: 'wrapper' }),
    logger: capturedLog().log,
  })
  t.teardown(() => own.close())
  const edit = await draftOf(t, await serve(t, (request, response) => void own.node(request, response)))
  const patches = [{ name: 'Beta' }, { navLabels: { '/': 'Start' } }]
  for (const patch of patches) {
    t.match(fields(await edit.ops([{ op: 'update_site_config', patch }])), { status: 'applied' })
    t.match(fields(await edit.send('/publish', {})), ready)
  }
  const { siteConfig } = v.parse(v.looseObject({}), parseExactly(content('Beta')))
  const stored = v.parse(v.looseObject({}), parseExactly(readFileSync(path, 'utf8')))
  t.equal(
    JSON.stringify(stored['siteConfig']),
    JSON.stringify({ ...Object(siteConfig), navLabels: { '/': 'Start' } }),
  )
  t.match(await bodyOf(edit.get('/publish/diff')), { siteConfig: { status: 'unchanged' } })
})

t.test('an earlier publish again, a copy and a bootstrap know which ids are numbers', async (t) => {
  const path = fileWith(t, site)
  const own = createSiteEditor({
    adapter: jsonFile(path),
    publish: jsonFilePublishHandler(path),
    logger: capturedLog().log,
  })
  t.teardown(() => own.close())
  const edit = await draftOf(t, await serve(t, (request, response) => void own.node(request, response)))
  const stored = () => v.parse(Stored, JSON.parse(readFileSync(path, 'utf8')))
  const publish = async (body: object = {}) => t.match(fields(await edit.send('/publish', body)), ready)
  await edit.ops([update('/', '1818', 'First')])
  await publish()
  await edit.ops([{ op: 'remove_block', pageSlug: '/', blockId: '1818' }])
  await publish()
  t.strictSame(stored()[0]?.blocks, home.blocks.slice(1))
  const { snapshots } = v.parse(Snapshots, await bodyOf(edit.get('/restore/snapshots')))
  await publish({ commit: snapshots.at(-1)?.commit })
  t.strictSame(stored()[0]?.blocks, home.blocks)

  await edit.send('/draft/follow', {})
  await edit.ops([{ op: 'duplicate_block', pageSlug: '/', blockId: '1819' }])
  await publish()
  const ids = stored()[0]?.blocks.map(({ id }) => id)
  t.strictSame(ids, [1818, 1819, '1819_copy', 1820], 'the copy has an id of its own')

  t.equal((await edit.bootstrap(stored(), { overwrite: true })).status, 200)
  t.match(await bodyOf(edit.get('/publish/diff')), { summary: { pagesModified: 0 } })
})

t.test('an id that is neither text nor number is refused with the reason', (t) => {
  const read = toBaseline([
    { ...page('/page'), id: true },
    { ...page('/block'), blocks: [text(false, 'A'), text({ id: 1 }, 'B'), text(1, 'C')] },
  ])
  const reason = 'id is missing or of the wrong type'
  t.match(read?.unreadable, [{ slug: '/page', reason }])
  t.match(read?.pages, [
    {
      blocks: [{ type: 'locked', unreadable: { reason } }, { type: 'locked' }, { id: '1', type: 'RichText' }],
    },
  ])
  t.end()
})
