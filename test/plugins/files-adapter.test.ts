import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { contentFiles } from '../../config/content-files.ts'
import type { Injected } from '../../kernel/index.ts'
import type { SiteContent } from '../../plugins/content/adapter.ts'
import { canonicalSlug } from '../../plugins/content/slugs.ts'
import { pathOfSlug, slugOfPath } from '../../plugins/files/port.ts'
import fc from '../helpers/property.ts'
import { emptyList } from '../helpers/plain.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { astro, boats, filesIn, serviceOn, stateOf } from '../helpers/website-files.ts'

const post = 'src/content/blog/boats.md'
const oars = '/~src/content/blog/oars.md'
const team = '/~src/data/team.json'

const read = (folder: string, choice = {}) => contentFiles(folder, choice).readContent()
const slugsOf = ({ pages }: SiteContent) => pages.map(({ slug }) => slug)
const pathsIn = async (folder: string, choice = {}) =>
  slugsOf(await read(folder, choice)).map((slug) => slug.slice(2))

t.test('a path has one slug, which a new page may have, and a slug one path below the folder', async (t) => {
  t.equal(slugOfPath('docs/über uns~1.md'), '/~docs/über~20uns~7e1.md')
  t.equal(pathOfSlug('/~docs/über~20uns~7e1.md'), 'docs/über uns~1.md')
  const character = fc.oneof(
    fc.constantFrom(...'aÜ~%#?&+ -_.()[]日本é', 'e\u0301', '\u1112\u1161\u11AB', '\u212B', '🚣'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  )
  const name = fc.array(character, { minLength: 1, maxLength: 12 }).map((each) => each.join(''))
  const path = fc
    .array(name, { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'))
    .filter((each) => pathOfSlug(slugOfPath(each)) !== undefined)
  fc.assert(
    fc.property(path, (each) => {
      const slug = slugOfPath(each)
      return pathOfSlug(slug) === each && (slug.length > 512 || canonicalSlug(slug) === slug)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: character }), (text) => {
      const found = pathOfSlug(`/~${text}`)
      return found === undefined || slugOfPath(found) === `/~${text}`
    }),
  )
  const outside = [
    '/~../a.md',
    '/~a/../b.md',
    '/~~2e~2e/a.md',
    '/~/etc/a.md',
    '/~a~2f~2e~2e~2fb.md',
    '/~a//b.md',
  ]
  const hidden = [
    '/~.git/a.md',
    '/~a/.env',
    '/~a~5cb.md',
    '/~c~3aa.md',
    '/~a~00.md',
    '/~a.',
    '/~a~20',
    '/about',
    '/~',
  ]
  for (const slug of [...outside, ...hidden, '/~%2e%2e/a.md', '/~a~2Eb.md', '/~a~2', '/~~ff.md'])
    t.equal(pathOfSlug(slug), undefined, slug)
})

t.test('an edit is published into exactly its bytes, and all else stays', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  t.same(await draft.slugs(), [boats, oars, team])
  t.match(await draft.page(boats), {
    id: post,
    title: 'Boats',
    document: { path: post, kind: 'document' },
    blocks: [{ type: 'Details', props: { tags: ['oak', 'elm'] } }, { type: 'Heading' }, {}, {}, {}],
  })
  utimesSync(join(site.folder, post), 0, new Date('2026-05-01T12:00:00.250Z'))
  t.match((await read(site.folder)).pages, [{ slug: boats, updatedAt: '2026-05-01T12:00:00.250Z' }, {}, {}])
  t.equal((await draft.retext(boats, 'Two planks.', 'Two *new* planks.')).status, 200)
  t.match(await draft.diff(), {
    summary: { totalChangedFields: 1 },
    pages: [{ slug: boats, status: 'modified' }],
  })
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text(post), astro[post].replace('Two planks', 'Two *new* planks'))
  for (const path of ['src/content/blog/oars.md', 'src/data/team.json'] as const)
    t.equal(site.text(path), astro[path])
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
})

t.test('blocks are added, moved, copied and removed, and data and front matter are changed', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  const id = (text: string) => draft.idOf(boats, text)
  const [details] = (await draft.page(boats)).blocks
  const [data] = (await draft.page(team)).blocks
  const at = { pageSlug: boats }
  const added = { id: 'b_mine', type: 'Paragraph', props: { text: 'Four.' } }
  const answer = await draft.ops([
    { op: 'add_block', ...at, block: added, afterBlockId: await id('Three planks.') },
    { op: 'move_block', ...at, blockId: await id('Two planks.'), afterBlockId: details?.id },
    { op: 'duplicate_block', ...at, blockId: await id('Planks') },
    { op: 'remove_block', ...at, blockId: await id('Three planks.') },
    { op: 'update_props', ...at, blockId: details?.id, patch: { tags: ['oak', 'ash'] } },
    { op: 'update_page_meta', ...at, patch: { description: 'Old ones' } },
    { op: 'rename_page', ...at, newTitle: 'Ships' },
    { op: 'update_props', pageSlug: team, blockId: data?.id, patch: { age: 41 } },
  ])
  t.equal(answer.status, 200, JSON.stringify(answer.json()))
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(
    site.text(post),
    '---\ntitle: Ships   # of wood\ntags: [oak,   ash]\ndescription: Old ones\n---\n\n' +
      'Two planks.\n\n## Planks\n\n## Planks\n\nOne *old* plank.\n\nFour.\n',
  )
  t.equal(site.text('src/data/team.json'), '{\n  "name": "Ida",   "age": 41\n}\n')
  t.ok((await draft.page(boats)).blocks.some((block) => block.id === 'b_mine'))
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
  const pages = slugsOf(await read(site.folder))
  t.same(pages, [boats, oars, team])
  const again = (await read(site.folder)).pages.find(({ slug }) => slug === boats)
  t.ok(
    again?.blocks.some((block) => block.id === 'b_mine'),
    'a restart knows it',
  )
  const pinned = await draft.ops([{ op: 'remove_block', ...at, blockId: details?.id }])
  t.equal(pinned.status, 400, 'front matter stays at its place')
})

t.test('a document that moves as it is gets the folder that it needs', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  await draft.fill()
  await draft.ops([{ op: 'rename_page', pageSlug: oars, newPageSlug: '/~src/content/a/b/oars.md' }])
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text('src/content/a/b/oars.md'), astro['src/content/blog/oars.md'])
  t.throws(() => site.text('src/content/blog/oars.md'), { code: 'ENOENT' })
})

t.test('blanks around a text are not written, and are no change after the publish', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  t.equal((await draft.retext(boats, 'Two planks.', ' Two  new planks. ')).status, 200)
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text(post), astro[post].replace('Two planks', 'Two  new planks'))
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
  t.ok(await draft.idOf(boats, 'Two  new planks.'))
  t.equal((await draft.retext(boats, 'Two  new planks.', 'Two  new planks. ')).status, 200)
  t.match(await draft.publish(), { status: 'ready' })
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
})

t.test('a developer and an editor change two paragraphs of a file, and then the same one', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
  site.edit(post, 'Three planks.', 'Three planks of theirs.')
  await draft.follow()
  t.same(await draft.texts(boats), [
    undefined,
    'Planks',
    'One *old* plank.',
    'Two planks of ours.',
    'Three planks of theirs.',
  ])
  site.edit(post, 'Two planks.', 'Two planks of theirs.')
  await draft.follow()
  const { conflicts } = await draft.diff()
  t.match(conflicts, [{ path: 'text', ours: 'Two planks of ours.', theirs: 'Two planks of theirs.' }])
  t.match(await draft.publish(), { code: 'site_conflict' })
  t.match(site.text(post), 'Two planks of theirs.')
  await draft.decide([{ id: conflicts[0]?.id, take: 'draft' }])
  t.match(await draft.publish(), { status: 'ready' })
  t.match(site.text(post), /Two planks of ours\.\n\nThree planks of theirs\.\n$/)
})

t.test('a conflict with a file that cannot be read says so, and the mended file is merged', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
  site.set({ [post]: astro[post].replace('---\n', '---\ntitle: [\n') })
  await draft.follow()
  const refused = await draft.publish()
  t.match(refused, {
    code: 'site_conflict',
    error: /was changed in the draft, and cannot be read on the site: /,
  })
  t.notMatch(refused['error'], /removed on the site/)
  site.set({ [post]: astro[post].replace('Three planks.', 'Three planks of theirs.') })
  await draft.follow()
  t.match(await draft.publish(), { status: 'ready' })
  t.match(site.text(post), /Two planks of ours\.\n\nThree planks of theirs\.\n$/)
})

t.test(
  'a paragraph that a developer moves is the same one, with what an editor has changed in it',
  async (t) => {
    const site = filesIn(t, astro)
    const draft = await serviceOn(t, site.folder)
    const moving = await draft.idOf(boats, 'Three planks.')
    await draft.retext(boats, 'Three planks.', 'Three planks of ours.')
    site.set({
      [post]: astro[post].replace('\n\nThree planks.', '').replace('## Planks', 'Three planks.\n\n## Planks'),
    })
    await draft.follow()
    t.same(await draft.texts(boats), [
      undefined,
      'Three planks of ours.',
      'Planks',
      'One *old* plank.',
      'Two planks.',
    ])
    t.equal(await draft.idOf(boats, 'Three planks of ours.'), moving)
    t.match(await draft.publish(), { status: 'ready' })
    t.match(site.text(post), /---\n\nThree planks of ours\.\n\n## Planks\n/)
  },
)

t.test(
  'a file that an editor and a developer rename is one conflict, and is where that is decided',
  async (t) => {
    for (const take of ['draft', 'site'] as const) {
      const site = filesIn(t, astro)
      const draft = await serviceOn(t, site.folder)
      const [ours = '', theirs = ''] = ['ours', 'theirs'].map((name) => `/~src/content/blog/${name}.md`)
      await draft.ops([{ op: 'rename_page', pageSlug: boats, newPageSlug: ours }])
      site.set({ [post]: undefined, 'src/content/blog/theirs.md': astro[post] })
      const { conflicts } = await draft.diff()
      t.match(conflicts, [{ path: 'slug', ours, theirs }])
      t.equal(conflicts.length, 1)
      await draft.decide([{ id: conflicts[0]?.id, take }])
      t.match(await draft.publish(), { status: 'ready' })
      const slug = take === 'draft' ? ours : theirs
      t.same(await pathsIn(site.folder), [oars.slice(2), slug.slice(2), team.slice(2)].toSorted())
      t.match(await draft.page(slug), { document: { path: slug.slice(2) } })
    }
  },
)

t.test('a restart after a change of a developer keeps the identity of the blocks', async (t) => {
  const site = filesIn(t, astro)
  const idsOf = async () => (await read(site.folder)).pages[0]?.blocks.map(({ id }) => id) ?? []
  const before = await idsOf()
  site.edit(post, 'Two planks.', 'Two more planks.')
  t.same(await idsOf(), before)
  site.edit(post, '## Planks', 'New.\n\n## Planks')
  const now = await idsOf()
  t.same(now.toSpliced(1, 1), before)
  t.notOk(before.includes(now[1] ?? ''))
  site.edit(post, 'New.\n\n', '')
  t.same(await idsOf(), before)
  t.equal(site.text('.orchestrator/.gitignore'), '*\n')
})

t.test('a look reads only files with another stamp', async (t) => {
  const site = filesIn(t, astro)
  const adapter = contentFiles(site.folder)
  const titles = async () => (await adapter.readContent()).pages.map(({ title }) => title)
  t.same(await titles(), ['Boats', 'Oars', 'Team'])
  // Written with the same size, inode and time, which only a program does.
  const place = join(site.folder, post)
  const { atime, mtime } = statSync(place)
  utimesSync(place, atime, mtime)
  t.same(await titles(), ['Boats', 'Oars', 'Team'])
  site.edit(post, 'title: Boats', 'title: Goats')
  utimesSync(place, atime, mtime)
  t.same(await titles(), ['Boats', 'Oars', 'Team'], 'it was not read')
  utimesSync(place, atime, new Date(mtime.getTime() + 1000))
  t.same(await titles(), ['Goats', 'Oars', 'Team'])
  const [page] = (await adapter.readContent()).pages
  Object.assign(page ?? {}, { title: 'Spoiled' })
  t.same(await titles(), ['Goats', 'Oars', 'Team'], 'readers do not disturb each other')
})

const Refused = v.object({ code: v.literal('not_storable'), reason: v.string() })
const refused = (answer: Injected): string => v.parse(Refused, answer.json()).reason

t.test(
  'an operation that a file cannot hold is refused with the reason, and nothing is stored',
  async (t) => {
    const site = filesIn(t, astro)
    const draft = await serviceOn(t, site.folder)
    const version = await draft.version()
    const heading = await draft.retext(boats, 'Planks', 'Planks\nand oars')
    t.match(
      refused(heading),
      /^src\/content\/blog\/boats\.md, block b_heading_\w+ \(Heading\): A heading cannot hold a line break\.$/,
    )
    t.match(refused(await draft.retext(boats, 'Two planks.', 'Two <script>planks</script>.')), /script/)
    const block = { id: 'b_video', type: 'Component', props: { name: 'Video' } }
    const added = await draft.ops([{ op: 'add_block', pageSlug: oars, block }])
    t.match(
      refused(added),
      /oars\.md, block b_video \(Component\): Here a component can be copied, not created/,
    )
    const image = { op: 'update_page_meta', pageSlug: oars, patch: { ogImage: '/a.png' } }
    t.match(refused(await draft.ops([image])), /no place for the ogImage/)
    const title = { op: 'rename_page', pageSlug: oars, newTitle: 'Blades' }
    t.match(
      refused(await draft.ops([title])),
      /oars\.md: Its front matter has no title\. Edit its first heading/,
    )
    const settings = { op: 'update_site_config', patch: { navLabels: { [oars]: 'Blades' } } }
    t.match(refused(await draft.ops([settings])), /no place for site settings/)
    t.match(refused(await draft.ops([{ op: 'move_page', pageSlug: oars }])), /in the order of its files/)
    t.equal(await draft.version(), version)
    t.match(await draft.diff(), { summary: { totalChangedFields: 0 } })
  },
)

t.test('a publish that one file cannot hold writes none', async (t) => {
  const site = filesIn(t, astro)
  const adapter = contentFiles(site.folder)
  const { pages } = await adapter.readContent()
  const edited = pages.map((page) => ({
    ...page,
    blocks: page.blocks.map((block) => ({
      ...block,
      props: { ...block.props, text: `${block.props['text']}\n\n!` },
    })),
  }))
  const writing = async (pages: SiteContent['pages']) => adapter.writeContent?.({ pages })
  await t.rejects(writing([...edited.slice(0, 1), ...pages.slice(1)]), {
    code: 'file_refused',
    reason: /boats\.md/,
  })
  const [first, ...others] = pages.map((page) => stateOf(page, 1))
  const bad = others.map((page) => (page.slug === oars ? { ...page, meta: { ogImage: '/a.png' } } : page))
  await t.rejects(writing([...(first ? [first] : []), ...bad]), { code: 'file_refused', reason: /oars\.md/ })
  for (const [path, text] of Object.entries(astro)) t.equal(site.text(path), text)
})

t.test('pages are created, copied, renamed and removed as files', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  const other = draft.as('other')
  await other.slugs()
  await other.retext(boats, 'Two planks.', 'Two planks of the other draft.')
  const [next, copy, moved] = ['new-post.md', 'copy.md', 'ships.md'].map(
    (name) => `/~src/content/blog/${name}`,
  )
  const blocks = [{ id: 'b_1', type: 'Paragraph', props: { text: 'Hello: *world*' } }]
  const answer = await draft.ops([
    { op: 'create_page', page: { slug: next, title: 'New: post', blocks, meta: { description: 'First' } } },
    { op: 'duplicate_page', pageSlug: boats, newPageSlug: copy },
    { op: 'rename_page', pageSlug: boats, newPageSlug: moved },
    { op: 'remove_page', pageSlug: oars },
  ])
  t.equal(answer.status, 200, JSON.stringify(answer.json()))
  await draft.retext(moved ?? '', 'Three planks.', '3 planks.')
  const published = await draft.publish({ allowDelete: true })
  t.match(published, { status: 'ready' }, JSON.stringify(published))
  t.equal(
    site.text('src/content/blog/new-post.md'),
    "---\ntitle: 'New: post'\ndescription: First\n---\n\nHello: *world*\n",
  )
  t.equal(site.text('src/content/blog/ships.md'), astro[post].replace('Three', '3'))
  t.equal(
    site.text('src/content/blog/copy.md').replace(/title: .*\n/, ''),
    astro[post].replace(/title: .*\n/, ''),
  )
  t.same(await pathsIn(site.folder), [
    ...['copy', 'new-post', 'ships'].map((name) => `src/content/blog/${name}.md`),
    'src/data/team.json',
  ])
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
  await other.follow()
  t.ok((await other.slugs()).includes(moved ?? ''), 'other drafts follow the rename')
  t.match(await other.texts(moved ?? ''), [
    undefined,
    'Planks',
    'One *old* plank.',
    'Two planks of the other draft.',
    '3 planks.',
  ])
})

t.test('after a publish its pages are as they were sent, whatever the files make of them', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  const [moved, made, copy] = ['x.md', 'made.md', 'copy.md'].map((name) => `/~src/content/blog/${name}`)
  const steps = [
    () => draft.retext(oars, 'Oars', 'Oars of ash'),
    () => draft.ops([{ op: 'rename_page', pageSlug: oars, newPageSlug: moved }]),
    () => draft.ops([{ op: 'create_page', page: { slug: made } }]),
    () => draft.ops([{ op: 'duplicate_page', pageSlug: moved, newPageSlug: copy, newTitle: 'Copy' }]),
    () => draft.retext(copy ?? '', 'Made of ash.', 'Copied from ash.'),
    () => draft.ops([{ op: 'rename_page', pageSlug: made, newPageSlug: oars, newTitle: 'Made' }]),
  ]
  for (const [at, step] of steps.entries()) {
    t.equal((await step()).status, 200, `step ${at}`)
    t.match(await draft.publish(), { status: 'ready' }, `step ${at}`)
    site.edit(post, 'Three planks', `Three planks ${at}`)
    await draft.follow()
    await draft.retext(boats, at === 0 ? 'Two planks.' : `Two planks, ${at - 1}.`, `Two planks, ${at}.`)
    t.match(await draft.publish(), { status: 'ready' }, `after step ${at}`)
    t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
  }
  for (const page of (await read(site.folder)).pages) {
    t.equal(pathOfSlug(page.slug), v.parse(v.object({ path: v.string() }), page['document']).path)
    const { updatedAt: _, ...shown } = await draft.page(page.slug)
    t.match(page, shown, 'a restart reads what was sent')
  }
  site.edit('src/content/blog/x.md', '# Oars of ash', '# Blades')
  await draft.follow()
  t.equal((await draft.page(moved ?? '')).title, 'Blades', 'what a developer changes is followed')
})

t.test('two pages swap their files, and one takes the place of another that is removed', async (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `/~content/${name}.md`)
  const files = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`content/${name}.md`, `# ${name}\n\n<!-- ${name} -->\n`]),
  )
  const site = filesIn(t, { 'hugo.toml': '', ...files })
  const draft = await serviceOn(t, site.folder)
  const rename = (from: string | undefined, to: string | undefined) => ({
    op: 'rename_page',
    pageSlug: from,
    newPageSlug: to,
  })
  const aside = '/~content/aside.md'
  await draft.ops([rename(a, aside), rename(b, a), rename(aside, b)])
  t.match(await draft.publish(), { status: 'ready' })
  t.same(
    ['a', 'b', 'c'].map((name) => site.text(`content/${name}.md`)),
    ['b', 'a', 'c'].map((name) => files[`content/${name}.md`]),
  )
  const replaced = await draft.ops([{ op: 'remove_page', pageSlug: a }, rename(c, a)])
  t.equal(replaced.status, 200, JSON.stringify(replaced.json()))
  t.match(await draft.publish({ allowDelete: true }), { status: 'ready' })
  t.same(await pathsIn(site.folder), ['content/a.md', 'content/b.md'])
  t.equal(site.text('content/a.md'), files['content/c.md'])
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
})

t.test('texts of templates and rows of data are edited where they stand', async (t) => {
  const page = '<h1 title="A">Boats</h1>\n<p>{{ count }} of\n  wood</p>\n'
  const crew = '# Crew\n- {name: Ida,   age: 40}\n- name: Bo # new\n  age: 41\n'
  const site = filesIn(t, { 'eleventy.config.js': '', 'index.njk': page, '_data/crew.yaml': crew })
  const draft = await serviceOn(t, site.folder)
  const block = async (slug: string) => (await draft.page(slug)).blocks[0]
  const texts = await block('/~index.njk')
  t.match(texts, {
    type: 'Texts',
    props: { texts: [{ kind: 'title', text: 'A' }, { text: 'Boats' }, { text: 'of wood' }] },
  })
  const target = { pageSlug: '/~index.njk', blockId: texts?.id }
  const item = { op: 'update_item', ...target, listKey: 'texts', index: 1, patch: { text: 'Ships' } }
  t.equal((await draft.ops([item])).status, 200)
  const row = { kind: 'text', text: 'New' }
  t.match(
    refused(await draft.ops([{ op: 'update_props', ...target, patch: { texts: [row] } }])),
    /not added, moved or removed/,
  )
  const list = { ...target, listKey: 'texts' }
  const rows = [
    { op: 'add_item', ...list, item: row },
    { op: 'move_item', ...list, index: 1 },
    { op: 'remove_item', ...list, index: 1 },
    { op: 'duplicate_block', ...target },
  ]
  for (const op of rows) t.match((await draft.ops([op])).json(), { code: 'schema_violation' }, op.op)
  const data = await block('/~_data/crew.yaml')
  const items = [
    { name: 'Ida', age: 40 },
    { name: 'Bo', age: 42 },
  ]
  const answer = await draft.ops([
    { op: 'update_props', pageSlug: '/~_data/crew.yaml', blockId: data?.id, patch: { items } },
  ])
  t.equal(answer.status, 200, JSON.stringify(answer.json()))
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text('index.njk'), page.replace('Boats', 'Ships'))
  t.equal(site.text('_data/crew.yaml'), crew.replace('41', '42'))
  t.match(await draft.diff(), { summary: { totalChangedFields: 0 }, conflicts: emptyList })
})

t.test('an earlier publish is published again, also a page that was removed since', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  await draft.retext(boats, 'Two planks.', 'Two planks, first.')
  const first = await draft.publish()
  t.match(first, { status: 'ready' })
  await draft.retext(boats, 'Two planks, first.', 'Two planks, second.')
  await draft.ops([{ op: 'remove_page', pageSlug: oars }])
  t.match(await draft.publish({ allowDelete: true }), { status: 'ready' })
  const undone = await draft.undo(oars)
  t.equal(undone.status, 200)
  const again = await draft.publish()
  t.match(again, { status: 'ready' }, JSON.stringify(again))
  t.match(site.text('src/content/blog/oars.md'), /Oars[^]*Made of ash\./)
})

t.test('new files are documents below the folder, and never replace another file', async (t) => {
  const site = filesIn(t, {
    ...astro,
    'src/content/blog/taken.txt': '',
    '.gitignore': '',
    'src/content/blog/_x.md': '',
  })
  const draft = await serviceOn(t, site.folder)
  const outside = temporaryFolder(t)
  mkdirSync(join(outside, 'deep'))
  symlinkSync(outside, join(site.folder, 'src/content/linked'))
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['/about', /^\/about: A page of this site is a file/],
    ['/~src/data/new.json', /Only documents are created/],
    ['/~src/content/blog/new', /Only documents are created/],
    ['/~.git/hooks.md', /A page of this site is a file/],
    ['/~elsewhere/new.md', /This folder has no content/],
    ['/~src/content/linked/deep/new.md', /This folder has no content/],
    ['/~src/content/blog/boats.md/new.md', /This folder has no content/],
    ['/~src/content/blog/taken.txt/new.md', /This folder has no content/],
    [`/~src/content/blog/${'ü'.repeat(130)}.md`, /: The name of a file or a folder has at most 255 bytes\.$/],
  ]
  for (const [slug, reason] of refusals)
    t.match(refused(await draft.ops([{ op: 'create_page', page: { slug } }])), reason, slug)
  const crew = { op: 'rename_page', pageSlug: team, newPageSlug: '/~src/data/crew.json' }
  t.match(refused(await draft.ops([crew])), /Only documents|is not moved/)
  const retitled = { op: 'rename_page', pageSlug: team, newTitle: 'Crew' }
  t.match(refused(await draft.ops([retitled])), /team\.json: It has no title\. Its file names the page\./)
  t.match(
    refused(await draft.ops([{ op: 'remove_page', pageSlug: team }])),
    /is not moved, copied or removed/,
  )
  t.match(refused(await draft.ops([{ op: 'duplicate_page', pageSlug: team }])), /Only documents/)
  const copied = await draft.ops([{ op: 'duplicate_page', pageSlug: boats }])
  t.match(copied.json(), { updatedSlug: '/~src/content/blog/boats-copy.md' }, 'a copy is a document, too')
  await draft.ops([{ op: 'remove_page', pageSlug: '/~src/content/blog/boats-copy.md' }])
  const slug = '/~src/content/blog/_y.md'
  t.equal((await draft.ops([{ op: 'create_page', page: { slug } }])).status, 200)
  site.set({ 'src/content/blog/_y.md': '<<<<<<< a\n=======\n>>>>>>> b\n' })
  t.match(await draft.publish(), { code: /./ })
  t.match(site.text('src/content/blog/_y.md'), '<<<<<<< a')
})

t.test('nothing is written through links and files that git ignores', async (t) => {
  const site = filesIn(t, { ...astro, '.gitignore': 'away\nfull\n', 'src/content/full': '' })
  execFileSync('git', ['init', '--quiet'], { cwd: site.folder })
  symlinkSync(temporaryFolder(t), join(site.folder, 'src/content/away'))
  const draft = await serviceOn(t, site.folder)
  const move = (pageSlug: string, newPageSlug: string) =>
    draft.ops([{ op: 'rename_page', pageSlug, newPageSlug }])
  const [away, full] = ['/~src/content/away/deep/new.md', '/~src/content/full/deep/new.md']
  t.equal((await draft.ops([{ op: 'create_page', page: { slug: away } }])).status, 200)
  t.match(await draft.publish(), { code: 'file_refused', reason: /It is not in the folder of the site/ })
  await move(away, full)
  t.match(await draft.publish(), { code: 'file_refused', reason: /A file has the name of its folder/ })
  await move(full, '/~src/content/new.md')
  t.match(await draft.publish(), { status: 'ready' })
})

t.test('files that come, go and move are followed; a moved one keeps what was edited', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
  renameSync(join(site.folder, post), join(site.folder, 'src/content/blog/ships.md'))
  site.set({ 'src/content/blog/oars.md': undefined, 'src/content/blog/sails.mdx': '# Sails\n' })
  await draft.follow()
  const ships = '/~src/content/blog/ships.md'
  t.same([...(await draft.slugs())].toSorted(), ['/~src/content/blog/sails.mdx', ships, team])
  t.ok((await draft.texts(ships)).includes('Two planks of ours.'))
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text('src/content/blog/ships.md'), astro[post].replace('Two planks.', 'Two planks of ours.'))
  site.set({ [post]: '# Another\n' })
  const ids = (await read(site.folder)).pages.map(({ id }) => id)
  t.equal(new Set(ids).size, 4, 'a new file at the former path has an id of its own')
})

t.test(
  'a file that was moved and edited is the same page, unless less than half of it is equal',
  async (t) => {
    const site = filesIn(t, astro)
    const draft = await serviceOn(t, site.folder)
    const { id, blocks } = await draft.page(boats)
    await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
    const edited = astro[post].replace('Three planks.', 'Three planks, and\nmore.')
    site.set({
      [post]: undefined,
      'src/content/blog/ships.mdx': edited,
      'src/content/blog/sails.md': astro[post].replaceAll(/[a-z]{4,}/g, 'other'),
    })
    await draft.follow()
    const ships = '/~src/content/blog/ships.mdx'
    const page = await draft.page(ships)
    t.equal(page.id, id)
    t.same(
      page.blocks.map((block) => block.id),
      blocks.map((block) => block.id),
    )
    const words = page.blocks.map(({ props }) => props['text'])
    t.ok(words.includes('Two planks of ours.') && words.includes('Three planks, and\nmore.'))
    t.not((await draft.page('/~src/content/blog/sails.md')).id, id)
    t.match(await draft.publish(), { status: 'ready' })
    t.equal(site.text('src/content/blog/ships.mdx'), edited.replace('Two planks.', 'Two planks of ours.'))

    site.set({
      'src/content/blog/ships.mdx': undefined,
      'src/content/blog/anew.md': '---\ntitle: Boats\n---\n\n## Planks\n\nAll is new here.\n',
    })
    await draft.follow()
    t.not((await draft.page('/~src/content/blog/anew.md')).id, id, 'what shares less is another page')
  },
)

t.test('a key that other files of the folder have is added, emptied and removed', async (t) => {
  const boat = 'src/content/blog/boat.md'
  const site = filesIn(t, {
    ...astro,
    [boat]: "---\ntitle: 'Boat'\nauthor: 'Ida'\nold: 1\n# end\n---\n\nText.\n",
    'src/content/blog/other.md': '---\ndraft: false\nsummary: S\n---\n',
    'src/content/pages/other.md': '---\nelsewhere: 1\n---\n',
  })
  const draft = await serviceOn(t, site.folder)
  const set = async (patch: object) => {
    const { blocks } = await draft.page(`/~${boat}`)
    const blockId = blocks.find(({ type }) => type === 'Details')?.id
    return draft.ops([{ op: 'update_props', pageSlug: `/~${boat}`, blockId, patch }])
  }
  const patch = { draft: true, summary: 'A: b', tags: ['oak'], author: '', old: null }
  t.equal((await set(patch)).status, 200)
  t.match(refused(await set({ elsewhere: 2 })), /boat\.md: No file of its folder has the key elsewhere/)
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(
    site.text(boat),
    "---\ntitle: 'Boat'\nauthor: ''\ndraft: true\nsummary: 'A: b'\ntags:\n  - oak\n# end\n---\n\nText.\n",
  )
})

t.test('a data file gets another entry, which an undo removes and brings back', async (t) => {
  const authors = 'src/data/authors.yml'
  const ada = 'ada:\n  name: Ada   # owner\n  title: Builder\n'
  const site = filesIn(t, { ...astro, [authors]: ada })
  const draft = await serviceOn(t, site.folder)
  const blockId = (await draft.page(`/~${authors}`)).blocks[0]?.id
  const set = (patch: object) => draft.ops([{ op: 'update_props', pageSlug: `/~${authors}`, blockId, patch }])
  const published = async () => {
    t.match(await draft.publish(), { status: 'ready' })
    return site.text(authors)
  }
  t.equal((await set({ ida: { name: 'Ida', title: 'Sailor' } })).status, 200)
  const both = `${ada}ida:\n  name: Ida\n  title: Sailor\n`
  t.equal(await published(), both)
  t.equal((await set({ ida: null })).status, 200)
  t.equal(await published(), ada)
  t.equal((await draft.send('/history/undo', { slug: `/~${authors}` })).status, 200)
  t.equal(await published(), both)
  t.match(refused(await set({ eleventyComputed: { x: 1 } })), /decides how the page is built/)
})

t.test('what cannot be read is listed, costs no other, and stays', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  const ids = (await draft.page(boats)).blocks.map(({ id }) => id)
  const conflict = '# A\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> main\n'
  site.set({
    [post]: conflict,
    'src/content/blog/latin.md': Buffer.from([0x23, 0x20, 0xe9]),
    'src/content/blog/large.md': 'a'.repeat(5 * 1024 * 1024 + 1),
    'src/data/broken.yaml': 'a: 1\nb: [\n',
  })
  symlinkSync('/etc/hostname', join(site.folder, 'src/content/blog/link.md'))
  symlinkSync('boats.md', join(site.folder, 'src/content/blog/inner.md'))
  const { unreadable = [], pages } = await read(site.folder)
  t.match(
    unreadable.map(({ slug, reason }) => [slug, reason]),
    [
      [boats, 'line 3: a merge has left conflict markers'],
      ['/~src/content/blog/large.md', 'it has more than 5 MB'],
      ['/~src/content/blog/latin.md', 'it is not UTF-8'],
      ['/~src/content/blog/link.md', 'it is a link that leads out of the folder'],
      ['/~src/data/broken.yaml', /^line \d: This is not YAML: .*[^.]$/],
    ],
  )
  t.same(slugsOf({ pages }), [oars, team])
  await draft.retext(oars, 'Made of ash.', 'Made of oak.')
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.text(post), conflict)
  t.match(site.text('src/content/blog/oars.md'), 'Made of oak.')
  site.set({ [post]: astro[post] })
  await draft.follow()
  t.same(
    (await draft.page(boats)).blocks.map(({ id }) => id),
    ids,
    'it is the same again',
  )
})

t.test('an edit outlasts that its file cannot be read for a moment', async (t) => {
  const site = filesIn(t, astro)
  const draft = await serviceOn(t, site.folder)
  await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
  site.edit(post, '---\n', '---\na: [\n')
  await draft.follow()
  t.match(await draft.publish(), { code: /./ })
  site.set({ [post]: astro[post] })
  await draft.follow()
  t.ok((await draft.texts(boats)).includes('Two planks of ours.'))
  t.match(await draft.publish(), { status: 'ready' })
  t.match(site.text(post), 'Two planks of ours.')
})

t.test('a file that cannot be read is removed only by its name, and data never', async (t) => {
  const broken = 'a: [\n'
  const site = filesIn(t, {
    ...astro,
    'src/content/blog/bad.md': `---\n${broken}---\n`,
    'src/data/bad.yaml': broken,
  })
  const draft = await serviceOn(t, site.folder)
  await draft.retext(boats, 'Two planks.', 'Two planks of ours.')
  const data = await draft.publish({ remove: ['/~src/data/bad.yaml'] })
  t.match(data, {
    code: 'file_refused',
    reason: /^src\/data\/bad\.yaml: The code of the site may use this file/,
  })
  t.match(await draft.publish({ remove: ['/~src/content/blog/bad.md'] }), { status: 'ready' })
  t.match((await read(site.folder)).unreadable, [{ slug: '/~src/data/bad.yaml' }])
  t.equal(site.text('src/data/bad.yaml'), broken)
  t.throws(() => site.text('src/content/blog/bad.md'))
})

t.test('content is what frameworks define, and folders with three files of a kind', async (t) => {
  const foreign = {
    'package.json': '{}',
    'tsconfig.json': '{}',
    'README.md': '',
    'CHANGELOG.md': '',
    'LICENSE.md': '',
    'node_modules/a/docs/a.md': '',
    'dist/docs/a.md': '',
    '.github/workflows/a.yml': '',
    '.env.md': '',
    'test/a.md': '',
    'test/b.md': '',
    'test/c.md': '',
    'src/docs/a.md': '',
    'src/docs/b.md': '',
  }
  const texts = (...paths: readonly string[]) =>
    Object.fromEntries(paths.map((path) => [path, path.endsWith('.json') ? '{}' : '']))
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['docusaurus.config.ts'], ['docs/a.md', 'blog/b.mdx', 'src/pages/c.md']],
    [['website/docusaurus.config.js'], ['website/docs/a.md']],
    [
      ['docs/.vitepress/config.mts', 'docs/README.md'],
      ['docs/a.md', 'docs/guide/b.md'],
    ],
    [
      ['eleventy.config.js', 'netlify.toml'],
      ['index.njk', 'about.md', '_data/site.json', 'posts/a.md', 'src/docs/a.md', 'src/docs/b.md'],
    ],
    [['astro.config.mjs'], ['content/docs/a.mdx', 'content/docs/meta.json', 'src/pages/b.md']],
    [['vite.config.ts'], ['content/docs/a.mdx', 'src/docs/a.md', 'src/docs/b.md']],
    [['svelte.config.js'], ['src/routes/about/page.md', 'src/lib/posts/a.md']],
    [['next.config.mjs'], ['_posts/a.md', 'content/b.mdx', 'data/c.json']],
    [['hugo.toml'], ['content/a.md', 'data/b.yaml']],
    [
      ['astro.config.ts', 'src/data/credentials.json'],
      ['src/content/history-of-a.md', 'src/pages/secrets.md'],
    ],
    [
      ['hugo.toml', 'notes/credentials.md', 'notes/CHANGELOG.md'],
      ['notes/a.md', 'notes/b.md', 'notes/c.md'],
    ],
    [
      ['docs/.vitepress/config.ts', 'docs/LICENSE.md'],
      ['docs/contributing.md', 'docs/guide/CHANGELOG.md', 'docs/security.md'],
    ],
    [
      ['vite.config.ts', 'src/routes/+layout.svelte'],
      ['src/routes/about/a.md', 'src/lib/a.html'],
    ],
    [['app/layout.jsx'], ['app/about/page.mdx', 'posts/a.md']],
    [['nuxt.config.ts'], ['app/pages/a.md', 'layouts/b.html', 'content/a.md']],
    [['vite.config.mts', 'app/root.jsx', 'app/a.test.jsx'], ['app/routes/home.md']],
    [
      ['vite.config.js', 'public/a.html'],
      ['index.html', 'src/a.md', 'src/docs/a.md', 'src/docs/b.md'],
    ],
    [['gatsby-config.mjs'], ['src/pages/a.md', 'content/blog/a.md']],
    [['data/tool.json'], ['index.html', 'about/index.html']],
    [['docs/a.md'], ['content/a.md', '_posts/b.md', 'data/c.json']],
    [[], ['notes/a.md', 'notes/b.md', 'notes/c.md', 'locales/de.json', 'locales/en.json', 'locales/fr.json']],
  ]
  for (const [config, content] of cases) {
    const { folder } = filesIn(t, { ...foreign, ...texts(...config, ...content) })
    t.same(await pathsIn(folder), [...content].toSorted(), config[0] ?? 'none')
  }
  const { folder, set } = filesIn(t, { ...foreign, ...texts('notes/a.md', 'notes/b.md', 'notes/c.md') })
  t.same(await pathsIn(folder, { ignore: ['notes/c*'] }), [])
  t.same(await pathsIn(folder, { include: ['src/**/*.md', '**/package.json', '.env*'] }), [
    'src/docs/a.md',
    'src/docs/b.md',
  ])
  t.same(await pathsIn(folder), ['notes/a.md', 'notes/b.md', 'notes/c.md', 'src/docs/a.md', 'src/docs/b.md'])
  set({ 'notes/c.md': undefined })
  t.same((await pathsIn(folder)).slice(0, 2), ['notes/a.md', 'notes/b.md'], 'two of three stay')
})

t.test('a folder that cannot be read is an error, and no empty site', async (t) => {
  const folder = join(temporaryFolder(t), 'none')
  const adapter = contentFiles(folder)
  await t.rejects(async () => adapter.readContent(), { message: /The folder .*none cannot be read/ })
  mkdirSync(folder)
  t.same(await adapter.readContent(), { pages: [] })
})
