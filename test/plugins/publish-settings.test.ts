import t, { type Test } from 'tap'
import { page } from '../helpers/publishing.ts'
import { type draftOf, threePages, withWebsite } from '../helpers/website.ts'

type Settings = Readonly<Record<string, unknown>>

/** A site with settings, and two drafts that were filled from it. */
async function withSettings(t: Test, siteConfig: Settings) {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = siteConfig
  const [one, two] = [draft('one'), draft('two')]
  await Promise.all([one.fill(), two.fill()])
  return { website, draft, one, two }
}

t.test('a setting that another draft has added stays', async (t) => {
  const added: readonly Settings[] = [
    { logo: '/logo.png' },
    { navLabels: { '/about': 'Company' } },
    { navGroups: { Company: ['/about'] } },
  ]
  for (const settings of added)
    for (const isEarly of [true, false]) {
      const { website, one, two } = await withSettings(t, { name: 'Acme' })
      if (isEarly) await two.config({ name: 'Beta' })
      await one.config(settings)
      t.match(await one.publish(), { status: 'ready' })
      if (!isEarly) await two.config({ name: 'Beta' })
      t.match(await two.publish(), { status: 'ready' })
      t.strictSame(website.siteConfig, { name: 'Beta', ...settings })
    }
})

t.test(
  'a setting that was deployed with the site stays, and one that was removed there is gone',
  async (t) => {
    const { website, one } = await withSettings(t, { name: 'Acme', logo: '/logo.png' })
    await one.config({ name: 'Beta' })
    website.siteConfig = { name: 'Acme', theme: 'dark', social: { x: '@acme' } }
    t.match(await one.publish(), { status: 'ready' })
    t.strictSame(website.siteConfig, { name: 'Beta', theme: 'dark', social: { x: '@acme' } })
  },
)

t.test('a setting that both have added differently is a conflict', async (t) => {
  const cases: readonly (readonly [path: string, mine: Settings, theirs: Settings])[] = [
    ['logo', { logo: '/two.png' }, { logo: '/one.png' }],
    ['navLabels["/"]', { navLabels: { '/': 'Home' } }, { navLabels: { '/': 'Start' } }],
    ['navGroups["A"]', { navGroups: { A: ['/'] } }, { navGroups: { A: ['/about'] } }],
  ]
  for (const [path, mine, theirs] of cases) {
    const { website, one, two } = await withSettings(t, { name: 'Acme' })
    await one.config(theirs)
    await two.config(mine)
    await one.publish()
    t.match(await two.publish(), { code: 'site_conflict', conflicts: [{ slug: '', path }] })
    t.strictSame(website.siteConfig, { name: 'Acme', ...theirs })
    const [conflict] = (await two.diff()).conflicts
    await two.decide([{ id: conflict?.id, take: 'draft' }])
    t.match(await two.publish(), { status: 'ready' })
    t.strictSame(website.siteConfig, { name: 'Acme', ...mine })
  }
})

/** A draft into which a client has pushed pages and settings, of a site that it was not compared with yet. */
async function pushedInto(t: Test, siteConfig: Settings | undefined) {
  const { website, mounted, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme', logo: '/logo.png', navLabels: { '/': 'Start', '/about': 'About' } }
  const dev = draft('dev')
  await dev.bootstrap(threePages, siteConfig && { siteConfig })
  return { website, mounted, dev }
}

t.test('a setting that a pushed draft lacks stays on the site', async (t) => {
  const { website, dev } = await pushedInto(t, { name: 'Acme', navLabels: { '/': 'Start' } })
  await dev.config({ name: 'Beta' })
  t.match(await dev.publish(), { status: 'ready' })
  const navLabels = { '/': 'Start', '/about': 'About' }
  t.strictSame(website.siteConfig, { name: 'Beta', logo: '/logo.png', navLabels })
})

t.test('a setting that the service has read from the site is the base of a pushed draft', async (t) => {
  const reads: readonly ((dev: ReturnType<typeof draftOf>) => Promise<unknown>)[] = [
    (dev) => dev.get('/draft/site-config'),
    () => Promise.resolve(),
  ]
  for (const read of reads) {
    const { website, dev } = await pushedInto(t, undefined)
    await read(dev)
    await dev.config({ name: 'Beta' })
    website.siteConfig = { ...website.siteConfig, name: 'Gamma', logo: '/other.png' }
    t.match(await dev.publish(), { code: 'site_conflict', conflicts: [{ path: 'name', base: 'Acme' }] })
    t.match(website.siteConfig, { name: 'Gamma', logo: '/other.png' })
  }
})

t.test('settings and an order that were published as a client pushes them later are followed', async (t) => {
  const { website, draft } = await withWebsite(t)
  website.siteConfig = { name: 'Acme', navLabels: { '/': 'Start' } }
  const first = draft('first')
  await first.fill()
  await first.publish()
  website.siteConfig = { name: 'Gamma', navLabels: { '/': 'Home', '/about': 'About' } }
  website.pages = [page('/'), page('/prices'), page('/about')]
  const dev = draft('dev')
  await dev.bootstrap(threePages, { siteConfig: { name: 'Acme', navLabels: { '/': 'Start' } } })
  await dev.heading('/about', 'Edited')
  t.match(await dev.publish(), { status: 'ready' })
  t.strictSame(website.siteConfig, { name: 'Gamma', navLabels: { '/': 'Home', '/about': 'About' } })
  t.strictSame(
    website.pages.map(({ slug }) => slug),
    ['/', '/prices', '/about'],
  )
})

t.test('a menu name that is set removes no empty one of the site', async (t) => {
  const { website, one } = await withSettings(t, { navLabels: { '/about': '', '/prices': 'Prices' } })
  await one.ops([{ op: 'update_site_config', patch: { navLabels: { '/': 'Start', '/prices': '' } } }])
  t.match(await one.publish(), { status: 'ready' })
  t.strictSame(website.siteConfig, { navLabels: { '/': 'Start', '/about': '' } })
})

t.test('an empty list in place of a map, as PHP writes it, costs no page of the site', async (t) => {
  const maps = { navLabels: [], navGroups: [], themeOverrides: [] }
  const { website, one } = await withSettings(t, { name: 'Acme', ...maps })
  await one.heading('/', 'Ours')
  await one.ops([{ op: 'update_site_config', patch: { navLabels: { '/': 'Start' } } }])
  t.match(await one.publish(), { status: 'ready' })
  t.match(website.siteConfig, { name: 'Acme', navLabels: { '/': 'Start' } })
})

t.test(
  'settings of another form stay as the site has them, and cost neither its pages nor the others',
  async (t) => {
    const forms: readonly Settings[] = [
      { logo: { src: '/logo.png', alt: 'Acme' } },
      { name: 5, tone: ['calm'], purpose: { of: 'site' } },
      { navLabels: ['/about'], navGroups: 'none', themeOverrides: { '--a': 1, '--b': 'red' } },
      {
        navLabels: { '/about': { de: 'Firma' } },
        navGroups: { More: [{ slug: '/about' }, '/prices'], Old: '/' },
      },
      { constraints: 'none', footer: [null, { links: [] }] },
    ]
    for (const form of forms) {
      const { website, one, two } = await withSettings(t, { slogan: 'Yes', ...form })
      await one.heading('/', 'Ours')
      t.match(await one.publish(), { status: 'ready' })
      t.strictSame(website.siteConfig, { slogan: 'Yes', ...form })
      await two.ops([{ op: 'update_site_config', patch: { navLabels: { '/': 'Start' } } }])
      website.siteConfig = { slogan: 'No', ...form, logo: ['/other.png'] }
      t.match(await two.publish(), { status: 'ready' })
      const { navLabels } = form
      const labels = Array.isArray(navLabels) ? {} : navLabels
      t.strictSame(website.siteConfig, {
        slogan: 'No',
        ...form,
        logo: ['/other.png'],
        navLabels: { ...Object(labels), '/': 'Start' },
      })
    }
  },
)

t.test(
  "a setting in place of one of another form is the draft's, and a conflict with a change of that",
  async (t) => {
    const { website, one } = await withSettings(t, { logo: { src: '/logo.png' } })
    await one.config({ logo: '/ours.png' })
    website.siteConfig = { logo: { src: '/theirs.png' } }
    t.match(await one.publish(), { code: 'site_conflict', conflicts: [{ slug: '', path: 'logo' }] })
    website.siteConfig = { logo: { src: '/logo.png' } }
    t.match(await one.publish(), { status: 'ready' })
    t.strictSame(website.siteConfig, { logo: '/ours.png' })
  },
)

t.test('what is null or an empty list in settings stays as the site has it', async (t) => {
  const settings = {
    logo: null,
    navLabels: { '/about': null, '/prices': 'Prices' },
    navGroups: { More: null, All: ['/about', null] },
    themeOverrides: [],
    constraints: [null],
    footer: null,
  }
  const { website, one, two } = await withSettings(t, { name: 'Acme', ...settings })
  await one.config({ name: 'Beta' })
  t.match(await one.publish(), { status: 'ready' })
  t.strictSame(website.siteConfig, { name: 'Beta', ...settings })
  const { navLabels, ...others } = settings
  await two.ops([{ op: 'update_site_config', patch: { navLabels: { '/': 'Start' } } }])
  t.match(await two.publish(), { status: 'ready' })
  t.strictSame(website.siteConfig, { name: 'Beta', ...others, navLabels: { ...navLabels, '/': 'Start' } })
  await one.ops([{ op: 'update_site_config', patch: { navLabels: { '/about': 'Firm' }, logo: '/logo.png' } }])
  t.match(await one.publish(), { status: 'ready' })
  const labels = { '/about': 'Firm', '/prices': 'Prices', '/': 'Start' }
  t.strictSame(website.siteConfig, { name: 'Beta', ...others, logo: '/logo.png', navLabels: labels })
})
