/** Steps of drafts: what people, runs and clients do to one, and how it follows. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import type { Page } from '../../plugins/content/page.ts'
import { check, compare, compareOpen, placeOf } from './play-compare.ts'
import { type Content, type Edit, operationsOf, typedAgain } from './play-edits.ts'
import { undone, type UndoableChange } from './play-oracle.ts'
import type { PlayStep } from './play-steps.ts'
import { contentIn, namesIn, ok, read, shown, type World } from './play-world.ts'
import {
  differing,
  isSame,
  listAt,
  mergeTrees,
  orderName,
  pageAt,
  pagesIn,
  partsOf,
  shut,
  textAt,
  textOf,
  type Tree,
  treeOf,
  withLastAddresses,
  withoutOrders,
  withPart,
} from './tree.ts'

const History = v.object({ entries: v.array(v.object({ version: v.number() })) })
const Taken = v.looseObject({ previewVersion: v.number() })
const order = (tree: Tree): Tree => ({ [orderName]: listAt(tree, orderName) })
const isShut = ({ type }: Page['blocks'][number]): boolean => type === 'locked' || type === shut

/** The content of a draft was changed by itself. */
export async function changed(world: World, name: string, answer: Injected, isTyped: boolean): Promise<void> {
  const before = world.oracle.draft(name).now
  const after = await read(world, name)
  world.oracle.put(name, after, isTyped)
  if (isSame(before, after)) return
  const { previewVersion } = v.parse(Taken, answer.json())
  world.made.get(name)?.set(previewVersion, { before, after })
}

export async function fill(world: World, name: string): Promise<void> {
  if (world.oracle.isFilled(name)) return
  ok(await world.clientOf(name).get('/draft/slugs'))
  world.made.set(name, new Map())
  const answer = shown(world)
  world.oracle.fill(name, { ...answer, content: withLastAddresses(answer.content) })
}

/** Names the pages that a draft has added where another page is, or was when it last agreed with the site. */
export function unify(world: World, name: string, content: Content): void {
  const draft = world.oracle.draft(name)
  const known = world.oracle.meaning.known
  for (const page of content.pages) {
    const own = `page ${world.nameOf(page)}`
    if (own in draft.agreed || own in known) continue
    // A page on which both have agreed is not matched by its slug on the site.
    const added = pagesIn(known).filter(([each]) => !(each in draft.agreed))
    const there = [draft.agreed, Object.fromEntries(added)]
      .map((tree) => pageAt(tree, page.slug))
      .find(
        (each) =>
          each !== undefined && !content.pages.some((other) => `page ${world.nameOf(other)}` === each),
      )
    if (there !== undefined) world.isSameAs(page, there.slice('page '.length))
  }
}

/** The names of pages; one that is added where the draft has removed another one is matched with that. */
const namesOf = (world: World, name: string) => {
  const { agreed, now } = world.oracle.draft(name)
  return namesIn(world, (slug) => {
    const there = pageAt(agreed, slug)
    return there === undefined || there in now ? undefined : there
  })
}

export async function edit(world: World, name: string, change: Edit): Promise<void> {
  const content = await contentIn(world, name)
  const names = namesOf(world, name)
  const ops = operationsOf(change, content, names)
  if (ops.length === 0) return
  const again = typedAgain(change, content, names)
  const answer = await world.clientOf(name).ops(ops)
  if (again.length > 0) {
    const isDecided = world.oracle.typeAgain(name, again, shown(world))
    assert.ok(answer.status === 200 || (!isDecided && answer.status === 400), answer.text)
    return world.count(isDecided ? 'typed again' : `refused ${change.what}`)
  }
  world.count(answer.status === 200 ? `edit ${change.what}` : `refused ${change.what}`)
  if (answer.status !== 200) {
    assert.equal(answer.status, 400, `${JSON.stringify(ops)} ${answer.text}`)
    return compare(world, await read(world, name), world.oracle.draft(name).now, 'a refused edit')
  }
  unify(world, name, await contentIn(world, name))
  await changed(world, name, answer, true)
}

export async function runStep(world: World, name: string, change: Edit): Promise<void> {
  const ops = operationsOf(change, await contentIn(world, name), namesOf(world, name))
  const parsed = parseOperations(ops)
  if (ops.length === 0 || !parsed.ok) return
  const drafts = await world.drafts()
  const body = { kind: 'operations', ops: parsed.ops, source: 'direct', summary: 'A run' } as const
  try {
    await drafts.commit(
      {
        id: { siteId: world.siteId, session: name },
        edit: body,
        run: 'a',
        continues: true,
        actor: { kind: 'agent' },
        channel: 'agent',
      },
      () => undefined,
    )
  } catch {
    return
  }
  unify(world, name, await contentIn(world, name))
  const after = await read(world, name)
  if (isSame(after, world.oracle.draft(name).now)) return
  world.oracle.put(name, after)
  world.oracle.draft(name).isHeld = true
  world.count('run')
}

export async function endRun(world: World, name: string, follows = true): Promise<void> {
  if (!world.oracle.draft(name).isHeld) return
  await (await world.drafts()).endRun({ siteId: world.siteId, session: name }, 'a')
  world.oracle.draft(name).isHeld = false
  if (!follows) return
  const answer = ok(await world.clientOf(name).send('/draft/follow'))
  compareOpen(world, name, answer, world.oracle.follow(name, shown(world)))
  // What both have added has a place that only the draft shows.
  await check(world, name)
}

/** The slug of one of the pages that a draft has changed last, there or on the site. */
export function recentSlug(world: World, name: string, which: number): string {
  const { now, touched } = world.oracle.draft(name)
  const page = touched[which % Math.max(1, touched.length)] ?? 'page home'
  return textAt(now[page], 'slug') || textAt(world.oracle.meaning.known[page], 'slug') || '/'
}

export async function decide(
  world: World,
  { draft: name, which, take, isUndone }: Extract<PlayStep, { kind: 'decide' }>,
) {
  const draft = world.oracle.draft(name)
  const answer = ok(await world.clientOf(name).get('/publish/diff'))
  const open = compareOpen(world, name, answer, world.oracle.diff(name, shown(world)))
  const chosen = open[which % open.length]
  if (!chosen || draft.isHeld) return
  await check(world, name)
  const before = { now: draft.now, agreed: draft.agreed }
  const at = placeOf(world, name, chosen)
  const done = await world.clientOf(name).send('/draft/conflicts', { decide: [{ id: chosen.id, take }] })
  if (done.status !== 200) return assert.fail(done.text)
  const left = world.oracle.decide(name, at, take, shown(world))
  compareOpen(world, name, done, left)
  // One for an address that is taken leaves all as it was.
  const isAsBefore = isSame(draft.now, before.now) && isSame(draft.agreed, before.agreed)
  const isLeft = isAsBefore || left.some((each) => each.at === at)
  world.count(isLeft ? 'not decided' : 'decided')
  if (!isUndone || isLeft) return
  await check(world, name)
  const { entries } = v.parse(History, ok(await world.clientOf(name).get('/history/log')).json())
  ok(await world.clientOf(name).send('/history/undo-change', { version: entries.at(-1)?.version }))
  Object.assign(draft, before, { undecided: { from: before, now: draft.now, agreed: draft.agreed } })
  draft.typed.clear()
}

export async function look(world: World, name: string, kind: 'diff' | 'follow') {
  const client = world.clientOf(name)
  const answer = ok(await (kind === 'diff' ? client.get('/publish/diff') : client.send('/draft/follow')))
  compareOpen(world, name, answer, world.oracle[kind](name, shown(world)))
}

export async function undo(world: World, name: string, which: number, kind: 'undo' | 'redo') {
  const slug = recentSlug(world, name, which)
  const before = world.oracle.draft(name).now
  const answer = await world.clientOf(name)[kind](slug)
  const after = await read(world, name)
  world.count(answer.status === 200 ? kind : `no ${kind}`)
  if (answer.status !== 200) {
    assert.ok([400, 409, 404].includes(answer.status), answer.text)
    return compare(world, after, before, `a refused ${kind}`)
  }
  unify(world, name, await contentIn(world, name))
  const draft = world.oracle.draft(name)
  const { undecided, agreed } = draft
  world.oracle.put(name, after)
  const isDecidedAgain = undecided && isSame(before, undecided.from.now) && isSame(after, undecided.now)
  if (!isDecidedAgain) return
  // What a publish has agreed on since stays agreed on.
  const sides = { now: agreed, agreed: undecided.from.agreed }
  draft.agreed = mergeTrees(sides, undecided.agreed, () => 'draft').now
}

/**
 * The changes that can be undone, by version: what a person has typed into one setting is one line of the
 * history.
 */
async function linesOf(world: World, name: string): Promise<readonly (readonly [number, UndoableChange])[]> {
  const log = ok(await world.clientOf(name).get('/history/log', { limit: '100' }))
  const { entries } = v.parse(History, log.json())
  const listed = new Set(entries.map(({ version }) => version))
  const lines: [number, UndoableChange][] = []
  let first: UndoableChange | undefined
  for (const [version, change] of world.made.get(name) ?? []) {
    if (first) assert.deepEqual(settingsIn(change), settingsIn(first), 'one line of the history')
    if (listed.has(version)) lines.push([version, { ...change, before: (first ?? change).before }])
    first = listed.has(version) ? undefined : (first ?? change)
  }
  return lines
}

/** The settings that a change concerns; the groups of the menu are one setting. */
const settingsIn = ({ before, after }: UndoableChange): readonly string[] =>
  distinct(differing(before, after).map((path) => path.replace(/^config\|navGroups\|.*/, 'config|navGroups')))
const distinct = (paths: readonly string[]): readonly string[] => [...new Set(paths)]

export async function undoChange(world: World, name: string, which: number) {
  const all = await linesOf(world, name)
  const [version, change] = all[all.length - 1 - which] ?? []
  if (version === undefined || !change) return
  const before = world.oracle.draft(name)
  const answer = await world.clientOf(name).send('/history/undo-change', { version })
  const after = await read(world, name)
  world.count(answer.status === 200 ? 'undo change' : 'no undo change')
  if (answer.status !== 200) return compare(world, after, before.now, 'a refused undo of a change')
  const { now, open } = undone(before, change)
  assert.deepEqual(
    open.map(({ at }) => at),
    [],
    'an undo of a change',
  )
  compare(world, after, now, 'the undo of a change')
  world.oracle.put(name, after)
  world.made.set(name, new Map(all.filter(([each]) => each !== version)))
}

export async function discard(
  world: World,
  { draft: name, which, isAll }: Extract<PlayStep, { kind: 'discard' }>,
): Promise<void> {
  const draft = world.oracle.draft(name)
  const slug = recentSlug(world, name, which)
  if (draft.isHeld) return
  compareOpen(
    world,
    name,
    ok(await world.clientOf(name).send('/draft/follow')),
    world.oracle.follow(name, shown(world)),
  )
  await check(world, name)
  const before = draft.now
  const answer = await world.clientOf(name).send('/history/discard', isAll ? {} : { slug })
  const after = await read(world, name)
  world.count(answer.status === 200 ? 'discard' : 'no discard')
  if (answer.status !== 200) return compare(world, after, draft.now, 'a refused discard')
  const known = world.oracle.meaning.known
  const there = pageAt(draft.now, slug) ?? pageAt(known, slug) ?? ''
  const reset = isAll ? [...new Set([...pagesIn(after), ...pagesIn(known)].map(([page]) => page))] : [there]
  for (const page of reset)
    assert.deepEqual(withoutOrders(after[page] ?? ''), withoutOrders(known[page] ?? ''), 'a discarded page')
  world.oracle.put(name, after)
  // What the discard has changed to what the site has is agreed on; where a page comes back to is no move of the draft.
  const changed = new Set([...reset, ...differing(before, after).map((at) => at.split('|', 1)[0] ?? '')])
  for (const part of changed)
    if (part.startsWith('page ') && isSame(after[part], known[part]))
      draft.agreed = withPart(draft.agreed, part, known[part])
  if (textOf(order(after)) !== textOf(order(before))) draft.agreed = { ...draft.agreed, ...order(after) }
}

/** Puts a page, or settings, back to an earlier version of the draft. */
export async function restore(world: World, name: string, which: number): Promise<void> {
  const versions = [...(world.made.get(name)?.keys() ?? [])]
  const targetVersion = versions[versions.length - 1 - which]
  if (targetVersion === undefined) return
  const before = world.oracle.draft(name).now
  const answer = await world.clientOf(name).send('/history/restore', { targetVersion })
  world.count(answer.status === 200 ? 'restored' : 'not restored')
  if (answer.status !== 200) {
    assert.ok([400, 404, 409].includes(answer.status), answer.text)
    return compare(world, await read(world, name), before, 'a refused restore')
  }
  unify(world, name, await contentIn(world, name))
  await changed(world, name, answer, false)
}

/** A client pushes a copy, without what it could not read. */
export async function push(world: World, name: string, age: number): Promise<void> {
  const copies = world.contents.get(name) ?? []
  const copy = copies[Math.max(0, copies.length - 1 - age)]
  if (!copy || world.oracle.draft(name).isHeld || copy.pages.some(({ blocks }) => blocks.some(isShut))) return
  const { $redirects: _, ...siteConfig } = copy.settings
  const tree = world.treeOfContent(copy)
  const body = { siteConfig, overwrite: true }
  ok(await world.clientOf(name).bootstrap(copy.pages, body))
  const config = partsOf(treeOf([], siteConfig, world.nameOf)['config'])
  const given = Object.entries(config).filter(([setting]) => setting in siteConfig)
  world.oracle.push(name, withPart(tree, 'config', Object.fromEntries(given)), shown(world))
  world.count('pushed')
}
