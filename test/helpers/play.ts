/** Sequences of what happens to a site and its drafts, with few places, so that changes meet, beside an oracle. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import type { Injected } from '../../kernel/index.ts'
import { mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import { parseOperations } from '../../plugins/content/operations/parse.ts'
import { Page } from '../../plugins/content/page.ts'
import { isPlainObject } from '../../plugins/content/plain-object.ts'
import { type Drafts, drafts as draftsPort } from '../../plugins/draft/port.ts'
import { conflictsIn, type PlacedConflict } from './conflicts.ts'
import { type Content, type Edit, edited, operationsOf } from './play-edits.ts'
import { createOracle, type UndoableChange, undone } from './play-oracle.ts'
import { createWebsite, odds } from './play-site.ts'
import type { PlayStep } from './play-steps.ts'
import { inHouse, noon, publishing, type PublishingOptions } from './publishing.ts'
import { serve } from './raw.ts'
import { editor } from './stack.ts'
import {
  differing,
  isSame,
  listAt,
  type Open,
  orderName,
  pageAt,
  pagesIn,
  partsOf,
  shut,
  textAt,
  textOf,
  type Tree,
  treeOf,
  type Value,
  valueAt,
  withLastAddresses,
  withoutOrders,
  withPart,
} from './tree.ts'
import { until } from './until.ts'

const History = v.object({ entries: v.array(v.object({ version: v.number() })) })
const LogRows = v.object({ entries: v.array(v.object({ snapshot: v.optional(v.string()) })) })
const Scheduled = v.object({ id: v.string() })
const ScheduledList = v.object({
  scheduled: v.array(v.object({ id: v.string(), status: v.string(), error: v.optional(v.string()) })),
})
const Code = v.looseObject({ code: v.string() })
const Taken = v.looseObject({ previewVersion: v.number() })

/** What runs of steps have done, by kind of step, and outcomes. */
export type Tally = Record<string, number>

interface Setup {
  readonly ask: Ask
  readonly drafts: () => Promise<Drafts>
  readonly siteId: string
  readonly origin: string
  readonly site: ReturnType<typeof createWebsite>
  readonly tally: Tally
  readonly isBehind: boolean
  readonly time: ReturnType<typeof stillClock>
}

/**
 * Mounts the service beside a website; `play` plays steps on a new site of it, and `tally` counts what they did. A website
 * that is behind gets what is published by a target that only starts something.
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

/** What is not compared, as long as it is not mended. */
const knownFaults = { ordersBehind: true }

const isShut = ({ type }: Page['blocks'][number]): boolean => type === 'locked' || type === shut

/** So much time that deployments have ended. */
const hourMs = 3_600_000
/** When what is scheduled would be published by itself. */
const farMs = 4_000 * hourMs

/** Which page a page is: its blocks know it, also after a rename. */
function createNames() {
  const byBlock = new Map<string, string>()
  const nameOf = ({ slug, blocks }: Pick<Page, 'slug' | 'blocks'>): string => {
    for (const { id } of blocks) {
      const known = byBlock.get(id) ?? /^(?:hero|faq|bare)-([^_]*)$/.exec(id)?.[1]
      if (known !== undefined) return known
    }
    return `at ${slug}`
  }
  /** A page of other blocks is this one. */
  const isSameAs = (page: Page, name: string): void => {
    for (const { id } of page.blocks) byBlock.set(id, name)
  }
  return { nameOf, isSameAs }
}

/**
 * Plays steps on a site of a service and on the oracle, and throws where they differ: in a draft, in what the site is sent,
 * in conflicts, or in the status of an answer.
 */
async function play(list: readonly PlayStep[], setup: Setup): Promise<void> {
  const { ask, siteId, origin, site, tally, isBehind, time } = setup
  const { website } = site
  site.reset()
  const oracle = createOracle({ isBehind, now: () => time.now().getTime() })
  const { nameOf, isSameAs } = createNames()
  /** Only the site itself changes them. */
  let odd: readonly unknown[] = []
  const clients = new Map(
    ['dev', 'review', 'late'].map((session) => [session, editor(ask, { siteId, session })] as const),
  )
  const clientOf = (name: string) => clients.get(name) ?? assert.fail()
  const snapshots: string[] = []
  const made = new Map<string, Map<number, UndoableChange>>()
  /** What drafts had, oldest first. */
  const contents = new Map<string, Content[]>()
  const count = (what: string) => void (tally[what] = (tally[what] ?? 0) + 1)

  const ok = (answer: Injected): Injected => {
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const treeOfContent = ({ pages, settings }: Content): Tree => treeOf(pages, settings, nameOf)
  const shown = (): Tree => treeOfContent(site.listed())
  /** The pages that were read, by their text: equal ones are the same. */
  const reads = new Map<string, Page>()
  const pageIn = async (client: ReturnType<typeof clientOf>, slug: string): Promise<Page> => {
    const { text } = ok(await client.get('/draft/pages', { slug }))
    const page = reads.get(text) ?? v.parse(Page, JSON.parse(text))
    reads.set(text, page)
    return page
  }
  const contentIn = async (name: string): Promise<Content> => {
    const client = clientOf(name)
    const pages = await Promise.all((await client.slugs()).map((slug) => pageIn(client, slug)))
    const settings = (await (await setup.drafts()).config({ siteId, session: name })) ?? {}
    return { pages, settings }
  }
  const read = async (name: string): Promise<Tree> => treeOfContent(await contentIn(name))
  const sentTree = (): Tree => treeOfContent(website.sent ?? assert.fail('nothing was sent'))

  /** Whether the site may show other values than it was sent. */
  let hasForms = isBehind
  /** False after a page was decided to have an address that two have: redirects are not right then, as long as it is not mended. */
  let areRedirectsKnown = true
  const comparable = (tree: Tree): Tree => {
    const { $redirects: _, ...config } = partsOf(tree['config'])
    return areRedirectsKnown ? withLastAddresses(tree) : { ...tree, config }
  }
  function compare(found: Tree, wanted: Tree, what: string): void {
    const [actual, expected] = [found, wanted].map((tree) => withoutOrders(comparable(tree)))
    const paths = differing(actual, expected)
    const at = (value: Value | undefined) => paths.map((path) => `${path}: ${textOf(valueAt(value, path))}`)
    assert.deepEqual(at(actual), at(expected), what)
  }
  /** Compares a draft with the oracle, which then knows the orders as they are. */
  async function check(name: string): Promise<Tree> {
    const content = await contentIn(name)
    contents.set(name, [...(contents.get(name) ?? []), content])
    const found = treeOfContent(content)
    const draft = oracle.draft(name)
    compare(found, draft.now, `draft ${name}`)
    for (const { at, wanted } of isBehind && knownFaults.ordersBehind ? [] : draft.orders) {
      const order = listAt(at === '' ? found : valueAt(found, at), orderName)
      const both = wanted.filter((each) => order.includes(each))
      assert.deepEqual(
        order.filter((each) => both.includes(each)),
        both,
        `the order of ${at} in ${name}`,
      )
    }
    draft.orders = []
    draft.now = found
    assert.deepEqual(website.odd, odd, 'the entries that cannot be read')
    return found
  }

  /** The place of a conflict. */
  function placeOf(
    name: string,
    { slug, blockId, path = '', kind, ...sides }: PlacedConflict & { base?: unknown; ours?: unknown },
  ): string {
    const parts = path === '' ? [] : pathParts(path, sides)
    if (slug === '') return ['config', ...parts].join('|')
    const trees = [oracle.draft(name).now, oracle.meaning.known]
    if (blockId !== undefined) {
      const page = trees.flatMap(pagesIn).find(([, each]) => `block ${blockId}` in each)?.[0]
      return [page, `block ${blockId}`, ...parts].join('|')
    }
    const pages = [sides.ours, sides.theirs].map((side) =>
      path === '' && isPlainObject(side) ? nameOf(v.parse(Page, side)) : undefined,
    )
    const names = pages.filter((each) => each !== undefined)
    if (kind === 'changed' && path === '') return `clash ${slug}`
    const page =
      names[0] === undefined ? trees.map((tree) => pageAt(tree, slug)).find(Boolean) : `page ${names[0]}`
    return [page, ...parts].join('|')
  }
  const places = (name: string, conflicts: readonly PlacedConflict[]) =>
    conflicts.map((each) => placeOf(name, each)).toSorted()
  const compareOpen = (name: string, answer: Injected, open: readonly Open[]) => {
    const found = conflictsIn(answer)
    assert.deepEqual(
      places(name, found),
      open.map(({ at }) => at).toSorted(),
      `conflicts of ${name}: ${JSON.stringify(found)}`,
    )
    return found
  }

  /** A name that no other page has anywhere, or that of the same page elsewhere. */
  const newName = (slug: string): string => {
    const all = [
      ...oracle
        .all()
        .flatMap(({ now, agreed, pins }) => [now, agreed, ...pins.flatMap((pin) => [pin.now, pin.agreed])]),
      ...oracle.published,
      shown(),
      oracle.meaning.known,
      treeOfContent(website.content),
    ]
    const base = slug.slice(1)
    for (let n = 0; ; n++) {
      const name = n === 0 ? base : `${base}${n}`
      if (
        all.every((tree) =>
          [undefined, slug].includes(partsOf(tree[`page ${name}`])['slug'] as string | undefined),
        )
      )
        return name
    }
  }
  const names = { nameOf, newName }

  /** The content of a draft was changed by itself. */
  async function changed(name: string, answer: Injected, isTyped: boolean): Promise<void> {
    const before = oracle.draft(name).now
    const after = await read(name)
    oracle.put(name, after, isTyped)
    if (isSame(before, after)) return
    const { previewVersion } = v.parse(Taken, answer.json())
    made.get(name)?.set(previewVersion, { before, after })
  }

  async function fill(name: string): Promise<void> {
    if (oracle.isFilled(name)) return
    ok(await clientOf(name).get('/draft/slugs'))
    made.set(name, new Map())
    oracle.fill(name, shown())
  }

  /** Names the pages that a draft has added where another page is, or was when it last agreed with the site. */
  function unify(name: string, content: Content): void {
    const draft = oracle.draft(name)
    const known = oracle.meaning.known
    for (const page of content.pages) {
      const own = `page ${nameOf(page)}`
      if (own in draft.agreed || own in known) continue
      const there = [draft.agreed, known]
        .map((tree) => pageAt(tree, page.slug))
        .find(
          (each) => each !== undefined && !content.pages.some((other) => `page ${nameOf(other)}` === each),
        )
      if (there !== undefined) isSameAs(page, there.slice('page '.length))
    }
  }

  async function edit(name: string, change: Edit): Promise<void> {
    const content = await contentIn(name)
    const ops = operationsOf(change, content, names)
    if (ops.length === 0) return
    const answer = await clientOf(name).ops(ops)
    count(answer.status === 200 ? `edit ${change.what}` : `refused ${change.what}`)
    if (answer.status !== 200) {
      assert.equal(answer.status, 400, `${JSON.stringify(ops)} ${answer.text}`)
      return compare(await read(name), oracle.draft(name).now, 'a refused edit')
    }
    unify(name, await contentIn(name))
    await changed(name, answer, true)
  }

  async function runStep(name: string, change: Edit): Promise<void> {
    const ops = operationsOf(change, await contentIn(name), names)
    const parsed = parseOperations(ops)
    if (ops.length === 0 || !parsed.ok) return
    const drafts = await setup.drafts()
    const body = { kind: 'operations', ops: parsed.ops, source: 'direct', summary: 'A run' } as const
    try {
      await drafts.commit(
        {
          id: { siteId, session: name },
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
    unify(name, await contentIn(name))
    const after = await read(name)
    if (isSame(after, oracle.draft(name).now)) return
    oracle.put(name, after)
    oracle.draft(name).isHeld = true
    count('run')
  }

  async function endRun(name: string): Promise<void> {
    if (!oracle.draft(name).isHeld) return
    await (await setup.drafts()).endRun({ siteId, session: name }, 'a')
    oracle.draft(name).isHeld = false
    const answer = ok(await clientOf(name).send('/draft/follow'))
    compareOpen(name, answer, oracle.follow(name, shown()))
  }

  const noteSnapshot = async (name: string): Promise<void> => {
    const { entries } = v.parse(LogRows, ok(await clientOf(name).get('/publish/log')).json())
    snapshots.push(entries.at(-1)?.snapshot ?? assert.fail())
    count('published')
  }
  /** The site was sent this; returns what it was sent, with its orders. */
  async function sent(name: string, wanted: Tree, what: string): Promise<Tree> {
    const found = sentTree()
    compare(found, wanted, what)
    oracle.published.splice(-1, 1, found)
    oracle.meaning.sent(found, shown())
    await noteSnapshot(name)
    return found
  }

  async function publish(name: string, overwrite: boolean): Promise<void> {
    const before = shown()
    const answer = await clientOf(name).send('/publish', overwrite ? { overwrite } : {})
    const wanted = oracle.publish(name, overwrite, before)
    if (overwrite) areRedirectsKnown = false
    assert.equal(answer.status, wanted.sent ? 200 : 409, `${answer.text} ${wanted.open.map(({ at }) => at)}`)
    if (!wanted.sent) {
      count('refused')
      return void compareOpen(name, answer, wanted.open)
    }
    const found = await sent(name, wanted.sent, 'what the site is sent')
    const draft = oracle.draft(name)
    if (draft.isHeld) return
    const now = await check(name)
    assert.deepEqual(comparable(found), comparable(now), 'the site is sent the draft, with its orders')
    draft.agreed = now
  }

  /** The slug of one of the pages that a draft has changed last, there or on the site. */
  function recentSlug(name: string, which: number): string {
    const { now, touched } = oracle.draft(name)
    const page = touched[which % Math.max(1, touched.length)] ?? 'page home'
    return textAt(now[page], 'slug') || textAt(oracle.meaning.known[page], 'slug') || '/'
  }

  /** Publishes one page; of the settings, only what is of its slugs may change. */
  async function publishPart(name: string, which: number, overwrite: boolean): Promise<void> {
    const slug = recentSlug(name, which)
    const shownBefore = shown()
    // It may end the entry of a run in the history.
    await endRun(name)
    const answer = await clientOf(name).send('/publish', { pages: [slug], ...(overwrite && { overwrite }) })
    const {
      page,
      site: known,
      open,
      isRefused,
      merged: { open: all },
    } = oracle.publishPart(name, slug, overwrite, shownBefore)
    const draft = oracle.draft(name)
    if (answer.status !== 200) {
      const { code } = v.parse(Code, answer.json())
      count(code)
      if (code === 'pages_belong_together') return
      const isOther = !isSame(draft.now[page], known[page])
      if (code === 'pages_not_changed') return assert.ok(!isOther, answer.text)
      assert.equal(code, 'site_conflict', answer.text)
      assert.ok(isRefused, answer.text)
      return void compareOpen(name, answer, open)
    }
    assert.ok(!isRefused, `a conflict was expected: ${open.map(({ at }) => at)}`)
    const found = sentTree()
    const slugs = new Set([
      slug,
      ...[draft.now, known, draft.agreed].map((tree) => textAt(tree[page], 'slug')),
    ])
    /** The settings that come with the page are those of its slugs; the place of a page that moves in groups is not known. */
    const [before, mine, after] = [known, draft.now, found].map((tree) => partsOf(tree['config']))
    const ofSlugs = (key: string): Tree => {
      const named = Object.keys({ ...partsOf(before?.[key]), ...partsOf(mine?.[key]) })
      return named.reduce<Tree>((map, slug) => {
        const from = slugs.has(slug) ? mine : before
        return withPart(map, slug, partsOf(from?.[key])[slug])
      }, {})
    }
    const maps = { navLabels: ofSlugs('navLabels'), $redirects: ofSlugs('$redirects') }
    const isMoved = textAt(draft.now[page], 'slug') !== textAt(known[page], 'slug')
    const navGroups = partsOf((isMoved ? after : before)?.['navGroups'])
    const config = { ...before, ...maps, navGroups }
    compare(found, { ...withPart(known, page, draft.now[page]), config }, 'a part')
    oracle.sentPart(name, page, found, { site: known, open: all })
    oracle.meaning.sent(found, shown())
    await noteSnapshot(name)
    count('part')
  }

  async function decide({ draft: name, which, take, isUndone }: Extract<PlayStep, { kind: 'decide' }>) {
    const draft = oracle.draft(name)
    const answer = ok(await clientOf(name).get('/publish/diff'))
    const open = compareOpen(name, answer, oracle.diff(name, shown()))
    const chosen = open[which % open.length]
    if (!chosen || draft.isHeld) return
    await check(name)
    const before = { now: draft.now, agreed: draft.agreed }
    const at = placeOf(name, chosen)
    if (/^clash|\|slug$/.test(at)) areRedirectsKnown = false
    const done = await clientOf(name).send('/draft/conflicts', { decide: [{ id: chosen.id, take }] })
    if (done.status !== 200) return assert.fail(done.text)
    compareOpen(name, done, oracle.decide(name, at, take, shown()))
    count('decided')
    if (!isUndone) return
    await check(name)
    const { entries } = v.parse(History, ok(await clientOf(name).get('/history/log')).json())
    ok(await clientOf(name).send('/history/undo-change', { version: entries.at(-1)?.version }))
    Object.assign(draft, before)
    draft.typed.clear()
  }

  async function look(name: string, kind: 'diff' | 'follow') {
    const client = clientOf(name)
    const answer = ok(await (kind === 'diff' ? client.get('/publish/diff') : client.send('/draft/follow')))
    compareOpen(name, answer, oracle[kind](name, shown()))
  }

  const inMs = (wait: number): string => new Date(time.now().getTime() + wait).toISOString()

  async function schedule(name: string, overwrite: boolean) {
    const answer = await clientOf(name).send('/publish', { at: inMs(farMs), ...(overwrite && { overwrite }) })
    const open = oracle.schedule(name, overwrite, shown(), () => v.parse(Scheduled, answer.json()).id)
    time.advance(1)
    assert.equal(answer.status, open.length > 0 && !overwrite ? 409 : 202, answer.text)
    if (answer.status === 409) compareOpen(name, answer, open)
    count('scheduled')
  }

  /** The time of a scheduled publish has come. */
  async function due(name: string, which: number) {
    const { pins } = oracle.draft(name)
    const at = which % Math.max(1, pins.length)
    const pin = pins[at]
    if (!pin) return
    const client = clientOf(name)
    // Not played as long as it is not mended: that a scheduled publish ends the entry of a run.
    await endRun(name)
    const before = shown()
    ok(await client.send('/publish/scheduled', { id: pin.id, at: inMs(1) }, {}, 'PATCH'))
    time.advance(1)
    let failure: string | undefined
    const isOver = async (): Promise<boolean> => {
      const { scheduled } = v.parse(ScheduledList, ok(await client.get('/publish/scheduled')).json())
      const row = scheduled.find(({ id }) => id === pin.id)
      if (row?.status === 'failed') failure = row.error ?? ''
      return !row || row.status === 'failed'
    }
    await until(isOver, 'a scheduled publish')
    const wanted = oracle.dueAt(name, at, before)
    const known = oracle.meaning.known
    assert.equal(failure === undefined, wanted !== undefined, `scheduled publish: ${failure}`)
    count(wanted ? 'arrived' : 'failed at its time')
    if (wanted) oracle.arrived(name, at, known, await sent(name, wanted, 'what a scheduled publish sends'))
  }

  async function undo(name: string, which: number, kind: 'undo' | 'redo') {
    const slug = recentSlug(name, which)
    const before = oracle.draft(name).now
    const answer = await clientOf(name)[kind](slug)
    const after = await read(name)
    count(answer.status === 200 ? kind : `no ${kind}`)
    if (answer.status !== 200) {
      assert.ok([400, 409, 404].includes(answer.status), answer.text)
      return compare(after, before, `a refused ${kind}`)
    }
    unify(name, await contentIn(name))
    oracle.put(name, after)
  }

  async function undoChange(name: string, which: number) {
    const all = [...(made.get(name) ?? [])]
    const [version, change] = all[all.length - 1 - which] ?? []
    if (version === undefined || !change) return
    const before = oracle.draft(name).now
    const answer = await clientOf(name).send('/history/undo-change', { version })
    const after = await read(name)
    count(answer.status === 200 ? 'undo change' : 'no undo change')
    if (answer.status !== 200) return compare(after, before, 'a refused undo of a change')
    const { now, open } = undone(before, change)
    assert.deepEqual(
      open.map(({ at }) => at),
      [],
      'an undo of a change',
    )
    compare(after, now, 'the undo of a change')
    oracle.put(name, after)
    made.get(name)?.delete(version)
  }

  async function discard(name: string, which: number) {
    const draft = oracle.draft(name)
    const slug = recentSlug(name, which)
    if (draft.isHeld) return
    compareOpen(name, ok(await clientOf(name).send('/draft/follow')), oracle.follow(name, shown()))
    await check(name)
    const answer = await clientOf(name).send('/history/discard', { slug })
    const after = await read(name)
    count(answer.status === 200 ? 'discard' : 'no discard')
    if (answer.status !== 200) return compare(after, draft.now, 'a refused discard')
    const known = oracle.meaning.known
    const there = pageAt(draft.now, slug) ?? pageAt(known, slug) ?? ''
    assert.deepEqual(withoutOrders(after[there] ?? ''), withoutOrders(known[there] ?? ''), 'a discarded page')
    oracle.put(name, after)
    // A page that both have added is at the place that the draft gives it.
    const both = listAt(after, orderName).filter((name) => name in draft.agreed)
    draft.agreed = { ...withPart(draft.agreed, there, known[there]), [orderName]: both }
  }

  /** A client pushes a copy, without what it could not read. */
  async function push(name: string, age: number): Promise<void> {
    const copies = contents.get(name) ?? []
    const copy = copies[Math.max(0, copies.length - 1 - age)]
    if (!copy || oracle.draft(name).isHeld || copy.pages.some(({ blocks }) => blocks.some(isShut))) return
    const { $redirects: _, ...siteConfig } = copy.settings
    const tree = treeOfContent(copy)
    const body = { siteConfig, overwrite: true }
    ok(await clientOf(name).bootstrap(copy.pages, body))
    // Clients know no redirects.
    const { $redirects = {} } = partsOf(oracle.draft(name).now['config'])
    const config = { ...partsOf(treeOf([], siteConfig, nameOf)['config']), $redirects }
    oracle.push(name, withPart(tree, 'config', config), shown())
    count('pushed')
  }

  async function rollBack(name: string, to: number): Promise<void> {
    const commit = snapshots[to]
    const wanted = oracle.published[to]
    if (commit === undefined || !wanted) return
    oracle.meaning.look(shown())
    website.isRestored = true
    ok(await clientOf(name).send('/publish', { commit }))
    website.isRestored = false
    oracle.published.push(wanted)
    await sent(name, wanted, 'an earlier publish')
    count('rolled back')
  }

  async function take(step: PlayStep): Promise<void> {
    if ('draft' in step) await fill(step.draft)
    switch (step.kind) {
      case 'edit':
        return edit(step.draft, step.edit)
      case 'run':
        return runStep(step.draft, step.edit)
      case 'end run':
        return endRun(step.draft)
      case 'publish':
        return publish(step.draft, step.overwrite)
      case 'part':
        return publishPart(step.draft, step.which, step.overwrite)
      case 'diff':
      case 'follow':
        return look(step.draft, step.kind)
      case 'decide':
        return decide(step)
      case 'schedule':
        return schedule(step.draft, step.overwrite)
      case 'due':
        return due(step.draft, step.which)
      case 'undo':
      case 'redo':
        return undo(step.draft, step.which, step.kind)
      case 'undo change':
        return undoChange(step.draft, step.which)
      case 'discard':
        return discard(step.draft, step.which)
      case 'push':
        return push(step.draft, step.age)
      case 'roll back':
        return rollBack(step.draft, step.to)
      case 'site': {
        // Not played as long as it is not mended: forms are known by slug.
        if (hasForms && ['slug', 'swap'].includes(step.edit.what)) return
        // Also what it shows before its content has it.
        const after = (content: Content) => edited(step.edit, content, names)
        const [content, older] = [after(website.content), website.older.map(after)]
        return void Object.assign(website, { content, older })
      }
      case 'hide':
        hasForms = true
        return void (website.hidden = step.names)
      case 'store':
        hasForms = true
        return void (website.storing = step)
      case 'odd': {
        odd = odds.filter((_, at) => step.which.includes(at))
        const isRead = website.isRead && step.hasNulls === website.hasNulls
        return void Object.assign(website, { odd, hasNulls: step.hasNulls, isRead })
      }
      case 'node':
        return void (website.isOldNode = step.isOld)
      case 'arrive': {
        website.older = step.all ? [] : website.older.slice(1)
        if (!step.all) return
        time.advance(hourMs)
        for (const draft of oracle.all()) draft.isHeld = false
        return oracle.meaning.ended()
      }
    }
  }

  ok(await clientOf('dev').send('/sites/register', { name: 'Acme', previewUrl: origin }))
  await fill('dev')
  await fill('review')
  for (const step of list) {
    await take(step)
    if ('draft' in step) await check(step.draft)
  }
  for (const name of clients.keys()) {
    if (!oracle.isFilled(name)) continue
    await endRun(name)
    await look(name, 'diff')
    await check(name)
  }
}

/** The names on the way to a value, from the path of a conflict. */
function pathParts(
  path: string,
  { base, theirs }: { readonly base?: unknown; readonly theirs?: unknown },
): readonly string[] {
  const run = /^(\w+)\[after=/.exec(path)
  if (run) return [`${run[1]}#${rowTexts(base)}${rowTexts(theirs)}`]
  const parts: string[] = []
  for (const [, name, id, key] of path.matchAll(/([$\w]+)|\[id="([^"]*)"\]|\["([^"]*)"\]/g))
    parts.push(id === undefined ? (key ?? (name === 'redirects' ? '$redirects' : (name ?? ''))) : `row ${id}`)
  return parts
}
const rowTexts = (rows: unknown): string =>
  JSON.stringify(Array.isArray(rows) ? rows.map((row) => (isPlainObject(row) ? row['q'] : row)) : [])
