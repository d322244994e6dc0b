import t from 'tap'
import { toBaseline } from '../../plugins/content/baseline.ts'
import {
  foreignIn,
  isLocked,
  lockedBlock,
  lockedOn,
  unlocked,
  withoutLocked,
} from '../../plugins/content/locked.ts'
import { toStored, withCarried } from '../../plugins/content/carry.ts'
import { readPage } from '../../plugins/content/read-pages.ts'

const page = (blocks: unknown, more: object = {}) => ({
  id: 'p',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T00:00:00.000Z',
  blocks,
  ...more,
})
const read = (blocks: unknown) => {
  const found = readPage(page(blocks), 0)
  return 'page' in found ? found.page : undefined
}
const good = { id: 'b', type: 'Hero', props: {} }

t.test('a block that stays unreadable is locked, with the same id at every read', async (t) => {
  const blocks = [
    good,
    null,
    'words',
    { type: '', props: {} },
    { id: 'own', props: null },
    { ...good, type: 3 },
  ]
  const first = read(blocks)
  t.match(first?.blocks, [
    good,
    { id: /^b_locked_\w{12}$/, type: 'locked', props: {}, unreadable: { raw: 'words' } },
    { id: /^b_locked_/, unreadable: { reason: /^type is missing/, raw: { type: '', props: {} } } },
    { id: 'own', unreadable: { raw: { id: 'own', props: null } } },
    { id: /^b_locked_/, unreadable: { raw: { ...good, type: 3 } } },
  ])
  t.strictSame(read(blocks), first)
  const idOf = (list: unknown, raw: unknown) =>
    read(list)?.blocks.find((block) => isLocked(block) && block.unreadable.raw === raw)?.id
  t.equal(idOf(['words', good], 'words'), first?.blocks[1]?.id, 'wherever it is')
  t.ok(first && read(first.blocks)?.blocks.every((block, at) => block === first.blocks[at]), 'it can be read')
})

t.test('a page with another fault, or without a list of blocks, is not in the draft', (t) => {
  for (const odd of [page([7], { title: 5 }), page('text'), 7])
    t.match(readPage(odd, 0), { unreadable: { reason: /is missing or of the wrong type$/ } })
  t.end()
})

t.test('only a complete value is a locked block', (t) => {
  const locked = lockedBlock('b_x', { reason: 'r', raw: null })
  t.ok(isLocked(locked))
  const { unreadable: _, ...bare } = locked
  for (const other of [null, 7, bare, { ...bare, unreadable: { reason: 'r' } }, { ...locked, type: 'Hero' }])
    t.notOk(isLocked(other))
  t.end()
})

t.test('what a site has instead of them, and a page without them', async (t) => {
  const own = read([7, good])
  if (!own) return t.fail('the page can be read')
  t.strictSame(unlocked(own), page([7, good]))
  t.strictSame(withoutLocked(own), page([good]))
  const whole = withoutLocked(own)
  t.equal(withoutLocked(whole), whole)
  t.equal(unlocked(whole), whole)
  t.match(lockedOn(own), [{ slug: '/', blockId: own.blocks[0]?.id, reason: /^the block is missing/ }])
  t.equal(foreignIn(own, own.blocks), undefined)
  t.equal(foreignIn(own, [good, lockedBlock('b', { reason: 'r', raw: 8 })]), own.blocks[0])
  t.strictSame(toStored([7, own]).map(unlocked), [7, page([7, good])], 'an entry that is no page stays')
})

t.test('an edited, an unedited and a left out page are stored with what the site has', async (t) => {
  const raw = page([7, { type: 'Hero' }])
  const [site, shown] = [toBaseline([raw]), toBaseline(JSON.parse(JSON.stringify(toBaseline([raw]))))]
  const [own] = site?.pages ?? []
  if (!own) return t.fail('the page can be read')
  const edited = { ...own, title: 'Edited' }
  const repaired = { ...good, id: 'b_hero_home_2' }
  t.strictSame((await withCarried([own], site)).entries, [raw])
  t.strictSame((await withCarried([edited], site)).entries, [
    { ...raw, title: 'Edited', blocks: [7, repaired] },
  ])
  t.strictSame((await withCarried([own], shown)).entries, [{ ...raw, blocks: [7, repaired] }])
  const leftOut = [{ slug: '/', reason: 'too large' }]
  t.strictSame((await withCarried([], site, leftOut)).entries, [raw])
  t.strictSame((await withCarried([], shown, leftOut)).entries, [{ ...raw, blocks: [7, repaired] }])
})
