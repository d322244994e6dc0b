import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { use } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest, openGates } from '../../kernel/testing.ts'
import outbound from '../../plugins/outbound/index.ts'
import unsplash from '../../plugins/media/unsplash/index.ts'
import { startImageChat } from '../helpers/image-sources.ts'
import {
  faults,
  keys,
  said,
  shots,
  silent,
  startUnsplash,
  type ProviderServer,
} from '../helpers/media-providers.ts'
import { refused, startStack } from '../helpers/stack.ts'
import { emptyList } from '../helpers/plain.ts'

const envOf = ({ origin }: ProviderServer) => ({
  UNSPLASH_ACCESS_KEY: keys.unsplash,
  UNSPLASH_BASE_URL: origin,
})
const setting = (server: ProviderServer, env: Readonly<Record<string, string>> = {}, options = {}) => ({
  plugins: [use(outbound), use(unsplash, options)],
  seeds: openGates,
  env: { ...envOf(server), ...env },
})
const open = (t: Test, server: ProviderServer, env?: Readonly<Record<string, string>>, options?: object) =>
  mountForTest(t, setting(server, env, options))
const queryOf = ({ seen }: ProviderServer) => new URL(seen.at(-1)?.url ?? '', 'http://x').searchParams
const using = (id: string) => ({ method: 'POST', url: '/unsplash/use', json: { id } })
const Found = v.object({ items: v.array(v.record(v.string(), v.string())), totalPages: v.number() })

t.test('photos are searched in landscape format, with the links that Unsplash requires', async (t) => {
  const server = await startUnsplash(t)
  const whole = () => setting(server)
  await everyWayIn(t, whole, async (t, ask) => {
    const answer = await ask({ url: '/unsplash/search?q=%20lake%20&limit=1' })
    const { items, totalPages } = v.parse(Found, answer.json())
    const [{ imageUrl, thumbUrl, ...rest } = {}] = items
    t.equal(totalPages, 2)
    t.match(imageUrl, /^https:\/\/images\.unsplash\.com\/photo-LBI7cgq3pbM\?ixid=/)
    t.match(thumbUrl, /^https:\/\/images\.unsplash\.com\/photo-LBI7cgq3pbM\?.*w=400$/)
    const referral = 'utm_source=content-orchestrator&utm_medium=referral'
    t.strictSame(rest, {
      id: 'LBI7cgq3pbM',
      alt: 'A lake at dawn',
      author: 'Ada Lovelace',
      authorUrl: `https://unsplash.com/@ada?${referral}`,
      sourceUrl: `https://unsplash.com/photos/LBI7cgq3pbM?${referral}`,
    })
    const usual = { orientation: 'landscape', content_filter: 'high' }
    t.strictSame(Object.fromEntries(queryOf(server)), { ...usual, query: 'lake', per_page: '1', page: '1' })
    t.match((await ask(using('a-b_c-d_e-f'))).json(), { ok: true })
    t.equal(server.seen.at(-1)?.url, '/photos/a-b_c-d_e-f/download')
  })
})

t.test('a limit or a page out of bounds is clamped', async (t) => {
  const server = await startUnsplash(t)
  const { inject } = open(t, server)
  const cases = [
    ['', '8', '1'],
    ['&limit=many&page=', '8', '1'],
    ['&limit=0&page=-3', '1', '1'],
    ['&limit=1e99&page=999', '20', '200'],
    ['&limit=2.9&page=2', '2', '2'],
  ] as const
  for (const [more, limit, page] of cases) {
    t.equal((await inject({ url: `/unsplash/search?q=lake${more}` })).status, 200)
    t.strictSame([queryOf(server).get('per_page'), queryOf(server).get('page')], [limit, page], more)
  }
  const asked = server.seen.length
  t.strictSame((await inject({ url: '/unsplash/search?q=%20' })).json(), { items: [], totalPages: 0 })
  t.strictSame((await inject({ url: '/unsplash/search' })).json(), { items: [], totalPages: 0 })
  t.equal(server.seen.length, asked, 'an empty search does not call Unsplash')
  await inject({ url: `/unsplash/search?q=${'x'.repeat(300)}` })
  t.equal(queryOf(server).get('query'), 'x'.repeat(200))
})

t.test('without a key both routes name the variable to set, and the feature is off', async (t) => {
  const stack = await startStack(t)
  const unset = { status: 404, code: 'unsplash_not_configured', reason: /Set UNSPLASH_ACCESS_KEY/ }
  for (const call of [{ url: '/unsplash/search?q=lake' }, using('LBI7cgq3pbM')])
    t.match(refused(await stack.ask(call)), unset)
  t.match((await stack.ask({ url: '/status/planner' })).json(), { features: { unsplash: false } })
})

t.test('a failing Unsplash is an empty answer with a reason, without its key or answer', async (t) => {
  const server = await startUnsplash(t)
  const lake = { url: '/unsplash/search?q=lake' }
  const { log, lines } = capturedLog()
  const mounted = mountForTest(t, { ...setting(server), log })
  for (const [name, fault, reason] of faults) {
    server.fail(fault)
    const found = await mounted.inject(lake)
    t.match(
      [found.status, found.json()],
      [200, { items: emptyList, totalPages: 0, degraded: true, reason }],
      name,
    )
    t.notMatch(found.text, said)
    if (name === 'JSON of another shape') continue
    const report = await mounted.inject(using('LBI7cgq3pbM'))
    t.match([report.status, report.json()], [200, { ok: false, degraded: true, reason }], name)
  }
  t.notMatch(lines.join('\n'), keys.unsplash)
  server.fail()
  t.match((await mounted.inject(using('unknown-id'))).json(), { ok: false, degraded: true })
  const wrong = open(t, server, { UNSPLASH_ACCESS_KEY: 'another-key' })
  t.match((await wrong.inject(lake)).json(), { degraded: true, reason: /Check UNSPLASH_ACCESS_KEY/ })
  const late = open(t, server, {}, { timeoutMs: 50 })
  server.fail(silent)
  t.match((await late.inject(lake)).json(), { degraded: true, reason: /took too long/ })
})

t.test('an invalid id is refused, and a photo whose address is not https is omitted', async (t) => {
  const server = await startUnsplash(t, [
    ...[
      'http://images.unsplash.com/x',
      'javascript:alert(1)',
      'data:image/png;base64,AA',
      '//images.unsplash.com/x',
      'https://ada:word@images.unsplash.com/x',
      'https://[x',
    ].map((url, at) => ({ id: `photo-${at}x`, name: 'lake', alt: '', url })),
    { id: 'x', name: 'lake', alt: '' },
    ...shots,
  ])
  const { inject } = open(t, server)
  const { items } = v.parse(Found, (await inject({ url: '/unsplash/search?q=lake&limit=20' })).json())
  t.strictSame(
    items.map(({ id }) => id),
    ['LBI7cgq3pbM', 'Zx9Zx9Zx9Zx'],
  )
  const asked = server.seen.length
  for (const id of ['short', 'x'.repeat(33), '../photos', 'a/b/c/d', 'abcdefg?x=1', '']) {
    t.match(refused(await inject(using(id))), { status: 400, code: 'invalid_id' }, id)
  }
  t.equal(server.seen.length, asked, 'Unsplash is not called')
})

t.test('chat finds a different photo for each card, and reports each to Unsplash', async (t) => {
  const photos = [1, 2, 3, 4].map((at) => ({ id: `photo-id-${at}`, name: `boat ${at}`, alt: `Boat ${at}` }))
  const server = await startUnsplash(t, photos)
  const { wish, cards } = await startImageChat(t, [], { env: envOf(server) })
  t.match(
    await wish([0, 1, 2].map((index) => ({ blockId: 'b_cards', listKey: 'cards', index, query: 'boat' }))),
    { status: 'applied' },
  )
  const found = (await cards()).map(
    (address) => /^https:\/\/images\.unsplash\.com\/photo-(photo-id-\d)\?/.exec(String(address))?.[1],
  )
  t.strictSame(found, ['photo-id-1', 'photo-id-2', 'photo-id-3'])
  const reported = () =>
    server.seen.flatMap(({ url }) => /^\/photos\/(.*)\/download$/.exec(url ?? '')?.[1] ?? [])
  // The edit does not wait for it.
  while (reported().length < 3) await turn()
  t.strictSame(reported().toSorted(), found)
})

t.test('the photographer is named in the response, and in the credit field of a block', async (t) => {
  const server = await startUnsplash(
    t,
    [1, 2, 3].map((at) => ({ id: `photo-id-${at}`, name: 'boat', alt: 'Boat, ein Boot' })),
  )
  const { wishHero, props } = await startImageChat(t, [], { env: envOf(server) })
  const link = 'https://unsplash.com/@ada?utm_source=content-orchestrator&utm_medium=referral'
  t.match(await wishHero('boat'), { summary: `The image is by Ada Lovelace: ${link}` })
  const text = { type: 'string' }
  const hero = {
    type: 'Hero',
    propsSchema: {
      type: 'object',
      properties: { heading: text, subheading: text, imageUrl: text, imageAlt: text, imageCredit: text },
    },
    fields: { imageUrl: { kind: 'image' }, imageAlt: { kind: 'imageAlt' }, imageCredit: { kind: 'text' } },
  }
  t.match(await wishHero('boat', { componentsManifest: { version: 1, blocks: [hero] } }), {
    status: 'applied',
  })
  t.match((await props())[0], { imageUrl: /photo-id-/, imageCredit: 'Ada Lovelace' })
})

t.test('an unreachable Unsplash changes nothing in a chat, and delays no edit with a photo', async (t) => {
  const server = await startUnsplash(t, [{ id: 'photo-id-1', name: 'boat', alt: 'Boat' }])
  const { wishHero, hero } = await startImageChat(t, [], { env: envOf(server) })
  server.fail(faults[0]?.[1])
  t.match(await wishHero('boat'), { summary: /nothing was changed/ })
  t.equal(await hero(), '/img/old.jpg')
  server.fail()
  t.match(await wishHero('boat'), { status: 'applied' })
  t.match(await hero(), /photo-photo-id-1/)
  t.match(
    await wishHero('boat'),
    { summary: /nothing was changed/ },
    'the only photo is already in use, under another address',
  )
})
