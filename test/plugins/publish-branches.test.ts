/** Branches without git: what a draft takes over from which of them, and what was scheduled on another one. */
import assert from 'node:assert/strict'
import t, { type Test } from 'tap'
import { give } from '../../kernel/index.ts'
import { mountForTest, stillClock } from '../../kernel/testing.ts'
import { contentAdapter, type SiteContent } from '../../plugins/content/adapter.ts'
import { noon, page, publishing } from '../helpers/publishing.ts'
import fc, { pick, costlyRuns } from '../helpers/property.ts'
import { until } from '../helpers/until.ts'
import { draftOf } from '../helpers/website.ts'

const hour = 3_600_000
const inAnHour = new Date(Date.parse(noon) + hour).toISOString()
const boats = '/boats'
const oars = '/oars'

/** The headings of the page of oars and of the page of boats. */
type Texts = readonly [oars: unknown, boats: unknown]

/** A draft of content with branches, of which one is checked out; the publishes of the draft go there. */
async function onBranches(t: Pick<Test, 'teardown'>) {
  const contents = new Map<string, SiteContent>([
    ['main', { pages: [page(boats, 'Boats'), page(oars, 'Ash')] }],
  ])
  let current = 'main'
  const contentOf = (branch: string): SiteContent => contents.get(branch) ?? { pages: [] }
  const headingOn = (branch: string, slug: string) =>
    contentOf(branch).pages.find((each) => each.slug === slug)?.blocks[0]?.props['heading']
  const adapter = give(contentAdapter, {
    isExact: true,
    branch: async () => current,
    readContent: async () => contentOf(current),
    async writeContent(next) {
      contents.set(current, { pages: next.pages as SiteContent['pages'] })
    },
  })
  const time = stillClock(noon)
  const env = { ORCHESTRATOR_DEFAULT_SITE_ID: 'acme' }
  const mounted = mountForTest(t, publishing({ env, time, publish: { lookEveryMs: 10 }, seeds: [adapter] }))
  const as = (session: string) => draftOf((request) => mounted.inject(request), session)
  const draft = as('dev')
  await draft.follow()
  return {
    as,
    draft,
    headingOn,
    checkout: (branch: string) => void (current = branch),
    /** Makes a branch of what is checked out. */
    branch(name: string) {
      contents.set(name, contentOf(current))
      current = name
    },
    commit(heading: string, slug = oars) {
      const pages = contentOf(current).pages.map((each) => (each.slug === slug ? page(slug, heading) : each))
      contents.set(current, { pages })
    },
    current: () => current,
    /** Lets an hour pass, and waits until the log has so many publishes. */
    async come(publishes: number) {
      time.advance(hour)
      await until(async () => (await draft.log()).length === publishes, 'the scheduled publish')
    },
    patch: (body: object) => draft.send('/publish/scheduled', body, {}, 'PATCH'),
  }
}

t.test('what was scheduled on a branch goes to another one only if the draft follows it', async (t) => {
  const cases: Readonly<Record<string, (of: Awaited<ReturnType<typeof onBranches>>) => unknown>> = {
    'other content': ({ branch, commit }) => {
      branch('spring')
      commit('Spruce')
    },
    'the same content': ({ branch }) => branch('spring'),
    'a draft without changes of its own': async ({ draft, branch, commit }) => {
      await draft.heading(boats, 'Boats')
      await draft.follow()
      branch('spring')
      commit('Spruce')
    },
  }
  for (const [name, checkOut] of Object.entries(cases))
    await t.test(name, async (t) => {
      const all = await onBranches(t)
      const { draft, headingOn, come, patch } = all
      await draft.heading(boats, 'Fast boats')
      const { id } = await draft.publish({ at: inAnHour })
      await checkOut(all)
      t.match(await draft.follow(), { status: 'confirm', message: /branch spring now.* made on main/ })
      await come(1)
      const error =
        'The folder has the branch spring now, and this draft was made on main. ' +
        'Choose in the review which of them the draft follows, then try again.'
      t.strictSame([headingOn('spring', boats), headingOn('main', boats)], ['Boats', 'Boats'])
      t.match(await draft.scheduled(), [{ id, status: 'failed', error, conflicts: undefined }])
      t.match((await draft.get('/publish/scheduled', { conflicts: '1' })).json(), {
        scheduled: [{ error, conflicts: undefined }],
      })
      t.match(await draft.log(), [{ status: 'failed', error, scheduledId: id }])

      t.match((await patch({ id, at: new Date(Date.parse(noon) + 2 * hour).toISOString() })).status, 200)
      await come(2)
      t.equal(headingOn('spring', boats), 'Boats', 'another time confirms nothing')
      t.match(await draft.follow({ confirm: true }), { version: Number })
      t.match((await patch({ id, at: new Date(Date.parse(noon) + 3 * hour).toISOString() })).status, 200)
      await come(3)
      t.strictSame([headingOn('spring', boats), headingOn('main', boats)], ['Fast boats', 'Boats'])
      t.strictSame(await draft.scheduled(), [])
    })
})

t.test('it goes out on its own branch, whatever was checked out in between', async (t) => {
  const { draft, headingOn, branch, commit, checkout, come } = await onBranches(t)
  await draft.heading(boats, 'Fast boats')
  await draft.publish({ at: inAnHour })
  branch('spring')
  commit('Spruce')
  t.match(await draft.follow(), { status: 'confirm' })
  checkout('main')
  await come(1)
  t.strictSame([headingOn('main', boats), headingOn('spring', boats)], ['Fast boats', 'Boats'])
  t.match(await draft.follow(), { status: 'unchanged', message: undefined })
})

t.test('an earlier publish is not published again on a branch that waits', async (t) => {
  const { draft, headingOn, branch, commit } = await onBranches(t)
  await draft.heading(boats, 'Fast boats')
  const { commit: first } = Object(await draft.publish())
  const again = { commit: first ?? Object((await draft.log())[0])['commit'] }
  await draft.heading(boats, 'Slow boats')
  branch('spring')
  commit('Spruce')
  t.match(await draft.publish(again), { code: 'branch_changed' })
  t.match(await draft.publish({ ...again, at: inAnHour }), { code: 'branch_changed' })
  t.equal(headingOn('spring', oars), 'Spruce')
  await draft.follow({ confirm: true })
  t.match(await draft.publish(again), { status: 'ready' })
  t.equal(headingOn('spring', oars), 'Ash')
})

t.test('what was published from a draft is on its branch, also a part, and what was scheduled', async (t) => {
  const publishes: Readonly<Record<string, (of: Awaited<ReturnType<typeof onBranches>>) => unknown>> = {
    'a part': ({ draft }) => draft.publish({ pages: [boats] }),
    async 'at a time'({ draft, come }) {
      await draft.publish({ at: inAnHour })
      await draft.heading(oars, 'Elm')
      await come(1)
    },
  }
  for (const [name, publish] of Object.entries(publishes))
    await t.test(name, async (t) => {
      const all = await onBranches(t)
      const { draft, branch, checkout } = all
      branch('spring')
      checkout('main')
      await draft.heading(boats, 'Fast boats')
      await draft.heading(oars, 'Oak')
      await draft.follow()
      await publish(all)
      checkout('spring')
      t.match(await draft.follow(), { status: 'confirm' })
      t.equal(await draft.headingOf(boats), 'Fast boats')
    })
})

t.test(
  'a part that is published on a branch with the same content makes the draft one of that',
  async (t) => {
    const { draft, branch, checkout } = await onBranches(t)
    await draft.heading(boats, 'Fast boats')
    await draft.heading(oars, 'Oak')
    branch('spring')
    t.match(await draft.publish({ pages: [boats] }), { status: 'ready' })
    t.match(await draft.follow(), { status: 'unchanged' })
    checkout('main')
    t.match(await draft.follow(), { status: 'confirm', message: /made on spring/ })
    t.equal(await draft.headingOf(boats), 'Fast boats')
  },
)

t.test(
  'a draft that was changed before its first comparison was made on the branch that filled it',
  async (t) => {
    const { as, branch, commit, checkout } = await onBranches(t)
    const fresh = as('fresh')
    await fresh.fill()
    await fresh.heading(boats, 'Fast boats')
    branch('spring')
    commit('Spruce')
    t.match(await fresh.follow(), { status: 'confirm', message: /made on main/ })
    t.equal(await fresh.headingOf(oars), 'Ash')
    const unchanged = as('unchanged')
    await unchanged.fill()
    checkout('main')
    t.match(await unchanged.follow(), { status: 'followed', message: undefined })
    t.equal(await unchanged.headingOf(oars), 'Ash')
  },
)

/** What a draft must have after each step, by the rule alone: the texts of a branch, and an own one of the boats. */
function expected(start: Texts) {
  let [of, has, own] = ['main', start, undefined as string | undefined]
  return {
    edit: (text: string) => void (own = text),
    /** Returns whether a comparison asks, with a branch that has these texts. */
    compare(branch: string, texts: Texts, isConfirmed = false): boolean {
      const isSame = texts.join() === has.join()
      const asks = own !== undefined && !isConfirmed && branch !== of && !isSame
      if (asks) return true
      if (isConfirmed || own === undefined) of = branch
      has = texts
      return false
    },
    published(branch: string, texts: Texts) {
      ;[of, has, own] = [branch, texts, undefined]
    },
    texts: (): Texts => [has[0], own ?? has[1]],
  }
}

t.test(
  'a draft with changes takes over nothing of another branch, nor of the return from it, unless confirmed',
  async () => {
    const step = pick(
      'branch',
      'return',
      'commit',
      'compare',
      'compare',
      'edit',
      'edit',
      'confirm',
      'publish',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 40 }), async (steps) => {
        const ends: (() => unknown)[] = []
        const { draft, headingOn, ...site } = await onBranches({ teardown: (end) => void ends.push(end) })
        const textsOn = (branch: string): Texts => [headingOn(branch, oars), headingOn(branch, boats)]
        const rule = expected(textsOn('main'))
        const branches = ['main']
        let count = 0
        const compare = async (isConfirmed: boolean) => {
          const asks = rule.compare(site.current(), textsOn(site.current()), isConfirmed)
          const { status } = Object(await draft.follow(isConfirmed ? { confirm: true } : {}))
          assert.equal(status === 'confirm', asks)
        }
        const play = {
          branch() {
            site.branch(`branch-${++count}`)
            branches.push(site.current())
          },
          return: () => site.checkout(branches.at(branches.indexOf(site.current()) - 1) ?? 'main'),
          commit: () => site.commit(`Wood ${++count}`),
          compare: () => compare(false),
          confirm: () => compare(true),
          async edit() {
            await draft.heading(boats, `Boats ${++count}`)
            rule.edit(`Boats ${count}`)
          },
          async publish() {
            const asks = rule.compare(site.current(), textsOn(site.current()))
            const { status, code } = await draft.publish()
            assert.equal(code === 'branch_changed', asks)
            if (status === 'ready') rule.published(site.current(), textsOn(site.current()))
            // As the studio does; until then a branch with the same content asks too.
            await compare(false)
          },
        }
        for (const each of steps) {
          await play[each]()
          assert.deepEqual([await draft.headingOf(oars), await draft.headingOf(boats)], rule.texts(), each)
        }
        for (const end of ends) await end()
      }),
      { numRuns: costlyRuns(20) },
    )
  },
)
