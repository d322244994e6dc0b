/** Steps that publish a draft: whole, in part, later, or again. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { check, compare, compareOpen } from './play-compare.ts'
import { endRun, recentSlug } from './play-drafts.ts'
import { addressesIn } from './play-oracle.ts'
import type { PlayStep } from './play-steps.ts'
import { ok, sentTree, shown, type World } from './play-world.ts'
import { isSame, pageAt, partsOf, textAt, type Tree, valueAt, withLastAddresses, withPart } from './tree.ts'
import { until } from './until.ts'

const LogRows = v.object({ entries: v.array(v.object({ snapshot: v.optional(v.string()) })) })
const Scheduled = v.object({ id: v.string() })
const ScheduledList = v.object({
  scheduled: v.array(v.object({ id: v.string(), status: v.string(), error: v.optional(v.string()) })),
})
const Code = v.looseObject({ code: v.string() })
/** When what is scheduled would be published by itself, in milliseconds. */
const farMs = 4_000 * 3_600_000

export const noteSnapshot = async (world: World, name: string): Promise<void> => {
  const { entries } = v.parse(LogRows, ok(await world.clientOf(name).get('/publish/log')).json())
  world.snapshots.push(entries.at(-1)?.snapshot ?? assert.fail())
  world.count('published')
}

/** The site has what it was sent, and the entries that were carried to it. */
function noteSent(world: World, name: string, found: Tree): void {
  world.odd = world.oracle.meaning.odd
  world.oracle.meaning.sent(found, shown(world), name)
  if (world.isStored) world.oracle.meaning.ended()
}

/** The site was sent this; returns what it was sent, with its orders. */
export async function sent(world: World, name: string, wanted: Tree, what: string): Promise<Tree> {
  const found = sentTree(world)
  compare(world, found, wanted, what)
  world.oracle.published.splice(-1, 1, found)
  noteSent(world, name, found)
  await noteSnapshot(world, name)
  return found
}

export async function publish(world: World, name: string, overwrite: boolean): Promise<void> {
  const before = shown(world)
  const answer = await world.clientOf(name).send('/publish', overwrite ? { overwrite } : {})
  const wanted = world.oracle.publish(name, overwrite, before)
  assert.equal(answer.status, wanted.sent ? 200 : 409, `${answer.text} ${wanted.open.map(({ at }) => at)}`)
  if (!wanted.sent) {
    world.count('refused')
    return void compareOpen(world, name, answer, wanted.open)
  }
  const found = await sent(world, name, wanted.sent, 'what the site is sent')
  const draft = world.oracle.draft(name)
  if (draft.isHeld) return
  const now = await check(world, name)
  assert.deepEqual(
    withLastAddresses(found),
    withLastAddresses(now),
    'the site is sent the draft, with its orders',
  )
  draft.agreed = now
}

/**
 * Publishes one page; of the settings, only what is of its slugs may change, or all where no other page has
 * another address.
 */
export async function publishPart(
  world: World,
  { draft: name, which, overwrite, ...part }: Extract<PlayStep, { kind: 'part' }>,
): Promise<void> {
  // It may end the entry of a run in the history.
  await endRun(world, name)
  const named = recentSlug(world, name, which)
  const shownBefore = shown(world)
  const siteConfig = part.siteConfig && world.oracle.areOthersInPlace(name, named, shownBefore)
  const answer = await world
    .clientOf(name)
    .send('/publish', { pages: [named], ...(overwrite && { overwrite }), ...(siteConfig && { siteConfig }) })
  const {
    page,
    pages,
    slug,
    site: known,
    open,
    others: left,
    isRefused,
  } = world.oracle.publishPart(
    name,
    { named, overwrite, isPart: answer.status !== 400, siteConfig },
    shownBefore,
  )
  const draft = world.oracle.draft(name)
  if (answer.status !== 200) {
    const { code } = v.parse(Code, answer.json())
    world.count(code)
    if (code === 'pages_belong_together') return
    if (code === 'pages_not_changed') {
      const isOther = (): boolean => {
        const labels = [draft.now, known].map((tree) => valueAt(tree, `config|navLabels|${slug}`))
        return !isSame(draft.now[page], known[page]) || (page !== '' && !isSame(labels[0], labels[1]))
      }
      // What both have moved has the order that is read.
      if (isOther()) await check(world, name)
      return assert.ok(!isOther(), answer.text)
    }
    assert.equal(code, 'site_conflict', answer.text)
    assert.ok(isRefused, answer.text)
    return void compareOpen(world, name, answer, open)
  }
  assert.ok(!isRefused, `a conflict was expected: ${open.map(({ at }) => at)}`)
  const found = sentTree(world)
  const slugs = new Set([slug, ...addressesIn(page, { ...draft, site: known })])
  /**
   * The settings that come with the page are those of its slugs; the place of a page that moves in groups is
   * not known.
   */
  const [before, mine, after] = [known, draft.now, found].map((tree) => partsOf(tree['config']))
  const ofSlugs = (key: string): Tree => {
    const named = Object.keys({ ...partsOf(before?.[key]), ...partsOf(mine?.[key]) })
    return named.reduce<Tree>((map, slug) => {
      const from = slugs.has(slug) ? mine : before
      return withPart(map, slug, partsOf(from?.[key])[slug])
    }, {})
  }
  const [to, from] = [draft.now, known].map((tree) => textAt(tree[page], 'slug'))
  const isMoved = to !== from
  const replaced = pageAt(known, to ?? '')
  const others =
    replaced === undefined || replaced in draft.now ? known : withPart(known, replaced, undefined)
  const pagesAfter = withPart(others, page, draft.now[page])
  // It leads on from the address that the site has given it.
  const isLeft = from && to && isMoved && pageAt(pagesAfter, from) === undefined
  const maps = {
    navLabels: ofSlugs('navLabels'),
    $redirects: { ...(isLeft && { [from]: to }), ...ofSlugs('$redirects') },
  }
  const config = siteConfig
    ? { ...mine, $redirects: { ...(isLeft && { [from]: to }), ...partsOf(mine?.['$redirects']) } }
    : { ...before, ...maps, navGroups: partsOf((isMoved ? after : before)?.['navGroups']) }
  compare(world, found, { ...pagesAfter, config }, 'a part')
  world.oracle.sentPart(name, pages, found, { site: known, open: left })
  noteSent(world, name, found)
  await noteSnapshot(world, name)
  world.count('part')
}

export const inMs = (world: World, wait: number): string =>
  new Date(world.time.now().getTime() + wait).toISOString()

export async function schedule(world: World, name: string, overwrite: boolean) {
  const answer = await world
    .clientOf(name)
    .send('/publish', { at: inMs(world, farMs), ...(overwrite && { overwrite }) })
  const open = world.oracle.schedule(
    name,
    overwrite,
    shown(world),
    () => v.parse(Scheduled, answer.json()).id,
  )
  world.time.advance(1)
  assert.equal(answer.status, open.length > 0 && !overwrite ? 409 : 202, answer.text)
  if (answer.status === 409) compareOpen(world, name, answer, open)
  world.count('scheduled')
}

/** The time of a scheduled publish has come. */
export async function due(world: World, name: string, which: number) {
  const { pins } = world.oracle.draft(name)
  const at = which % Math.max(1, pins.length)
  const pin = pins[at]
  if (!pin) return
  const client = world.clientOf(name)
  const before = shown(world)
  ok(await client.send('/publish/scheduled', { id: pin.id, at: inMs(world, 1) }, {}, 'PATCH'))
  world.time.advance(1)
  let failure: string | undefined
  const isOver = async (): Promise<boolean> => {
    const { scheduled } = v.parse(ScheduledList, ok(await client.get('/publish/scheduled')).json())
    const row = scheduled.find(({ id }) => id === pin.id)
    if (row?.status === 'failed') failure = row.error ?? ''
    return !row || row.status === 'failed'
  }
  await until(isOver, 'a scheduled publish')
  const wanted = world.oracle.dueAt(name, at, before)
  const known = world.oracle.meaning.known
  assert.equal(failure === undefined, wanted !== undefined, `scheduled publish: ${failure}`)
  world.count(wanted ? 'arrived' : 'failed at its time')
  if (wanted)
    world.oracle.arrived(name, at, known, await sent(world, name, wanted, 'what a scheduled publish sends'))
}

export async function rollBack(world: World, name: string, to: number): Promise<void> {
  const commit = world.snapshots[to]
  const wanted = world.oracle.published[to]
  if (commit === undefined || !wanted || (world.isBehind && world.website.isVolatile)) return
  const before = shown(world)
  world.website.isRestored = true
  ok(await world.clientOf(name).send('/publish', { commit }))
  world.website.isRestored = false
  world.oracle.meaning.look(before)
  world.oracle.published.push(wanted)
  await sent(world, name, wanted, 'an earlier publish')
  world.count('rolled back')
}
