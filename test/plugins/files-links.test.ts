import t from 'tap'
import { refused } from '../helpers/stack.ts'
import { filesIn, serviceOn } from '../helpers/website-files.ts'

const files = {
  'hugo.toml': '',
  'content/a/page.md':
    '---\ntitle: Page\ncover: ./oak.png\n---\n\n# Page\n\nTo [us](./start.md#top), [home](../home.md?x), [me](page.md) ![oak](./oak.png).\n\n![Elm](elm@2x.png)\n\nOf <img src="./ash.png" alt="ash"> too.\n\n[ext]: https://example.com/start.md\n[up]: ../home.md\n[^n]: A note, see [us](./start.md).\n[^m]: ./start.md is ours.\n',
  'content/a/start.md':
    'See [it](./page.md#oak), [it](page.md) and [not](./page.mdx) or [there](/a/page.md).\n\n- [it](../a/page.md)\n\n| a |\n| - |\n| [it](page.md) |\n\n```md\n[it](./page.md)\n```\n',
  'content/home.md': '> [It](a/page.md "title") <a href="a/page.md">it</a>, ![pic](a/page.md.png)\n',
  'content/über uns.md': '[it](a/page.md), [me](./%C3%BCber%20uns.md)\n',
} as const

const page = '/~content/a/page.md'

t.test('a document that moves takes along the links to it, and what it refers to', async (t) => {
  const site = filesIn(t, files)
  const draft = await serviceOn(t, site.folder)
  await draft.fill()
  const answer = await draft.ops([
    { op: 'rename_page', pageSlug: page, newPageSlug: '/~content/b/c/the leaf.md'.replace(' ', '~20') },
  ])
  t.equal(answer.status, 200, JSON.stringify(answer.json()))
  t.match(await draft.publish(), {
    status: 'ready',
    notes: [/^Visitors do not find the former address of content\/a\/page\.md any more/],
  })
  t.equal(
    site.text('content/b/c/the leaf.md'),
    files['content/a/page.md']
      .replace('./oak.png\n', '../../a/oak.png\n')
      .replaceAll('(./start.md', '(../../a/start.md')
      .replaceAll('../home.md', '../../home.md')
      .replace('(page.md)', '(the%20leaf.md)')
      .replace('(./oak.png)', '(../../a/oak.png)')
      .replace('elm@2x.png', '../../a/elm@2x.png')
      .replace('./ash.png', '../../a/ash.png'),
  )
  t.equal(
    site.text('content/a/start.md'),
    files['content/a/start.md']
      .replace('./page.md#oak', '../b/c/the%20leaf.md#oak')
      .replace('(page.md) and', '(../b/c/the%20leaf.md) and')
      .replace('../a/page.md', '../b/c/the%20leaf.md')
      .replace('(page.md) |', '(../b/c/the%20leaf.md) |'),
    'code and addresses of pages stay',
  )
  t.equal(
    site.text('content/home.md'),
    files['content/home.md'].replaceAll(/a\/page\.md(?!\.)/g, 'b/c/the%20leaf.md'),
  )
  t.equal(site.text('content/über uns.md'), '[it](b/c/the%20leaf.md), [me](./%C3%BCber%20uns.md)\n')
})

t.test('a document that is renamed or copied beside itself has the paths that it had', async (t) => {
  const site = filesIn(t, files)
  const draft = await serviceOn(t, site.folder)
  await draft.fill()
  await draft.ops([
    { op: 'duplicate_page', pageSlug: page, newPageSlug: '/~content/a/copy.md', newTitle: 'Copy' },
    { op: 'duplicate_page', pageSlug: page, newPageSlug: '/~content/copy.md', newTitle: 'Copy' },
    { op: 'rename_page', pageSlug: '/~content/über~20uns.md', newPageSlug: '/~content/us.md' },
  ])
  t.match(await draft.publish(), { status: 'ready' })
  const copied = files['content/a/page.md'].replace('title: Page', 'title: Copy')
  t.equal(site.text('content/a/copy.md'), copied)
  t.match(
    site.text('content/copy.md'),
    /cover: .\/a\/oak.png[^]*\[us\]\(.\/a\/start.md#top\), \[home\]\(home.md\?x\)/,
  )
  t.equal(site.text('content/us.md'), '[it](a/page.md), [me](./us.md)\n')
})

t.test('an undo brings the links back', async (t) => {
  const site = filesIn(t, files)
  const draft = await serviceOn(t, site.folder)
  await draft.fill()
  const before = await draft.page('/~content/home.md')
  await draft.ops([{ op: 'rename_page', pageSlug: page, newPageSlug: '/~content/leaf.md' }])
  t.match(await draft.texts('/~content/home.md'), [/\[It\]\(leaf.md "title"\)/])
  await draft.send('/history/undo', { slug: '/~content/leaf.md' })
  t.strictSame((await draft.page('/~content/home.md')).blocks, before.blocks)
})

t.test('links in containers and components follow, those to other websites do not', async (t) => {
  const tip = ':::tip[See]\n\nRead [it](./it.mdx).\n\n:::\n\n'
  const card = '<Card title="It" href="./it.mdx">\n  To [it](it.mdx)\n</Card>\n\n'
  const rest = '[Us](www.example.com/it.mdx) [it](@site/docs/it.mdx)\n'
  const site = filesIn(t, {
    'docusaurus.config.js': '',
    'docs/it.mdx': '# It\n',
    'docs/a.mdx': `import Card from './Card'\n\n${tip}${card}`,
    'docs/b.mdx': rest,
  })
  const draft = await serviceOn(t, site.folder)
  await draft.fill()
  await draft.ops([{ op: 'rename_page', pageSlug: '/~docs/it.mdx', newPageSlug: '/~docs/c/that.mdx' }])
  t.match(await draft.publish(), { status: 'ready' })
  const followed = (tip + card).replace('./it.mdx', './c/that.mdx').replace('"./it.mdx"', '"./c/that.mdx"')
  t.equal(
    site.text('docs/a.mdx'),
    `import Card from './Card'\n\n${followed.replace('(it.mdx)', '(c/that.mdx)')}`,
  )
  t.equal(site.text('docs/b.mdx'), rest)
})

t.test('a document that imports what is beside it stays in its folder', async (t) => {
  const imports = "import Card from './Card'\nimport './it.css'\n\n# It\n"
  const site = filesIn(t, { 'docusaurus.config.js': '', 'docs/it.mdx': imports, 'docs/b/other.md': '# B\n' })
  const draft = await serviceOn(t, site.folder)
  await draft.fill()
  const rename = (newPageSlug: string) =>
    draft.ops([{ op: 'rename_page', pageSlug: '/~docs/it.mdx', newPageSlug }])
  t.match(refused(await rename('/~docs/b/it.mdx')).error, /^docs\/it\.mdx: What it imports is found/)
  const copy = { op: 'duplicate_page', pageSlug: '/~docs/it.mdx', newPageSlug: '/~docs/b/copy.mdx' }
  t.match(refused(await draft.ops([copy])).error, /What it imports/)
  t.equal((await rename('/~docs/that.mdx')).status, 200)
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text('docs/that.mdx'), imports)
  site.set({ 'docs/free.mdx': "import Card from '@site/Card'\n\n# Free\n" })
  await draft.follow()
  t.equal((await draft.ops([{ ...copy, pageSlug: '/~docs/free.mdx' }])).status, 200)
})
