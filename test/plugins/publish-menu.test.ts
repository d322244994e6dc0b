import t, { type Test } from 'tap'
import { stillClock } from '../../kernel/testing.ts'
import type { Page } from '../../plugins/content/page.ts'
import { noon, page } from '../helpers/publishing.ts'
import { until } from '../helpers/until.ts'
import { withWebsite } from '../helpers/website.ts'

type Settings = Readonly<Record<string, unknown>>
interface MenuCase {
  readonly before: Settings
  /** What the draft sets. */
  readonly set?: Settings
  /** The address that the draft gives the page `/a`. */
  readonly moved?: string
  /** The address that the site gives that page, and what it has then. */
  readonly there?: string
  readonly site?: Settings
  /** What the site has after a publish of the draft. */
  readonly after: Settings
}

/** Plays a case: the site changes after the draft, in one step, or first the address of the page. */
async function played(t: Test, { before, set, moved, there = '/a', site }: MenuCase, inSteps: boolean) {
  const { website, draft } = await withWebsite(t, {}, [page('/'), page('/a', 'Of a'), page('/b', 'Of b')])
  website.siteConfig = before
  const dev = draft('dev')
  await dev.fill()
  if (moved !== undefined) await dev.ops([{ op: 'rename_page', pageSlug: '/a', newPageSlug: moved }])
  if (set) await dev.ops([{ op: 'update_site_config', patch: set }])
  const at = (each: Page): Page => (each.slug === '/a' ? { ...each, slug: there } : each)
  website.pages = website.pages.map(at)
  if (inSteps) await dev.follow()
  if (site) website.siteConfig = site
  return { website, dev }
}

const cases: Readonly<Record<string, MenuCase>> = {
  'a menu name that the draft adds': {
    before: {},
    set: { navLabels: { '/a': 'Mine' } },
    there: '/c',
    after: { navLabels: { '/c': 'Mine' } },
  },
  'a menu name that the draft changes, and the site moves': {
    before: { navLabels: { '/a': 'Was', '/b': 'B' } },
    set: { navLabels: { '/a': 'Mine' } },
    there: '/c',
    site: { navLabels: { '/c': 'Was', '/b': 'B' } },
    after: { navLabels: { '/c': 'Mine', '/b': 'B' } },
  },
  'a menu name that the draft changes, and the site leaves at the address': {
    before: { navLabels: { '/a': 'Was' } },
    set: { navLabels: { '/a': 'Mine' } },
    there: '/c',
    after: { navLabels: { '/a': 'Was', '/c': 'Mine' } },
  },
  'a menu name that the draft removes': {
    before: { navLabels: { '/a': 'Was', '/b': 'B' } },
    set: { navLabels: { '/a': '' } },
    there: '/c',
    site: { navLabels: { '/c': 'Was', '/b': 'B' } },
    after: { navLabels: { '/b': 'B' } },
  },
  'a place in a group that the draft gives': {
    before: { navGroups: { More: ['/b'] } },
    set: { navGroups: { More: ['/a', '/b'] } },
    there: '/c',
    after: { navGroups: { More: ['/c', '/b'] } },
  },
  'a group that the draft changes, and the site leaves at the address': {
    before: { navGroups: { More: ['/a', '/b'] } },
    set: { navGroups: { More: ['/a'] } },
    there: '/c',
    after: { navGroups: { More: ['/c'] } },
  },
  'a group that the draft changes, with the page where the site has it': {
    before: { navGroups: { More: ['/a', '/b'] } },
    set: { navGroups: { More: ['/b', '/a'] } },
    there: '/c',
    site: { navGroups: { More: ['/c', '/b'] } },
    after: { navGroups: { More: ['/b', '/c'] } },
  },
  'what the draft does not change': {
    before: { navLabels: { '/a': 'Was' }, navGroups: { More: ['/a'] } },
    there: '/c',
    after: { navLabels: { '/a': 'Was' }, navGroups: { More: ['/a'] } },
  },
}

for (const [what, each] of Object.entries(cases))
  for (const inSteps of each.there && !each.site ? [true, false] : [false])
    t.test(`${what} goes with its page${inSteps ? ', followed' : ''}`, async (t) => {
      const { website, dev } = await played(t, each, inSteps)
      t.match(await dev.diff(), { conflicts: { length: 0 } })
      t.match(await dev.publish(), { status: 'ready' })
      t.strictSame(website.siteConfig, each.after)
      t.match(await dev.diff(), { conflicts: { length: 0 }, summary: { totalChangedFields: 0 } })
    })

t.test('a page that both have renamed has its menu name at the address that is chosen', async (t) => {
  for (const take of ['draft', 'site']) {
    const { website, dev } = await played(
      t,
      {
        before: { navLabels: { '/a': 'Was' } },
        moved: '/x',
        set: { navLabels: { '/x': 'Mine' } },
        there: '/c',
        site: { navLabels: { '/c': 'Was' } },
        after: {},
      },
      false,
    )
    const { conflicts } = await dev.diff()
    t.match(conflicts, [{ path: 'slug' }])
    t.match((await dev.diff()).conflicts, conflicts, 'again')
    await dev.decide([{ id: conflicts[0]?.id, take }])
    t.match(await dev.publish(), { status: 'ready' })
    t.match(website.siteConfig, { navLabels: { [take === 'draft' ? '/x' : '/c']: 'Mine' } })
  }
})

t.test('a menu name that both have changed is one conflict, at the address of the page', async (t) => {
  for (const take of ['draft', 'site']) {
    const { website, dev } = await played(
      t,
      {
        before: { navLabels: { '/a': 'Was' } },
        set: { navLabels: { '/a': 'Mine' } },
        there: '/c',
        site: { navLabels: { '/c': 'Theirs' } },
        after: {},
      },
      false,
    )
    const { conflicts } = await dev.diff()
    t.match(conflicts, [{ path: 'navLabels["/c"]', base: 'Was', ours: 'Mine', theirs: 'Theirs' }])
    t.equal(conflicts.length, 1)
    t.strictSame((await dev.diff()).conflicts, conflicts, 'again')
    await dev.decide([{ id: conflicts[0]?.id, take }])
    t.match(await dev.publish(), { status: 'ready' })
    t.strictSame(website.siteConfig, { navLabels: { '/c': take === 'draft' ? 'Mine' : 'Theirs' } })
  }
})

t.test('what was scheduled and a part go to the address of the page, too', async (t) => {
  const time = stillClock(noon)
  const pages = [page('/'), page('/a', 'Of a'), page('/b', 'Of b')]
  for (const isScheduled of [true, false]) {
    const { website, draft } = await withWebsite(t, { time }, pages)
    if (!isScheduled) website.siteConfig = {}
    const dev = draft('dev')
    await dev.fill()
    await dev.ops([{ op: 'update_site_config', patch: { navLabels: { '/a': 'Mine' } } }])
    if (isScheduled) await dev.publish({ at: new Date(time.now().getTime() + 60_000).toISOString() })
    website.pages = pages.map((each) => (each.slug === '/a' ? { ...each, slug: '/c' } : each))
    if (isScheduled) time.advance(60_000)
    else t.match(await dev.publish({ pages: ['/a'] }), { status: 'ready' })
    await until(async () => (await dev.scheduled()).length === 0, 'the publish')
    t.match(website.siteConfig, { navLabels: { '/c': 'Mine', '/a': undefined } })
  }
})
