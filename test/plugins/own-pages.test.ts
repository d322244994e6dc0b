import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { frameworkOf, integrate, ownPages, readProject } from '../../plugins/agents/scaffold/port.ts'
import { folderWith, orchestrator } from '../config/helpers.ts'

type Files = Readonly<Record<string, string>>
const manifest = (dependencies: Files, name = 'acme'): Files => ({
  'package.json': JSON.stringify({ name, type: 'module', dependencies }),
})
const astro = { astro: '7', '@astrojs/node': '11' }
const next = { next: '16' }
const own = 'the page of the site'

/** Runs init in a website with these files. */
async function initialised(t: Test, dependencies: Files, files: Files) {
  const folder = folderWith(t, { ...manifest(dependencies), ...files })
  const { code, out, err } = await orchestrator(folder, ['init', '--yes'])
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const slugs = (): readonly string[] =>
    JSON.parse(read('content/pages.json')).pages.map(({ slug }: { readonly slug: string }) => slug)
  return { code, out, err, read, slugs, has: (path: string) => existsSync(join(folder, path)) }
}

t.test('a website keeps the home page that it has, and init says which file makes it', async (t) => {
  const cases: readonly (readonly [found: Files, home: string])[] = [
    [astro, 'src/pages/index.astro'],
    [astro, 'src/pages/index.mdx'],
    [next, 'app/page.tsx'],
    [next, 'app/(site)/page.jsx'],
    [next, 'pages/index.js'],
  ]
  for (const [found, home] of cases) {
    const { code, out, read, slugs } = await initialised(t, found, { [home]: own })
    t.equal(code, 0)
    t.equal(read(home), own)
    t.strictSame(slugs(), [], `${home}: the content has no page that nothing shows`)
    t.match(out, `/ is made by ${home}; the content in content/pages.json is not shown there`)
  }
  for (const [found, page] of [
    [astro, 'src/pages/about.astro'],
    [next, 'app/about/page.tsx'],
  ] as const) {
    const { out, slugs } = await initialised(t, found, { [page]: own })
    t.strictSame(slugs(), ['/'], 'a website without one gets one')
    t.notMatch(out, /is made by/)
  }
})

t.test('a step after which the content makes the home page asks for a published one first', async (t) => {
  for (const [found, home] of [
    [astro, 'src/pages/index.astro'],
    [next, 'app/page.tsx'],
    [next, 'src/app/page.js'],
  ] as const) {
    const folder = folderWith(t, { ...manifest(found), [home]: own })
    const { out } = await orchestrator(folder, ['init', '--yes', '--json'])
    const { next: steps } = v.parse(v.object({ next: v.array(v.string()) }), JSON.parse(out))
    const about = steps.filter((step) => step.includes(home) && !step.includes('is made by'))
    t.match(about, [/publish a page at \/ in the studio, then (?:let|remove) /], home)
    t.equal(about.length, 1)
    t.ok(steps.indexOf(about[0] ?? '') > steps.findIndex((step) => step.startsWith('Start the site')))
  }
})

t.test('a home page that shows content, or beside which the site has its own catch-all, stays', async (t) => {
  const cases: readonly (readonly [found: Files, files: Files])[] = [
    [next, { 'app/page.tsx': "import { fetchEditorPage } from 'content-orchestrator/site'" }],
    [next, { 'app/page.tsx': own, 'app/[...slug]/page.tsx': own }],
    [astro, { 'src/pages/index.astro': own, 'src/pages/[...slug].astro': own }],
  ]
  for (const [found, files] of cases)
    t.notMatch(
      (await initialised(t, found, files)).out,
      'home page of the content',
      Object.keys(files).join(),
    )
})

t.test('integrate has no step for a home page that it has wrapped', async (t) => {
  const folder = folderWith(t, { ...manifest(next), 'app/page.tsx': own })
  const { files, steps } = await integrate(folder, { siteId: 'acme', packageSpec: '1.0.0', now: new Date(0) })
  t.match(files.join(' '), 'app/page.tsx app/original-page.tsx')
  t.strictSame(steps, ['Start the site: npx next dev'])
})

t.test('a website keeps the catch-all that it has', async (t) => {
  const cases: readonly (readonly [found: Files, path: string, ours: string])[] = [
    [astro, 'src/pages/[...slug].astro', 'src/pages/[...path].astro'],
    [next, 'app/[...slug]/page.tsx', 'app/[...path]/page.js'],
    [next, 'app/(site)/[[...rest]]/page.tsx', 'app/[...path]/page.js'],
  ]
  for (const [found, path, ours] of cases) {
    const { code, out, read, has } = await initialised(t, found, { [path]: own })
    t.equal(code, 0)
    t.equal(read(path), own)
    t.notOk(has(ours), `${path} and ${ours} would make the same addresses`)
    t.match(out, `${path} makes all further addresses`)
  }
  const { out, has } = await initialised(t, astro, {})
  t.ok(has('src/pages/[...path].astro'))
  t.notMatch(out, /makes all further/)
})

t.test('unknown addresses have the 404 page of the website, where it has one', async (t) => {
  const page = 'src/pages/[...path].astro'
  const withOwn = await initialised(t, astro, { 'src/pages/404.astro': own })
  t.match(withOwn.read(page), /if \(!shown\.page\) return new Response\(null, \{ status: 404 \}\)/)
  t.equal(withOwn.read('src/pages/404.astro'), own)
  t.notMatch((await initialised(t, astro, {})).read(page), 'new Response')
  t.match(
    (await initialised(t, next, { 'app/not-found.tsx': own })).read('app/[...path]/page.js'),
    /notFound\(\)/,
  )
})

t.test('pages that show content are not own pages, so a second init says nothing', async (t) => {
  for (const dependencies of [astro, next]) {
    const folder = folderWith(t, manifest(dependencies))
    for (let round = 0; round < 2; round++) {
      const { out, code } = await orchestrator(folder, ['init', '--yes'])
      t.equal(code, 0)
      t.notMatch(out, /is made by|makes all further/)
    }
    const project = await readProject(folder)
    t.strictSame(Object.values(ownPages(project, frameworkOf(project).name)).filter(Boolean), [])
  }
})

t.test('a static generator gets no server beside it', async (t) => {
  const generators = ['@11ty/eleventy', 'gatsby', 'vitepress', '@docusaurus/core', 'hexo', 'metalsmith']
  for (const generator of generators) {
    const { code, err, has } = await initialised(t, { [generator]: '3' }, { 'index.md': own })
    t.match([code, err], [1, /Nothing was written/], generator)
    for (const path of ['server.js', 'editor-routes.js', 'content'])
      t.notOk(has(path), `${generator} ${path}`)
  }
})
