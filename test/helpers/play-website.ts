/** Steps of a site by itself. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { check, compare, compareOpen } from './play-compare.ts'
import { endRun, look } from './play-drafts.ts'
import { type Content, type Edit, edited } from './play-edits.ts'
import { withSignatures } from './play-site.ts'
import type { PlayStep } from './play-steps.ts'
import { namesIn, ok, read, shown, type World } from './play-world.ts'

const Status = v.looseObject({ status: v.string() })
const Code = v.looseObject({ code: v.string() })

/** The site changes by itself. */
export async function changeSite(world: World, edit: Edit): Promise<void> {
  // Not moved by itself while it has another order at every read.
  if (world.website.isShuffled && edit.what === 'page place') return
  // Also what it shows before its content has it.
  const after = (content: Content) => edited(edit, content, namesIn(world))
  const [content, older] = [after(world.website.content), world.website.older.map(after)]
  Object.assign(world.website, { content, older })
  if (world.oracle.meaning.hasShrunk(shown(world))) await confirm(world)
}

/** The site has values that differ at every read: a draft takes them over without a new version. */
export async function becomeVolatile(
  world: World,
  { hasAddress, hasOrder }: Extract<PlayStep, { kind: 'volatile' }>,
) {
  Object.assign(world.website, { isVolatile: hasAddress, isShuffled: hasOrder })
  if (hasAddress || hasOrder) world.website.wasVolatile = true
  if (hasOrder) world.isOrderKnown = false
  if (hasAddress) world.website.content = withSignatures(world.website.content)
  if (!hasAddress && !hasOrder) return
  const name = 'dev'
  await look(world, name, 'follow')
  await look(world, name, 'follow')
  await check(world, name)
  for (let round = 0; round < 2; round++) {
    const { status } = v.parse(Status, ok(await world.clientOf(name).send('/draft/follow')).json())
    assert.equal(status, 'unchanged', 'a site with volatile values')
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
