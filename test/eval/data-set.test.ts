import t, { type Test } from 'tap'
import { folderWith } from '../config/helpers.ts'
import { pageOf } from '../helpers/content.ts'
import { selectCases, EvalError, ownFolder, readDataSet } from './data-set.ts'
import { asksForChange, categories, mustNotChange } from './case.ts'

const page = pageOf('/', [{ id: 'b_1', type: 'Quote', props: { quote: 'Hello' } }])
const right = { id: 'one', category: 'text_edit', slug: '/', message: 'Change it', expectedStatus: 'applied' }

const dataIn = (t: Test, rows: unknown, fixture: unknown = [page]): string =>
  folderWith(t, {
    'fixture.json': JSON.stringify(fixture),
    'cases/text.json': typeof rows === 'string' ? rows : JSON.stringify(rows),
  })

const problemsOf = (folder: string): Promise<readonly string[]> =>
  readDataSet(folder).then(
    () => [],
    (error: unknown) => (error instanceof EvalError ? error.problems : Promise.reject(error)),
  )

t.test('every problem of the data set is reported by file, id and path', async (t) => {
  const prop = { blockId: 'b_1', prop: 'quote' }
  const asserting = (each: object) => ({ assertions: [{ type: 'draft_unchanged' }, each] })
  const cases: readonly (readonly [more: object, problem: RegExp])[] = [
    [{ id: undefined }, /^cases\/text\.json, case number 1: id: /],
    [{ id: 'Text one' }, /case 'Text one': id: has other characters/],
    [{ expectedStatus: 'done' }, /case 'one': expectedStatus: expected one of applied, plan_ready/],
    [{ expectedOpType: ['update_props'] }, /expectedOpType: /],
    [asserting({ type: 'block_exists' }), /assertions\.1: needs a blockId or a blockType/],
    [asserting({ type: 'block_prop_matches', ...prop, pattern: '(' }), /pattern: is not a regular expr/],
    [
      { contentChecks: [{ type: 'max_word_count', prop: 'quote', maxWords: 3 }] },
      /contentChecks\.0: needs a blockId or a blockType, or summary/,
    ],
    [{ slug: '/shop' }, /slug: there is no page '\/shop'/],
    [{ activeBlockId: 'b_7' }, /activeBlockId: no page has a block 'b_7'/],
    [{ fixture: [pageOf('/')], forbiddenBlockIds: ['b_1'] }, /forbiddenBlockIds: no page has a block 'b_1'/],
  ]
  for (const [more, problem] of cases)
    t.match(await problemsOf(dataIn(t, [{ ...right, ...more }])), [problem], JSON.stringify(more))
  for (const [folder, ...problems] of [
    [dataIn(t, [7, right, right]), /case number 1: /, /case 'one': id: is a duplicate/],
    [dataIn(t, '[{'), /^text\.json cannot be read as JSON: /],
    [dataIn(t, [right], [{ ...page, blocks: 'none' }]), /^fixture\.json: 0\.blocks: /],
    [folderWith(t, { 'fixture.json': '[]' }), /^There are no cases in /],
  ] as const)
    t.match(await problemsOf(folder), problems)
})

t.test('cases are selected by tags and by id', async (t) => {
  const rows = [
    { ...right, id: 'text-one', tags: ['core'] },
    { ...right, id: 'text-two', tags: ['edge', 'model'] },
    { ...right, id: 'move-one', tags: ['edge'] },
  ]
  const { cases } = await readDataSet(dataIn(t, rows))
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
