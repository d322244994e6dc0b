/**
 * Sequences of what happens to a site and its drafts, with few places, so that changes meet, beside an
 * oracle.
 */
import { mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import { drafts as draftsPort } from '../../plugins/draft/port.ts'
import { check } from './play-compare.ts'
import {
  decide,
  discard,
  edit,
  endRun,
  fill,
  look,
  push,
  restore,
  runStep,
  undo,
  undoChange,
} from './play-drafts.ts'
import { due, publish, publishPart, rollBack, schedule } from './play-publishes.ts'
import { createWebsite, odds } from './play-site.ts'
import type { PlayStep } from './play-steps.ts'
import { becomeVolatile, changeSite } from './play-website.ts'
import { createWorld, ok, type Setup, type Tally, type World } from './play-world.ts'
import { inHouse, noon, publishing, type PublishingOptions } from './publishing.ts'
import { serve } from './raw.ts'

export type { Tally } from './play-world.ts'

/**
 * Mounts the service beside a website; `play` plays steps on a new site of it, and `tally` counts what they
 * did. A website that is behind gets what is published by a target that only starts something.
 */
export async function openPlay(
  t: Parameters<typeof mountForTest>[0],
  { isBehind = false, ...options }: Pick<PublishingOptions, 'storage'> & { readonly isBehind?: boolean } = {},
) {
  const site = createWebsite({ isBehind })
  const origin = await serve(t, site.listener)
  const env = { ORCHESTRATOR_CORS_ORIGINS: origin }
  const time = stillClock(noon)
  const target = inHouse({
    name: 'starter',
    async publish({ siteConfig, entries, redirects }) {
      site.store({ pages: entries, siteConfig, redirects })
      return { ok: true, httpStatus: 200, status: 'triggered', body: {}, tracker: {} }
    },
  })
  const mounted = mountForTest(t, publishing({ ...options, env, time, targets: isBehind ? [target] : [] }))
  const ask: Ask = (request) => mounted.inject(request)
  const tally: Tally = {}
  const setup = { ask, origin, site, tally, isBehind, time, drafts: () => mounted.get(draftsPort) }
  let sites = 0
  return { tally, play: (list: readonly PlayStep[]) => play(list, { ...setup, siteId: `site-${++sites}` }) }
}

/** So much time that deployments have ended. */
const hourMs = 3_600_000

/**
 * Plays steps on a site of a service and on the oracle, and throws where they differ: in a draft, in what the
 * site is sent, in conflicts, or in the status of an answer.
 */
async function play(list: readonly PlayStep[], setup: Setup): Promise<void> {
  const world = createWorld(setup)
  const registration = { name: 'Acme', previewUrl: world.origin }
  ok(await world.clientOf('dev').send('/sites/register', registration))
  await fill(world, 'dev')
  await fill(world, 'review')
  for (const step of list) {
    await take(world, step)
    if ('draft' in step) await check(world, step.draft)
  }
  for (const name of world.clients.keys()) {
    if (!world.oracle.isFilled(name)) continue
    await endRun(world, name)
    await look(world, name, 'diff')
    await check(world, name)
  }
}

async function take(world: World, step: PlayStep): Promise<void> {
  if ('draft' in step) await fill(world, step.draft)
  switch (step.kind) {
    case 'edit':
      return edit(world, step.draft, step.edit)
    case 'run':
      return runStep(world, step.draft, step.edit)
    case 'end run':
      return endRun(world, step.draft)
    case 'publish':
      return publish(world, step.draft, step.overwrite)
    case 'part':
      return publishPart(world, step)
    case 'diff':
    case 'follow':
      return look(world, step.draft, step.kind)
    case 'decide':
      return decide(world, step)
    case 'schedule':
      return schedule(world, step.draft, step.overwrite)
    case 'due':
      return due(world, step.draft, step.which)
    case 'undo':
    case 'redo':
      return undo(world, step.draft, step.which, step.kind)
    case 'undo change':
      return undoChange(world, step.draft, step.which)
    case 'discard':
      return discard(world, step)
    case 'restore':
      return restore(world, step.draft, step.which)
    case 'push':
      return push(world, step.draft, step.age)
    case 'roll back':
      return rollBack(world, step.draft, step.to)
    case 'site':
      return changeSite(world, step.edit)
    case 'hide':
      return void (world.website.hidden = step.names)
    case 'store':
      return void (world.website.storing = step)
    case 'odd': {
      const odd = odds.filter((_, at) => step.which.includes(at))
      world.odd = odd
      const isRead = world.website.isRead && step.hasNulls === world.website.hasNulls
      return void Object.assign(world.website, { odd, hasNulls: step.hasNulls, isRead })
    }
    case 'volatile':
      return becomeVolatile(world, step)
    case 'node':
      return void (world.website.isOldNode = step.isOld)
    case 'arrive': {
      world.website.older = step.all ? [] : world.website.older.slice(1)
      if (!step.all) return
      world.time.advance(hourMs)
      for (const draft of world.oracle.all()) draft.isHeld = false
      return world.oracle.meaning.ended()
    }
  }
}
