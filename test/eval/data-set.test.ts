import t from 'tap'
import { folderWith } from '../config/helpers.ts'
import { pageOf } from '../helpers/content.ts'
import { selectCases, ownFolder, readDataSet } from './data-set.ts'
import { asksForChange, categories, mustNotChange } from './case.ts'

const page = pageOf('/', [{ id: 'b_1', type: 'Quote', props: { quote: 'Hello' } }])
const right = { id: 'one', category: 'text_edit', slug: '/', message: 'Change it', expectedStatus: 'applied' }

t.test('cases are selected by tags and by id', async (t) => {
  const rows = [
    { ...right, id: 'text-one', tags: ['core'] },
    { ...right, id: 'text-two', tags: ['edge', 'model'] },
    { ...right, id: 'move-one', tags: ['edge'] },
  ]
  const folder = folderWith(t, {
    'fixture.json': JSON.stringify([page]),
    'cases/text.json': JSON.stringify(rows),
  })
  const { cases } = await readDataSet(folder)
  const ids = (choice: object) => selectCases(cases, choice).map(({ id }) => id)
  t.strictSame(ids({}), ['text-one', 'text-two', 'move-one'])
  t.strictSame(ids({ tags: 'core, model' }), ['text-one', 'text-two'])
  t.strictSame(ids({ tags: 'edge,!model' }), ['move-one'])
  t.strictSame(ids({ glob: 'text-*', tags: '!core' }), ['text-two'])
  const message = /No case fits --tags 'poetry'.* Tags in use are core, edge, model\./
  t.throws(() => selectCases(cases, { tags: 'poetry' }), { message })
})

t.test('the data set covers every category, and a third of it must not change the draft', async (t) => {
  const { cases, fixture } = await readDataSet(ownFolder)
  t.equal(new Set(cases.map(({ id }) => id)).size, cases.length, 'each id is used once')
  t.equal(fixture.flatMap(({ blocks }) => blocks).length, 40)
  for (const category of categories)
    t.ok(cases.filter((each) => each.category === category).length >= 15, category)
  t.ok(cases.filter((each) => mustNotChange(each) && !asksForChange(each)).length * 3 >= cases.length)
  t.ok(cases.filter(({ tags }) => tags.includes('model')).length >= 15)
  const isUnchecked = ({ assertions }: (typeof cases)[number]) =>
    !assertions.some(({ type }) => type === 'draft_unchanged')
  t.strictSame(
    cases.filter((each) => !asksForChange(each) && isUnchecked(each)),
    [],
  )
})
