/** Sequences of renames, swaps, moves and edits of pages on a site and in its drafts, with an oracle per page. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import * as v from 'valibot'
import { mountForTest, stillClock, type Ask } from '../../kernel/testing.ts'
import { Page } from '../../plugins/content/page.ts'
import { conflictsIn, type PlacedConflict } from './conflicts.ts'
import fc, { pick } from './property.ts'
import { noon, page, publishing, type PublishingOptions } from './publishing.ts'
import { serve } from './raw.ts'
import { editor } from './stack.ts'
import { until } from './until.ts'

const draft = pick('dev', 'dev', 'review', 'late')
/** A page, whatever address it has; all but the home page. */
const which = pick('a', 'a', 'b', 'c')
const slug = pick('/a', '/b', '/c', '/x', '/y')
const text = pick('one', 'two', 'three')
const after = pick('home', 'a', 'b', 'c')
/** Whose content a step changes: that of a draft, or of the site itself. */
const who = fc.oneof(draft, pick('site'))

const single = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: pick('rename'), who, which, slug }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('swap'), who, which, with: which }) },
  { weight: 5, arbitrary: fc.record({ kind: pick('edit'), who, which, text }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('move'), who, which, after }) },
  { weight: 1, arbitrary: fc.record({ kind: pick('remove'), who, which }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('diff'), who: draft }) },
  { weight: 6, arbitrary: fc.record({ kind: pick('publish'), who: draft, overwrite: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: pick('part'), who: draft, which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: pick('decide'),
      who: draft,
      at: fc.nat({ max: 5 }),
      take: pick('draft', 'site'),
      isUndone: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: pick('schedule', 'due'), who: draft }) },
)
type AddressStep = typeof single extends fc.Arbitrary<infer S> ? S : never

/** Two change the same page. */
const meeting: fc.Arbitrary<readonly AddressStep[]> = fc
  .tuple(
    draft,
    who,
    which,
    fc.tuple(slug, slug),
    fc.tuple(text, text),
    fc.tuple(fc.boolean(), fc.boolean()),
    fc.boolean(),
  )
  .map(([one, other, which, slugs, texts, isRename, isScheduled]): readonly AddressStep[] => {
    const change = (who: AddressStep['who'], at: 0 | 1): AddressStep =>
      isRename[at]
        ? { kind: 'rename', who, which, slug: slugs[at] }
        : { kind: 'edit', who, which, text: texts[at] }
    const published = other === 'site' ? [] : [{ kind: 'publish', who: other, overwrite: false } as const]
    const [pinned, due] = isScheduled
      ? ([
          { kind: 'schedule', who: one },
          { kind: 'due', who: one },
        ] as const)
      : []
    const last = due ?? ({ kind: 'publish', who: one, overwrite: false } as const)
    return [change(one, 0), pinned ?? [], change(other, 1), ...published, last].flat()
  })

export const steps = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: single.map((step) => [step]) }, { weight: 1, arbitrary: meeting }),
    { minLength: 4, maxLength: 16, size: 'max' },
  )
  .map((list) => list.flat())

/** What is known of a page: its address and its heading. */
interface Sheet {
  readonly slug: string
  readonly heading: string
}
type State = ReadonlyMap<string, Sheet>
interface Copy {
  now: State
  agreed: State
}
interface Model extends Copy {
  /** The conflicts that were found last, as `<page>` or `<page> <key>`. */
  open: readonly string[]
  pin?: (Copy & { readonly id: string }) | undefined
  hasMoved: boolean
}

const ids = ['home', 'a', 'b', 'c']
const start: State = new Map(ids.map((id) => [id, { slug: id === 'home' ? '/' : `/${id}`, heading: 'one' }]))
const blockOf = (id: string): string => `block-${id}`
const textOf = (sheet: Sheet | undefined): string => JSON.stringify(sheet && [sheet.slug, sheet.heading])
const sortedOf = (state: State) => [...state].map(([id, sheet]) => [id, textOf(sheet)]).toSorted()
const withSheet = (state: State, id: string, sheet: Sheet | undefined): State =>
  new Map([...[...state].filter(([each]) => each !== id), ...(sheet ? [[id, sheet] as const] : [])])

/**
 * Ends a sequence where two pages come to one address, or have agreed on one while a conflict is open, and where a page
 * gets the former id of another one: drafts with changes of both have conflicts then.
 */
class Clash extends Error {}

/** A copy takes over what it has not changed; returns what both have changed. */
function follow(
  copy: Copy,
  site: State,
  decided: (at: string) => 'draft' | 'site' | undefined = () => undefined,
) {
  const open: string[] = []
  const one = <T>(at: string, base: T, ours: T, theirs: T, toText: (value: T) => string) => {
    const [was, here, there] = [base, ours, theirs].map(toText)
    if (here === there || was === here) return { now: theirs, agreed: theirs }
    if (was === there) return { now: ours, agreed: base }
    const winner = decided(at)
    if (!winner) open.push(at)
    return winner ? { now: winner === 'site' ? theirs : ours, agreed: theirs } : { now: ours, agreed: base }
  }
  for (const id of ids) {
    const [base, ours, theirs] = [copy.agreed, copy.now, site].map((state) => state.get(id))
    const keyOf = (key: keyof Sheet, was: Sheet, here: Sheet, there: Sheet) =>
      one(`${id} ${key}`, was[key], here[key], there[key], String)
    const parts = base && ours && theirs && ([base, ours, theirs] as const)
    const [slug, heading] = parts ? [keyOf('slug', ...parts), keyOf('heading', ...parts)] : []
    const result =
      slug && heading
        ? {
            now: { slug: slug.now, heading: heading.now },
            agreed: { slug: slug.agreed, heading: heading.agreed },
          }
        : one(id, base, ours, theirs, textOf)
    copy.now = withSheet(copy.now, id, result.now)
    copy.agreed = withSheet(copy.agreed, id, result.agreed)
  }
  for (const state of [copy.now, copy.agreed])
    if (new Set([...state.values()].map((sheet) => sheet.slug)).size < state.size) throw new Clash()
  return open.toSorted()
}

const Code = v.object({ code: v.optional(v.string()) })
const Sent = v.object({ pages: v.array(v.custom<Page>(() => true)) })
const Scheduled = v.object({ id: v.string() })
const Pins = v.object({ scheduled: v.array(v.object({ id: v.string(), status: v.string() })) })
const History = v.object({ entries: v.array(v.object({ version: v.number() })) })

const idOf = ({ blocks: [block] }: Page): string => block?.id.slice(blockOf('').length) ?? ''
const sheetOf = ({ slug, blocks: [block] }: Page): Sheet => ({
  slug,
  heading: String(block?.props['heading']),
})
const stateOf = (pages: readonly Page[]): State => new Map(pages.map((each) => [idOf(each), sheetOf(each)]))

function pageOf(id: string, { slug, heading }: Sheet): Page {
  const blocks = page(slug, heading).blocks.map((block) => ({ ...block, id: blockOf(id) }))
  return { ...page(slug), id: `p-${id}`, title: id, blocks }
}

/** Mounts the service beside a website; `play` plays steps on a new site of it, and `tally` counts what they did. */
export async function openAddresses(
  t: Parameters<typeof mountForTest>[0],
  options: Pick<PublishingOptions, 'storage'> = {},
) {
  const website = { pages: [] as readonly Page[] }
  const listener: RequestListener = async (request, response) => {
    if (request.method === 'POST')
      website.pages = v.parse(
        Sent,
        JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()),
      ).pages
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(website))
  }
  const origin = await serve(t, listener)
  const time = stillClock(noon)
  const env = { ORCHESTRATOR_CORS_ORIGINS: origin }
  const mounted = mountForTest(t, publishing({ ...options, env, time, publish: { lookEveryMs: 10 } }))
  const ask: Ask = (request) => mounted.inject(request)
  const tally = { published: 0, refused: 0, decided: 0, clashes: 0, arrived: 0 }
  let sites = 0
  const play = async (list: readonly AddressStep[]): Promise<void> => {
    website.pages = [...start].map(([id, sheet]) => pageOf(id, sheet))
    const setup = { ask, siteId: `site-${++sites}`, origin, website, time, tally }
    await playOn(setup, list).catch((error: unknown) => {
      if (!(error instanceof Clash)) throw error
      tally.clashes += 1
    })
  }
  return { play, tally }
}

async function playOn(
  {
    ask,
    siteId,
    origin,
    website,
    time,
    tally,
  }: {
    readonly ask: Ask
    readonly siteId: string
    readonly origin: string
    readonly website: { pages: readonly Page[] }
    readonly time: ReturnType<typeof stillClock>
    readonly tally: Record<'published' | 'refused' | 'decided' | 'clashes' | 'arrived', number>
  },
  list: readonly AddressStep[],
): Promise<void> {
  let site = start
  const models = new Map<string, Model>()
  /** Which page has had a page id on the site. */
  const owners = new Map<string, string>()
  const clientOf = (session: string) => editor(ask, { siteId, session })
  type Client = ReturnType<typeof clientOf>
  const ok = (answer: Awaited<ReturnType<Ask>>) => {
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const placeOf = (model: Model, { slug, path, blockId, kind, theirs }: PlacedConflict): string => {
    if (blockId !== undefined) return `${blockId.slice(blockOf('').length)} ${path}`
    // Another page of the draft may have the address that it has on the site.
    if (kind === 'removed_here') return idOf(v.parse(Page, theirs))
    const [id] = [...model.now, ...site].find(([, sheet]) => sheet.slug === slug) ?? []
    return path === undefined ? String(id) : `${id} ${path}`
  }
  /** Lets a draft follow in the oracle, and compares the conflicts of an answer. */
  const compare = (model: Model, answer: Awaited<ReturnType<Ask>>): readonly PlacedConflict[] => {
    const found = conflictsIn(answer)
    assert.deepEqual(found.map((each) => placeOf(model, each)).toSorted(), model.open, answer.text)
    return found
  }
  const pagesIn = async (client: Client) =>
    Promise.all((await client.slugs()).map((slug) => client.page(slug)))
  const check = async (client: Client, model: Model): Promise<void> => {
    const pages = await pagesIn(client)
    assert.deepEqual(sortedOf(stateOf(pages)), sortedOf(model.now), 'the draft')
    assert.deepEqual(sortedOf(stateOf(website.pages)), sortedOf(site), 'the site')
    for (const published of website.pages) {
      const id = idOf(published)
      if ((owners.get(published.id) ?? id) !== id) throw new Clash()
      owners.set(published.id, id)
    }
  }
  const isFree = (state: State, slug: string) => [...state.values()].every((sheet) => sheet.slug !== slug)
  const now = (): string => new Date(time.now().getTime() + 1).toISOString()

  /** What a step makes of a state; `undefined` if it is not possible there. */
  function changed(state: State, step: AddressStep): State | undefined {
    const sheet = 'which' in step ? state.get(step.which) : undefined
    if (!sheet || !('which' in step)) return undefined
    if (step.kind === 'edit')
      return step.text === sheet.heading
        ? undefined
        : withSheet(state, step.which, { ...sheet, heading: step.text })
    if (step.kind === 'remove') return withSheet(state, step.which, undefined)
    if (step.kind === 'rename')
      return isFree(state, step.slug)
        ? withSheet(state, step.which, { ...sheet, slug: step.slug })
        : undefined
    if (step.kind !== 'swap') return undefined
    const other = state.get(step.with)
    if (!other || step.with === step.which) return undefined
    const moved = withSheet(state, step.which, { ...sheet, slug: other.slug })
    return withSheet(moved, step.with, { ...other, slug: sheet.slug })
  }

  const renameTo = (id: string, from: string, to: string) => ({
    op: 'rename_page',
    pageSlug: from,
    newPageSlug: to,
    newTitle: id,
  })
  /** The operations of a step in a draft. */
  function operationsOf(state: State, step: AddressStep): readonly object[] {
    const { slug = '' } = ('which' in step && state.get(step.which)) || {}
    if (step.kind === 'edit')
      return [
        { op: 'update_props', pageSlug: slug, blockId: blockOf(step.which), patch: { heading: step.text } },
      ]
    if (step.kind === 'remove') return [{ op: 'remove_page', pageSlug: slug }]
    if (step.kind === 'rename') return [renameTo(step.which, slug, step.slug)]
    if (step.kind !== 'swap') return []
    const { slug: other = '' } = state.get(step.with) ?? {}
    return [
      renameTo(step.which, slug, '/tmp'),
      renameTo(step.with, other, slug),
      renameTo(step.which, '/tmp', other),
    ]
  }

  function changeSite(step: AddressStep): void {
    if (step.kind === 'move') {
      const moved = website.pages.filter((each) => idOf(each) === step.which)
      const rest = website.pages.filter((each) => idOf(each) !== step.which)
      const at = rest.findIndex((each) => idOf(each) === step.after)
      if (at >= 0) website.pages = rest.toSpliced(at + 1, 0, ...moved)
      return
    }
    const next = changed(site, step)
    if (!next) return
    site = next
    website.pages = website.pages.flatMap((each) => {
      const { slug, heading } = site.get(idOf(each)) ?? {}
      const blocks = each.blocks.map((block) => ({ ...block, props: { ...block.props, heading } }))
      return slug === undefined ? [] : [{ ...each, slug, blocks }]
    })
  }

  async function decide(
    client: Client,
    model: Model,
    step: Extract<AddressStep, { readonly kind: 'decide' }>,
  ) {
    model.open = follow(model, site)
    const open = compare(model, ok(await client.get('/publish/diff')))
    const chosen = open[step.at % open.length]
    if (!chosen) return
    const place = placeOf(model, chosen)
    const before = { now: model.now, agreed: model.agreed }
    model.open = follow(model, site, (at) => (at === place ? step.take : undefined))
    compare(
      model,
      ok(await client.send('/draft/conflicts', { decide: [{ id: chosen.id, take: step.take }] })),
    )
    tally.decided += 1
    if (!step.isUndone) return
    const { entries } = v.parse(History, ok(await client.get('/history/log')).json())
    ok(await client.send('/history/undo-change', { version: entries.at(-1)?.version }))
    Object.assign(model, before)
    model.open = follow(model, site)
    compare(model, ok(await client.get('/publish/diff')))
  }

  async function publish(client: Client, model: Model, overwrite: boolean): Promise<void> {
    model.open = follow(model, site)
    const answer = await client.send('/publish', overwrite ? { overwrite } : {})
    if (model.open.length > 0 && !overwrite) {
      assert.equal(answer.status, 409, answer.text)
      compare(model, answer)
      tally.refused += 1
      return
    }
    ok(answer)
    site = model.agreed = model.now
    Object.assign(model, { open: [], hasMoved: false })
    assert.deepEqual(website.pages.map(idOf), (await pagesIn(client)).map(idOf), 'the order of pages')
    tally.published += 1
  }

  async function publishPart(client: Client, model: Model, id: string): Promise<void> {
    const slug = (model.now.get(id) ?? site.get(id))?.slug
    model.open = follow(model, site)
    const answer = await client.send('/publish', { pages: [model.now.get(id)?.slug ?? slug ?? '/none'] })
    if (answer.status !== 200) {
      const isOpen = model.open.some((at) => at === id || at.startsWith(`${id} `))
      const isSame = textOf(model.now.get(id)) === textOf(site.get(id))
      const { code = '' } = v.parse(Code, answer.json())
      const wanted = isSame ? /pages_not_changed|belong/ : isOpen ? /site_conflict|belong/ : /belong/
      return assert.match(code, wanted, answer.text)
    }
    site = withSheet(site, id, model.now.get(id))
    model.agreed = withSheet(model.agreed, id, model.now.get(id))
    tally.published += 1
  }

  async function schedule(client: Client, model: Model): Promise<void> {
    if (model.pin) return
    model.open = follow(model, site)
    const far = new Date(time.now().getTime() + 4_000 * 3_600_000).toISOString()
    const answer = await client.send('/publish', { at: far })
    assert.equal(answer.status, model.open.length > 0 ? 409 : 202, answer.text)
    if (answer.status !== 202) return
    const { id } = v.parse(Scheduled, answer.json())
    model.pin = { id, now: model.now, agreed: site }
  }

  async function arrive(client: Client, model: Model): Promise<void> {
    const { pin } = model
    if (!pin) return
    ok(await client.send('/publish/scheduled', { id: pin.id, at: now() }, {}, 'PATCH'))
    time.advance(1)
    const rowOf = async () =>
      v
        .parse(Pins, ok(await client.get('/publish/scheduled')).json())
        .scheduled.find(({ id }) => id === pin.id)
    await until(async () => ['failed', undefined].includes((await rowOf())?.status), 'a scheduled publish')
    const published: Copy = { ...pin }
    const isPossible = follow(published, site).length === 0
    assert.equal((await rowOf()) === undefined, isPossible, 'a scheduled publish')
    if (!isPossible) return
    const before = site
    follow(model, before)
    site = published.now
    const valueIn = (state: State, at: string) => {
      const [id = '', key] = at.split(' ')
      const sheet = state.get(id)
      return key === undefined ? textOf(sheet) : key === 'slug' ? sheet?.slug : sheet?.heading
    }
    follow(model, site, (at) => (valueIn(before, at) === valueIn(site, at) ? undefined : 'draft'))
    delete model.pin
    tally.arrived += 1
  }

  async function take(step: AddressStep): Promise<void> {
    // What the site goes back to by itself is no answer that is behind.
    if (step.who === 'site') time.advance(600_000)
    if (step.who === 'site') return changeSite(step)
    const client = clientOf(step.who)
    let model = models.get(step.who)
    if (!model) {
      ok(await client.get('/draft/slugs'))
      models.set(step.who, (model = { now: site, agreed: site, open: [], hasMoved: false }))
    }
    if (step.kind === 'diff') {
      model.open = follow(model, site)
      compare(model, ok(await client.get('/publish/diff')))
      const isSame = sortedOf(model.now).join() === sortedOf(site).join() && !model.hasMoved
      if (isSame) assert.deepEqual((await pagesIn(client)).map(idOf), website.pages.map(idOf), 'the order')
    } else if (step.kind === 'publish') await publish(client, model, step.overwrite)
    else if (step.kind === 'part') await publishPart(client, model, step.which)
    else if (step.kind === 'decide') await decide(client, model, step)
    else if (step.kind === 'schedule') await schedule(client, model)
    else if (step.kind === 'due') await arrive(client, model)
    else if (step.kind === 'move') {
      const [page, behind] = [model.now.get(step.which), model.now.get(step.after)]
      if (!page || !behind || page === behind) return
      ok(await client.ops([{ op: 'move_page', pageSlug: page.slug, afterPageSlug: behind.slug }]))
      model.hasMoved = true
    } else {
      // An edit of what was shown as a conflict decides it: that is another test.
      if (model.open.length > 0) return
      const next = changed(model.now, step)
      if (!next) return
      ok(await client.ops(operationsOf(model.now, step)))
      model.now = next
    }
    await check(client, model)
  }

  ok(await clientOf('dev').send('/sites/register', { name: 'Acme', previewUrl: origin }))
  for (const step of list) await take(step)
}
