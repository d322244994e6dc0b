import t from 'tap'
import { findIn, needleFor } from '../../plugins/media/usage/find.ts'
import { scannedBy } from '../helpers/scanned.ts'
import { startStack } from '../helpers/stack.ts'

const file = 'upload_1767225600000_0b9e6f7c1d2a4e5f8a9b0c1d2e3f4a5b.png'
const own = `http://localhost:4200/generated-images/${file}`
const at = { siteId: 'shop', session: 'dev' }

t.test('the places of a draft that use an image are listed, and bounded', async (t) => {
  const stack = await startStack(t)
  const apply = async (...ops: readonly object[]) => {
    const answer = await stack.ask({ method: 'POST', url: '/ops', json: { ...at, ops } })
    t.equal(answer.status, 200, answer.text)
  }
  const uses = async (url: string) =>
    (await stack.ask({ url: `/media/usage?siteId=shop&session=dev&url=${encodeURIComponent(url)}` })).json()
  const hero = { id: 'b_hero', type: 'Hero', props: { heading: 'Here', imageUrl: own } }
  const two = [
    { title: 'One', imageUrl: '/a.jpg' },
    { title: 'Two', imageUrl: own },
  ]
  const cards = { id: 'b_cards', type: 'CardGrid', props: { title: 'All', cards: two } }
  const page = { id: 'p_home', slug: '/', title: 'Home', updatedAt: '2026-01-01T12:00:00.000Z' }
  t.strictSame(await uses(own), { version: 0, uses: [] })
  await apply({ op: 'create_page', page: { ...page, blocks: [hero, cards] } })
  await apply({ op: 'update_page_meta', pageSlug: '/', patch: { ogImage: `/generated-images/${file}` } })
  await apply({ op: 'update_site_config', patch: { logo: own } })

  const home = { slug: '/', title: 'Home' }
  t.strictSame(await uses(`/generated-images/${file}`), {
    version: 3,
    uses: [
      { path: 'logo', written: [own] },
      { ...home, path: 'meta.ogImage', written: [`/generated-images/${file}`] },
      { ...home, blockId: 'b_hero', blockType: 'Hero', path: 'imageUrl', written: [own] },
      { ...home, blockId: 'b_cards', blockType: 'CardGrid', path: 'cards[1].imageUrl', written: [own] },
    ],
  })
  t.match(await uses('/a.jpg'), { uses: [{ path: 'cards[0].imageUrl' }] })
  t.strictSame(await uses('/a.jp'), { version: 3, uses: [] })

  const card = { description: 'More', ctaText: 'Go', ctaHref: '/', imageUrl: '/often.jpg' }
  const rows = Array.from({ length: 600 }, (_, index) => ({ title: `${index}`, ...card }))
  await apply({ op: 'update_props', pageSlug: '/', blockId: 'b_cards', patch: { cards: rows } })
  t.match(await uses('/often.jpg'), { isCut: true, uses: { length: 500 } })
})

t.test('a missing or too long image, and a site with a bad name, are refused', async (t) => {
  const stack = await startStack(t)
  for (const search of ['', 'url=', `url=${'a'.repeat(2049)}`, 'url=/a.jpg&session=a::b']) {
    const answer = await stack.ask({ url: `/media/usage?siteId=shop&${search}` })
    t.match([answer.status, answer.json()], [400, { code: 'invalid_request' }], search.slice(0, 20))
  }
})

t.test('an address is found in markup, and not in longer addresses', async (t) => {
  const found = (text: string, address: string) => [...findIn({ text }, needleFor(address), '')]
  const written = (text: string, address: string) => found(text, address).flatMap((each) => each.written)
  t.strictSame(written(`<img src="${own}?w=640"> <a href='/generated-images/${file}'>`, own), [
    own,
    `/generated-images/${file}`,
  ])
  t.strictSame(written('![](/a.jpg), /a.jpg', '/a.jpg'), ['/a.jpg'])
  for (const other of ['/a.jpg.webp', 'https://x.example/a.jpg', '/b/a.jpg', '/a.jpg2', '/a.jpg-2'])
    t.strictSame(written(other, '/a.jpg'), [], other)
  t.strictSame(written('See https://x.example/a.jpg.', 'https://x.example/a.jpg'), [
    'https://x.example/a.jpg',
  ])

  const hostile = '/generated-images/a.png'.repeat(50_000)
  const text = `${'a'.repeat(500_000)}${hostile}`
  const scanned = scannedBy(() => found(text, '/generated-images/a.png'))
  t.ok(scanned < 10 * text.length, `${scanned} characters are read of ${text.length}`)
})
