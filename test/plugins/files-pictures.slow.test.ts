/** Pictures that are added to the files of a website. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import type { MediaUse } from '../../plugins/content/adapter.ts'
import { fileBytes, file as picture } from '../helpers/added-picture.ts'
import { draftWith } from '../helpers/draft-reader.ts'
import { boats as boatsOfHugo, linesOf, repositoryOf } from '../helpers/file-repositories.ts'
import { png } from '../helpers/media-files.ts'
import { bodyOf } from '../helpers/stack.ts'
import { filesIn, serviceOn } from '../helpers/website-files.ts'

const slug = (path: string): string => `/~${path}`

/** Adds a picture for a field, and returns where it is to be and how the document names it. */
async function placed(t: Test, files: Readonly<Record<string, string>>, use: MediaUse) {
  const site = filesIn(t, files)
  const { id, value } = await contentFiles(site.folder).uploadMedia(picture({ use }))
  return { path: id, value }
}

t.test('a picture goes where the documents have theirs, and is named as they name them', async (t) => {
  const astro = { 'astro.config.mjs': '', 'public/favicon.svg': '' }
  const blog = 'src/content/blog'
  const post = (cover: string, body = ''): string => `---\ntitle: A\ncover: ${cover}\n---\n\nText.\n${body}`
  const use = (path: string, more: object = {}): MediaUse => ({
    slug: slug(path),
    field: 'cover',
    alt: 'A boat of Öak, 1 of 2',
    ...more,
  })
  const name = 'a-boat-of-oak-1-of-2.png'
  const rows: readonly [string, Readonly<Record<string, string>>, MediaUse, string, string][] = [
    [
      'the same field of its neighbours',
      {
        ...astro,
        'src/assets/ash.jpg': '',
        'public/img/elm.png': '',
        [`${blog}/ash.md`]: post('../../assets/ash.jpg', '\n![Elm](/img/elm.png)\n'),
        [`${blog}/new.md`]: '---\ntitle: New\n---\n\n![Elm](/img/elm.png)\n',
      },
      use(`${blog}/new.md`),
      `src/assets/${name}`,
      `../../assets/${name}`,
    ],
    [
      'another field of the same document',
      {
        ...astro,
        'public/img/elm.png': '',
        [`${blog}/new.md`]: '---\ntitle: New\n---\n\n![Elm](/img/elm.png)\n',
      },
      use(`${blog}/new.md`),
      `public/img/${name}`,
      `/img/${name}`,
    ],
    [
      'the picture that it replaces',
      {
        ...astro,
        'src/assets/ash.jpg': '',
        'public/img/elm.png': '',
        [`${blog}/ash.md`]: post('../../assets/ash.jpg'),
        [`${blog}/new.md`]: post('/img/elm.png'),
      },
      use(`${blog}/new.md`, { before: '/img/elm.png' }),
      `public/img/${name}`,
      `/img/${name}`,
    ],
    [
      'beside a document in a folder of its own',
      {
        ...astro,
        [`${blog}/ash/index.md`]: post('./cover.png'),
        [`${blog}/ash/cover.png`]: '',
        [`${blog}/new/index.md`]: '---\ntitle: New\n---\n\nText.\n',
      },
      use(`${blog}/new/index.md`),
      `${blog}/new/${name}`,
      `./${name}`,
    ],
    [
      'a folder with the name of the document',
      {
        ...astro,
        [`${blog}/ash.md`]: post('img/ash/cover.png'),
        [`${blog}/img/ash/cover.png`]: '',
        [`${blog}/new.md`]: '---\ntitle: New\n---\n\nText.\n',
      },
      use(`${blog}/new.md`),
      `${blog}/img/new/${name}`,
      `img/new/${name}`,
    ],
    [
      'an address with a name for the website',
      {
        'docusaurus.config.js': '',
        'static/img/ash.png': '',
        'docs/ash.md': post('"@site/static/img/ash.png"'),
        'docs/new.md': '---\ntitle: New\n---\n\nText.\n',
      },
      use('docs/new.md'),
      `static/img/${name}`,
      `@site/static/img/${name}`,
    ],
    [
      'what most of its neighbours do',
      {
        'hugo.toml': '',
        'static/a/1.png': '',
        'static/b/2.png': '',
        'static/b/3.png': '',
        'content/1.md': post('/a/1.png'),
        'content/2.md': post('/b/2.png'),
        'content/3.md': post('/b/3.png'),
        'content/new.md': '---\ntitle: New\n---\n\nText.\n',
      },
      use('content/new.md'),
      `static/b/${name}`,
      `/b/${name}`,
    ],
    [
      'else what the framework defines',
      { ...astro, [`${blog}/new.md`]: post('https://example.org/a.png') },
      use(`${blog}/new.md`, { before: 'https://example.org/a.png' }),
      `public/images/${name}`,
      `/images/${name}`,
    ],
    [
      'a folder of the framework that is there',
      { 'docs/.vitepress/config.ts': '', 'docs/public/img/.gitkeep': '', 'docs/new.md': '# New\n' },
      use('docs/new.md'),
      `docs/public/img/${name}`,
      `/img/${name}`,
    ],
  ]
  for (const [what, files, use, path, value] of rows)
    t.strictSame(await placed(t, files, use), { path, value }, what)
})

t.test('a picture has a free and safe name, and the extension of its bytes', async (t) => {
  const files = {
    'hugo.toml': '',
    'static/images/OAK.PNG': '',
    'content/a.md': '# A\n',
    'content/b.md': '# B\n',
  }
  const site = filesIn(t, files)
  const add = async (name: string, alt = '', type = 'image/png', bytes = fileBytes) => {
    const item = await contentFiles(site.folder).uploadMedia(
      picture({ name, type, bytes, use: { slug: slug('content/a.md'), alt } }),
    )
    return item.id.replace('static/images/', '')
  }
  t.equal(await add('oak.png'), 'oak-2.png', 'beside one of the folder, in any case')
  t.equal(await add('Oak.jpeg'), 'oak-2.png', 'the same picture again is the one that waits')
  t.equal(await add('oak.png', '', 'image/png', png(4, 4)), 'oak-3.png', 'another one has another name')
  t.equal(await add('a.png', '', 'image/jpeg'), 'a.jpg')
  t.equal(await add('../../../etc/passwd\0.png'), 'etc-passwd.png')
  t.equal(await add('con.png'), 'picture-con.png')
  t.equal(await add('日本.png'), 'picture.png')
  t.equal(await add(`${'x'.repeat(300)}.png`), `${'x'.repeat(48)}.png`)
  t.strictSame(readdirSync(join(site.folder, 'static/images')), ['OAK.PNG'], 'none is in the folder')
})

t.test('a picture for no document, or without a known place, is refused with the reason', async (t) => {
  const refused = (files: Readonly<Record<string, string>>, use: MediaUse | undefined, type = 'image/png') =>
    contentFiles(filesIn(t, files).folder)
      .uploadMedia(picture({ use, type }))
      .then(
        ({ id }) => id,
        (error: unknown) => String(Object(error).reason),
      )
  const hugo = { 'hugo.toml': '', 'content/a.md': '# A\n' }
  t.match(await refused(hugo, undefined), /Name the document/)
  t.match(await refused(hugo, { slug: '/~../secret/a.md' }), /Name the document/)
  t.match(await refused(hugo, { slug: '/~node_modules/x/a.md' }), /Name the document/)
  t.match(await refused(hugo, { slug: slug('content/a.md') }, 'image/svg+xml'), /PNG, JPEG, WebP and GIF/)
  t.match(
    await refused({ 'eleventy.config.js': '', 'posts/a.md': '# A\n' }, { slug: slug('posts/a.md') }),
    /Where this website has its pictures is not known/,
  )
})

const paragraph = 'We build boats.'
const withPicture = (value: string): string => `We build boats. ![A boat](${value})`
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Adds a picture to a text of a repository's document, by the service. */
async function withAdded(t: Test, variables: Readonly<Record<string, string>> = {}) {
  const repository = repositoryOf(t)
  const { env, site } = repository
  const adapter = contentFiles(site.folder)
  const draft = await serviceOn(t, site.folder, { variables: { ...env, ...variables }, adapter })
  await draft.texts(boatsOfHugo)
  const upload = async (alt: string) => {
    const { id, value = '' } = await adapter.uploadMedia(picture({ use: { slug: boatsOfHugo, alt } }))
    return { id, value }
  }
  const waiting = () =>
    existsSync(join(site.folder, '.orchestrator/pictures'))
      ? readdirSync(join(site.folder, '.orchestrator/pictures'))
      : []
  return { ...repository, adapter, draft, upload, waiting }
}

t.test('a publish writes the pictures that its texts refer to, and no others', async (t) => {
  const { site, draft, upload, waiting, adapter } = await withAdded(t)
  const [used, other] = [await upload('Used'), await upload('Other')]
  t.equal(used.value, '/images/used.png')
  t.strictSame(waiting(), ['static%2Fimages%2Fother.png', 'static%2Fimages%2Fused.png'])
  t.equal(site.git('status', '--porcelain'), '')
  t.match(await adapter.picture(used.id), { type: 'image/png' }, 'it can be shown')
  const elsewhere = await contentFiles(site.folder).uploadMedia(
    picture({ use: { slug: boatsOfHugo, alt: 'Elsewhere' }, bytes: png(2, 2) }),
  )
  t.ok(await adapter.picture(elsewhere.id), 'also one that another process got')
  t.match(
    (await adapter.listMedia?.({ query: 'used', page: 1, limit: 5, signal: AbortSignal.timeout(1000) }))
      ?.items,
    [{ id: used.id }],
    'and chosen',
  )

  await draft.retext(boatsOfHugo, paragraph, withPicture(used.value))
  t.match(await bodyOf(draft.get('/publish/files')), {
    files: [
      { path: 'content/boats.md', changed: 1 },
      { path: used.id, slug: boatsOfHugo, changed: 0, note: 'A picture that is added.' },
    ],
  })
  t.equal((await draft.send('/history/undo', { slug: boatsOfHugo })).status, 200)
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.git('status', '--porcelain'), '', 'what is undone is in no publish')

  t.equal((await draft.send('/history/redo', { slug: boatsOfHugo })).status, 200)
  t.match(await draft.publish(), { status: 'ready' })
  t.equal(site.git('status', '--porcelain', '-uall'), ` M content/boats.md\n?? ${used.id}\n`)
  t.equal(hash(readFileSync(join(site.folder, used.id))), hash(fileBytes))
  t.strictSame(waiting(), ['static%2Fimages%2Felsewhere.png', 'static%2Fimages%2Fother.png'])
  t.ok(await adapter.picture(other.id))
})

t.test('one commit of a publish by git has the document and its picture', async (t) => {
  const { site, draft, upload, inRemote, waiting } = await withAdded(t, { PUBLISH_TARGET: 'git' })
  const { id, value } = await upload('By git')
  await upload('Other')
  await draft.retext(boatsOfHugo, paragraph, withPicture(value))
  t.match(await draft.publish(), { status: 'triggered' })
  t.match(
    inRemote('show', '--stat', '--format=', 'main'),
    /^ content\/boats.md +\| +2 \+-\n static\/images\/by-git.png \| Bin 0 -> \d+ bytes\n 2 files changed/,
  )
  t.equal(inRemote('rev-parse', `main:${id}`), site.git('hash-object', id))
  t.equal(hash(readFileSync(join(site.folder, id))), hash(fileBytes))
  t.equal(site.git('status', '--porcelain'), '')
  t.strictSame(waiting(), ['static%2Fimages%2Fother.png'])
})

t.test('a commit in the folder has the document and its picture, and other lines stay', async (t) => {
  const { site, draft, upload } = await withAdded(t)
  site.edit('content/boats.md', 'They float.', 'They fl')
  const { id, value } = await upload('As commit')
  await draft.retext(boatsOfHugo, paragraph, withPicture(value))
  t.match(await draft.publish({ asCommit: true }), { status: 'ready' })
  t.strictSame(site.git('show', '--format=', '--name-only').trim().split('\n'), ['content/boats.md', id])
  t.strictSame(linesOf(site.git('diff')), ['-They float.', '+They fl'])
  t.equal(site.git('status', '--porcelain'), ' M content/boats.md\n')
})

t.test('a publish replaces no file, and leaves no folder by a link', async (t) => {
  const { site, draft, upload } = await withAdded(t)
  const { id, value } = await upload('Mine')
  await draft.retext(boatsOfHugo, paragraph, withPicture(value))
  const before = site.text('content/boats.md')
  site.set({ [id]: 'of a developer' })
  t.match(await draft.publish(), { status: 'failed' })
  t.strictSame([site.text(id), site.text('content/boats.md')], ['of a developer', before])
  site.set({ [id]: fileBytes })
  t.match(await draft.publish(), { status: 'ready' }, 'the same bytes are there already')

  const linked = await upload('Linked')
  renameSync(join(site.folder, 'static'), join(site.folder, 'elsewhere'))
  const outside = filesIn(t, {}).folder
  mkdirSync(join(outside, 'images'))
  symlinkSync(outside, join(site.folder, 'static'))
  await draft.retext(boatsOfHugo, withPicture(value), withPicture(linked.value))
  t.match(await draft.publish(), { status: 'failed' })
  t.strictSame(readdirSync(join(outside, 'images')), [])
})

t.test('a picture waits over restarts, and goes once no draft has used it for 30 days', async (t) => {
  const { site, upload, waiting, adapter } = await withAdded(t)
  const [old, used] = [await upload('Old'), await upload('Used')]
  const month = Date.now() / 1000 - 31 * 24 * 60 * 60
  for (const name of waiting()) utimesSync(join(site.folder, '.orchestrator/pictures', name), month, month)
  const again = contentFiles(site.folder)
  t.ok(await again.picture(used.id), 'one that is shown is used')
  t.equal(readFileSync(join(site.folder, '.orchestrator/.gitignore'), 'utf8'), '*\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  await again.uploadMedia(picture({ use: { slug: boatsOfHugo, alt: 'New' } }))
  t.strictSame(waiting(), ['static%2Fimages%2Fnew.png', 'static%2Fimages%2Fused.png'])
  t.equal(await again.picture(old.id), undefined)
  writeFileSync(join(site.folder, '.orchestrator/pictures/..%2Fout.png'), fileBytes)
  writeFileSync(join(site.folder, '.orchestrator/pictures/%2E%2E%2Fout.png'), fileBytes)
  t.equal(await contentFiles(site.folder).picture('../out.png'), undefined)
  t.ok(await adapter.picture(used.id))
})

t.test('the files of a draft have the bytes of its pictures', async (t) => {
  const { adapter, draft, upload } = await withAdded(t)
  const { id, value } = await upload('Drawn')
  const pagesWith = async (text: string) => {
    const { pages } = await adapter.readContent()
    return pages.map((page) =>
      page.slug === boatsOfHugo
        ? {
            ...page,
            blocks: page.blocks.map((block) =>
              block.props['text'] === paragraph ? { ...block, props: { text } } : block,
            ),
          }
        : page,
    )
  }
  const { reader, set } = draftWith([])
  const filesWith = async (text: string) => {
    set(await pagesWith(text))
    return (await adapter.filesOf(reader)).files
  }
  t.strictSame([...(await filesWith('Other text.')).keys()], ['content/boats.md'])
  t.match((await filesWith(withPicture(value))).get(id), { copyOf: /static%2Fimages%2Fdrawn\.png$/ })
  t.equal((await filesWith(`In ${value}x and drawn.pngs`)).get(id), undefined)
  t.ok(await draft.slugs())
})
