import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import type { Page } from '../../plugins/content/page.ts'
import { filesIn } from '../helpers/website-files.ts'

const run = promisify(execFile)
const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']

const astro = `---
const name = 'é👋'
---
<Layout title="Höme 👋">
  <h1 class="x" title='T'>Hi &amp; bye {name}</h1>
  {name ? <p>yes é</p> : <p>no <b>x</b></p>}
  <img alt="A" src="/a.png" data-alt={name}><style>p { color: red }</style>
  <script>const x = "<p>no</p>"</script><iframe src="/x"></iframe>
</Layout>
`
const vue = `<script setup>
const a = '<p>no</p>'
</script>
<template>
  <div title="Höme" :alt="a"><p>Hi &amp; bye {{ a }} there</p><!-- no -->
  <img alt="A" src='/a.png'><p v-if="a">é</p></div>
</template>
<style>p { color: red }</style>
`
const svelte = `<script>let a = '<p>no</p>'</script>
<h1 title="Höme">Hi &amp; {a} bye</h1>
{#if a}<p alt='x'>yes</p>{:else}no{/if}{#each [a] as b}<i title={b}>row</i>{/each}
<img src="/a{a}.png" alt="A"><style>p { color: red }</style>
`
const jsx = `export default ({ a }) => <div title='T' alt={a}>Hi {a} <b>you</b><style>{'no'}</style></div>\n`

interface Project {
  readonly name: string
  readonly packages: readonly string[]
  readonly path: string
  readonly text: string
  readonly texts: readonly string[]
  /** A text, and what is written in place of it. */
  readonly edit: readonly [was: string, now: string, written: string]
}

const ofAstro = {
  path: 'src/pages/index.astro',
  text: astro,
  texts: ['Höme 👋', 'T', 'Hi & bye', 'yes é', 'no <b>x</b>', 'A', '/a.png'],
  edit: ['yes é', 'yes {x} 日本', 'yes &#123;x&#125; 日本'],
} as const
const ofSvelte = {
  path: 'src/routes/+page.svelte',
  text: svelte,
  texts: ['Höme', 'Hi &', 'bye', 'x', 'yes', 'no', 'row', 'A'],
  edit: ['row', 'a {row}', 'a &#123;row&#125;'],
} as const
const ofJsx = {
  path: 'app/page.jsx',
  text: jsx,
  texts: ['T', 'Hi', 'you'],
  edit: ['you', 'you & <me>', 'you & &lt;me&gt;'],
} as const

const projects: readonly Project[] = [
  { name: 'Astro 7', packages: ['@astrojs/compiler-rs@^0.2'], ...ofAstro },
  { name: 'Astro 5', packages: ['@astrojs/compiler@^2'], ...ofAstro },
  {
    name: 'Vue',
    packages: ['@vue/compiler-sfc@^3'],
    path: 'content/page.vue',
    text: vue,
    texts: ['Höme', 'Hi & bye', 'there', 'A', '/a.png', 'é'],
    edit: ['there', '{{ there }}', '&#123;&#123; there &#125;&#125;'],
  },
  { name: 'Svelte 5', packages: ['svelte@^5'], ...ofSvelte },
  { name: 'Svelte 4', packages: ['svelte@^4'], ...ofSvelte },
  { name: 'Babel', packages: ['@babel/parser@^7'], ...ofJsx },
  { name: 'TypeScript', packages: ['typescript@^5'], ...ofJsx },
]
const configs = {
  'package.json': '{}\n',
  'astro.config.mjs': '',
  'nuxt.config.ts': '',
  'svelte.config.js': '',
  'next.config.js': '',
}

const textsOf = (page: Page | undefined): readonly { kind: string; text: string }[] =>
  page?.blocks.find(({ type }) => type === 'Texts')?.props['texts'] as never

for (const { name, packages, path, text, texts, edit } of projects)
  t.test(`${name}: a template is read by the project's own parser, and only its text changes`, async (t) => {
    const site = filesIn(t, { ...configs, [path]: text })
    const adapter = contentFiles(site.folder)
    const before = await adapter.readContent()
    t.strictSame(before.pages, [], 'without a parser the file is no page')
    t.match(before.unreadable, [{ reason: /which the website has not installed/ }])
    await install(t, site.folder, packages)
    const { pages, unreadable } = await adapter.readContent()
    t.equal(unreadable, undefined)
    const [page] = pages as readonly Page[]
    t.strictSame(
      textsOf(page).map((each) => each.text),
      texts,
    )
    const [was, now, written] = edit
    const changed = textsOf(page).map((each) => (each.text === was ? { ...each, text: now } : each))
    const blocks = page?.blocks.map((block) => ({ ...block, props: { texts: changed } }))
    await adapter.writeContent?.({ pages: [{ ...page, blocks } as Page] })
    t.equal(site.text(path), text.replace(`>${was}<`, `>${written}<`).replace(` ${was}<`, ` ${written}<`))
    site.set({ [path]: '<p>{a</p>\n<template><b></template>' })
    const broken = await adapter.readContent()
    t.ok(broken.unreadable?.length === 1 || broken.pages.length === 1, 'what cannot be parsed costs itself')
  })

async function install(t: Test, cwd: string, packages: readonly string[]): Promise<void> {
  await run('npm', ['install', ...flags, ...packages], { cwd })
  t.ok(packages.length > 0)
}

t.test(
  'Docusaurus reads Markdown as MDX with what the first version of MDX knew, unless a file is none',
  async (t) => {
    const site = filesIn(t, {
      'site/docusaurus.config.js': '',
      'site/docs/a.md':
        '# Title {#id}\n\n<Card title="T">\n\nIn *it*\n\n</Card>\n\n<!-- a */ b -->\n\n:::tip\nText\n:::\n',
      'site/docs/b.md': '# B\n\nA {b c} <br>\n',
      'docs/c.md': '<Card>\n\nc\n',
      'docs/d.md': 'd\n',
      'docs/e.md': 'e\n',
    })
    const adapter = contentFiles(site.folder)
    const { pages, unreadable } = await adapter.readContent()
    t.equal(unreadable, undefined)
    const types = pages.map(({ slug, blocks }) => [slug, blocks.map(({ type }) => type)])
    t.strictSame(types, [
      ['/~docs/c.md', ['Source', 'Paragraph']],
      ['/~docs/d.md', ['Paragraph']],
      ['/~docs/e.md', ['Paragraph']],
      ['/~site/docs/a.md', ['Heading', 'Component', 'Source', 'Component']],
      ['/~site/docs/b.md', ['Heading', 'Paragraph']],
    ])
    t.equal(pages[3]?.blocks[0]?.props['text'], 'Title {#id}')
    const edited = (slug: string, block: number, props: object) => ({
      pages: pages.map((page) =>
        page.slug === slug
          ? {
              ...page,
              blocks: page.blocks.map((each, n) =>
                n === block ? { ...each, props: { ...each.props, ...props } } : each,
              ),
            }
          : page,
      ),
    })
    await t.rejects(async () => adapter.writeContent?.(edited('/~site/docs/a.md', 1, { source: '{b c}' })), {
      message: /could not be read|code/,
    })
    await adapter.writeContent?.(edited('/~site/docs/a.md', 1, { source: 'In *that*' }))
    t.match(site.text('site/docs/a.md'), /^# Title {#id}\n\n<Card title="T">\n\nIn \*that\*\n\n<\/Card>/)
  },
)
