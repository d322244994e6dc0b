/** Steps of a site by itself. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { check, compare, compareOpen } from './play-compare.ts'
import { endRun, look } from './play-drafts.ts'
import { type Content, type Edit, edited } from './play-edits.ts'
import { hasSettled } from './play-reads.ts'
import { withSignatures } from './play-site.ts'
import type { PlayStep } from './play-steps.ts'
import { namesIn, ok, read, shown, type World } from './play-world.ts'
import { pageAt } from './tree.ts'

const Status = v.looseObject({ status: v.string() })
const Code = v.looseObject({ code: v.string() })

/** The site changes by itself. */
export async function changeSite(world: World, edit: Edit): Promise<void> {
  const names = namesIn(world, (slug) => goneAt(world, slug))
  // Not moved by itself while it has another order at every read.
  if (world.website.isShuffled && edit.what === 'page place') return
  const after = (content: Content) => edited(edit, content, names)
  const content = after(world.website.content)
  if (content === world.website.content) return
  // Also what it shows before its content has it.
  const older = world.website.older.map(after)
  const isNew = edit.what === 'create' && content.pages.length > world.website.content.pages.length
  Object.assign(world.website, { content, older })
  if (isNew) unify(world, edit.slug)
  if (world.oracle.meaning.hasShrunk(shown(world))) await confirm(world)
}

/** The page on which a draft last agreed at a slug, and which is gone on the site. */
function goneAt(world: World, slug: string): string | undefined {
  const { content, older } = world.website
  const there = [world.oracle.meaning.known, ...[content, ...older].map(world.treeOfContent)]
  return world.oracle
    .all()
    .flatMap(({ agreed, pins }) => [agreed, ...pins.map((pin) => pin.agreed)])
    .flatMap((agreed) => pageAt(agreed, slug) ?? [])
    .find((name) => there.every((tree) => !(name in tree)))
}

/**
 * Names a page that the site has added where a draft last agreed on one that is gone there: they are matched
 * by slug.
 */
function unify(world: World, slug: string): void {
  const gone = goneAt(world, slug)
  const page = world.website.content.pages.find((each) => each.slug === slug)
  if (page && gone !== undefined) world.isSameAs(page, gone.slice('page '.length))
}

/** The site has values that differ at every read: a draft takes them over without a new version. */
export async function becomeVolatile(
  world: World,
  { hasAddress, hasOrder }: Extract<PlayStep, { kind: 'volatile' }>,
) {
  Object.assign(world.website, { isVolatile: hasAddress, isShuffled: hasOrder })
  if (hasOrder) world.isOrderKnown = false
  if (hasAddress) {
    const { content, older, former } = world.website
    // Also what it shows before its content has it, and on the node that has its former content.
    const shownToo = { older: older.map(withSignatures), former: former && withSignatures(former) }
    Object.assign(world.website, { content: withSignatures(content), ...shownToo })
  }
  if (!hasAddress && !hasOrder) return
  const name = 'dev'
  await look(world, name, 'follow')
  await look(world, name, 'follow')
  await check(world, name)
  for (let round = 0; round < 2; round++) {
    const { status } = v.parse(Status, ok(await world.clientOf(name).send('/draft/follow')).json())
    const isSettled = status === 'followed' && hasSettled(world.website.lastReads.at(-1))
    if (isSettled) await check(world, name)
    else assert.equal(status, 'unchanged', 'a site with volatile values')
  }
  world.count('volatile')
}

/** The site has lost most of its pages: no draft follows it by itself. */
async function confirm(world: World): Promise<void> {
  const name = 'dev'
  const follow = async (confirm: boolean) => ok(await world.clientOf(name).send('/draft/follow', { confirm }))
  await endRun(world, name, false)
  const { status } = v.parse(Status, (await follow(false)).json())
  assert.equal(status, 'confirm')
  compare(world, await read(world, name), world.oracle.draft(name).now, 'a draft of a site that has shrunk')
  const refusal = await world.clientOf(name).send('/publish')
  assert.equal(refusal.status, 409, refusal.text)
  assert.equal(v.parse(Code, refusal.json()).code, 'site_shrunk')
  const answer = await follow(true)
  world.oracle.meaning.confirmed()
  compareOpen(world, name, answer, world.oracle.follow(name, shown(world)))
  await check(world, name)
  world.count('shrunk')
}
