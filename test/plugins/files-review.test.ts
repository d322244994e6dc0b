import t from 'tap'
import * as v from 'valibot'
import { boats, files, oars } from '../helpers/file-repositories.ts'
import { emptyList } from '../helpers/plain.ts'
import { bodyOf } from '../helpers/stack.ts'
import { filesIn, serviceOn } from '../helpers/website-files.ts'

const Files = v.object({
  files: v.array(v.looseObject({ path: v.string(), changed: v.optional(v.number()) })),
})

t.test('the review has the lines that a publish changes, of the files that it changes', async (t) => {
  const site = filesIn(t, { ...files, 'content/sails.md': 'Of linen.\n' })
  const draft = await serviceOn(t, site.folder)
  const read = () => bodyOf(draft.get('/publish/files'))
  await draft.texts(boats)
  t.strictSame(await read(), { files: [] })
  await draft.retext(boats, 'We build boats.', 'We build fast boats.')
  await draft.ops([
    { op: 'remove_page', pageSlug: oars },
    {
      op: 'rename_page',
      pageSlug: '/~content/ropes.md',
      newPageSlug: '/~content/lines.md',
      newTitle: 'Ropes',
    },
  ])
  t.strictSame(await read(), {
    files: [
      {
        path: 'content/boats.md',
        slug: boats,
        changed: 1,
        hunks: [
          {
            oldStart: 4,
            newStart: 4,
            lines: [' ---', ' ', '-We build boats.', '+We build fast boats.', ' ', ' *  Oak'],
          },
        ],
      },
      {
        path: 'content/lines.md',
        slug: '/~content/lines.md',
        from: 'content/ropes.md',
        changed: 0,
        hunks: [],
      },
      {
        path: 'content/oars.md',
        slug: oars,
        changed: 1,
        hunks: [{ oldStart: 1, newStart: 1, lines: ['-Made of ash.'] }],
      },
    ],
  })
  t.equal(site.text('content/boats.md'), files['content/boats.md'], 'nothing is written')
  site.edit('content/boats.md', 'They float.', 'They float well.')
  t.match(
    v.parse(Files, await read()).files[0],
    { path: 'content/boats.md', changed: 1 },
    'what a developer saves is no change',
  )
})

t.test('a file over 1 MB is named without its lines', async (t) => {
  const rows = Array.from({ length: 280 }, (_, n) => `  "key${n}": "${'A value. '.repeat(400)}"`).join(',\n')
  const site = filesIn(t, { ...files, 'data/large.json': `{\n${rows}\n}\n` })
  const draft = await serviceOn(t, site.folder)
  const slug = '/~data/large.json'
  const { blocks } = await draft.page(slug)
  await draft.ops([{ op: 'update_props', pageSlug: slug, blockId: blocks[0]?.id, patch: { key7: 'Seven' } }])
  t.match(await bodyOf(draft.get('/publish/files')), {
    files: [{ path: 'data/large.json', changed: undefined, hunks: emptyList, note: /more than 1 MB/ }],
  })
})
