import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contentFiles } from '../../config/content-files.ts'
import { filesIn } from '../helpers/website-files.ts'

const files = {
  'astro.config.mjs': '',
  'src/content/blog/boats.md': `---
# of wood
title: Boats
author:
  name: Jane
  links: [{ label: Home }, { label: Work }]
cover: /img/oak.png
layout: post
---

# Planks

One plank,
and another.

- One
- Two
  - Three

| Wood | Price |
|------|-------|
| Oak  | 7     |
| Elm  | 5     |
`,
  'src/data/team.json': '{\n  "people": [\n    { "name": "Ida" },\n    { "name": "Ann" }\n  ]\n}\n',
  'src/pages/index.html': '<h1>Boats</h1>\n<p>Made by\n  hand</p>\n',
  'public/img/oak.png': 'oak',
  'public/img/elm.png': 'elm',
  'src/assets/ash tree.png': 'ash',
  'src/assets/.hidden.png': 'hidden',
  'notes.txt': 'no picture',
}

t.test('a text has a line in its file, whatever kind of value it is', async (t) => {
  const { folder, set } = filesIn(t, files)
  const content = contentFiles(folder)
  t.equal(
    content.lineOf({ slug: '/~src/data/team.json', blockId: 'x', path: 'a' }),
    undefined,
    'nothing is read',
  )
  const { pages } = await content.readContent()
  const lineOf = (file: string, type: string, path: string, at?: number) => {
    const page = pages.find(({ slug }) => slug === `/~${file}`)
    const blockId = type === 'Page' ? page?.id : page?.blocks.find((each) => each.type === type)?.id
    return content.lineOf({ slug: `/~${file}`, blockId: blockId ?? '', path, at })
  }
  const post = 'src/content/blog/boats.md'
  const list = pages.find(({ slug }) => slug === `/~${post}`)?.blocks.find(({ type }) => type === 'List')
  const third = String(list?.props['text']).indexOf('Three')
  const places: readonly (readonly [line: number, file: string, type: string, path: string, at?: number])[] =
    [
      [3, post, 'Page', 'title'],
      [5, post, 'Details', 'author.name'],
      [6, post, 'Details', 'author.links[1].label'],
      [7, post, 'Details', 'cover'],
      [11, post, 'Heading', 'text'],
      [13, post, 'Paragraph', 'text'],
      [14, post, 'Paragraph', 'text', 11],
      [18, post, 'List', 'text', third],
      [20, post, 'Table', 'rows[0][1]'],
      [23, post, 'Table', 'rows[2][0]'],
      [4, 'src/data/team.json', 'Data', 'people[1].name'],
      [1, 'src/pages/index.html', 'Texts', 'texts[0].text'],
      [2, 'src/pages/index.html', 'Texts', 'texts[1].text'],
    ]
  for (const [line, ...place] of places) t.equal(lineOf(...place), line, place.join(' '))
  t.equal(lineOf(post, 'Details', 'layout'), 2, 'of a value that stays, that of its block')
  t.equal(lineOf('src/gone.md', 'Page', 'title'), undefined)
  set({ [post]: '# Another\n' })
  t.equal(lineOf(post, 'Heading', 'text'), undefined, 'the file has changed since it was read')
})

t.test('the pictures of a website are listed with the addresses that it has for them', async (t) => {
  const { folder, set } = filesIn(t, files)
  const content = contentFiles(folder)
  await content.readContent()
  const list = async (query = '', page = 1, limit = 50) => {
    const { items = [], totalPages } =
      (await content.listMedia?.({ query, page, limit, signal: AbortSignal.timeout(5000) })) ?? {}
    return [totalPages, ...items.map(({ id, imageUrl }) => `${id} ${imageUrl}`)]
  }
  t.strictSame(await list(), [
    1,
    'public/img/elm.png /img/elm.png',
    'public/img/oak.png /img/oak.png',
    'src/assets/ash tree.png /~editor/files/src/assets/ash%20tree.png',
  ])
  t.strictSame(await list('IMG oak'), [1, 'public/img/oak.png /img/oak.png'])
  t.strictSame(await list('', 2, 2), [2, 'src/assets/ash tree.png /~editor/files/src/assets/ash%20tree.png'])

  // An address that a value shows counts for the folder, however the website comes to it.
  set({
    'src/content/blog/elm.md': '![Ash](/trees/ash.png)\n',
    'media/trees/ash.png': 'ash',
    'media/trees/a/b.png': 'b',
  })
  await content.readContent()
  t.strictSame(await list('media'), [
    1,
    'media/trees/a/b.png /trees/a/b.png',
    'media/trees/ash.png /trees/ash.png',
  ])
})

t.test('a picture is read by its path, and nothing else is', async (t) => {
  const { folder } = filesIn(t, { ...files, 'img/a.png': 'a' })
  const other = filesIn(t, { 'secret.png': 'secret', 'folder/secret.png': 'secret' })
  symlinkSync(join(other.folder, 'secret.png'), join(folder, 'img/linked.png'))
  symlinkSync(join(other.folder, 'folder'), join(folder, 'img/folder'))
  mkdirSync(join(folder, 'img/dir.png'))
  const content = contentFiles(folder)
  const found = await content.picture('img/a.png')
  t.strictSame([Buffer.from(found?.bytes ?? []).toString(), found?.type], ['a', 'image/png'])
  for (const path of [
    'notes.txt',
    'img/linked.png',
    'img/folder/secret.png',
    'img/dir.png',
    'src/assets/.hidden.png',
    '../img/a.png',
    `..${other.folder}/secret.png`,
    join(other.folder, 'secret.png'),
    'img/../img/a.png',
    'gone.png',
    '',
    'img/a.png\0.txt',
  ])
    t.equal(await content.picture(path), undefined, path)
})
