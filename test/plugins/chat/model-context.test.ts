import t from 'tap'
import * as v from 'valibot'
import type { PlanningInput } from '../../../plugins/chat/types/planner.ts'
import { demoPages } from '../../../plugins/demo-site/pages/index.ts'
import type { Block, Page } from '../../../plugins/content/page.ts'
import { pageOf, siteManifest } from '../../helpers/content.ts'
import { inputFor, settingsWith, startPlanner } from '../../helpers/model-planner.ts'
import { planning, type SeenCall } from '../../helpers/model-server.ts'

const budget = 120 * 1024
const Shown = v.looseObject({ id: v.string(), cut: v.optional(v.literal(true)) })
const ShownPage = v.looseObject({ slug: v.optional(v.string(), ''), blocks: v.optional(v.array(Shown), []) })
const Pack = v.looseObject({ page: ShownPage, otherPages: v.array(ShownPage) })

const requestIn = (seen: SeenCall | undefined): string => seen?.body.messages.at(-1)?.content[0]?.text ?? ''

/** The data of a source in a request. */
function dataIn(seen: SeenCall | undefined, source = 'pages'): unknown {
  const marked = new RegExp(`<untrusted_data source="${source}">\\n(.*)\\n</untrusted_data>`).exec(
    requestIn(seen),
  )
  return JSON.parse(marked?.[1] ?? '{}')
}

const packIn = (seen: SeenCall | undefined) =>
  v.parse(v.object({ contextPack: Pack }), dataIn(seen)).contextPack

/** Every text in a value, with the rows of its lists. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const edit = (...ops: readonly object[]) => ({
  intent: 'edit_plan',
  summary_for_user: 'I will do it.',
  change_log: ops.map(() => 'Change it'),
  ops,
})
const update = (blockId: string, patch: object, pageSlug = '/') => ({
  op: 'update_props',
  pageSlug,
  blockId,
  patch,
})
const answer = { intent: 'content_answer', summary_for_user: 'It is so.', change_log: [], ops: [] }

/** What is sent for a message. */
async function sentFor(
  message: string,
  more: Partial<PlanningInput> = {},
  settings = settingsWith(),
): Promise<SeenCall | undefined> {
  const { plan, server } = await startPlanner(t, [planning(answer)], settings)
  await plan(inputFor(message, more))
  return server.seen[0]
}

const site = (...pages: readonly Page[]) => ({ draft: { version: 1, pages, config: {} } })
const richText = (id: string, body: string, title = `About ${id}`): Block => ({
  id,
  type: 'RichText',
  props: { title, body },
})
const long = (characters: number, word = 'boats '): string =>
  `${word.repeat(Math.ceil(characters / word.length)).slice(0, characters - 4)}END.`
const demoPage = (slug: string): Page => demoPages.find((page) => page.slug === slug) ?? pageOf(slug)
const hundred = pageOf(
  '/',
  Array.from({ length: 100 }, (_, n) => richText(`b_${n}`, long(2000, `text ${n} `))),
)

t.test('without a selection a model is shown every text that it is asked to rewrite', async (t) => {
  const cases: readonly (readonly [
    message: string,
    at: string,
    complete: readonly Pick<Page, 'blocks'>[],
  ])[] = [
    ['Make the banner text friendlier', '/', [demoPage('/')]],
    ['Shorten the answers of the FAQ', '/faq', [demoPage('/faq')]],
    ['Shorten the answers of the FAQ', '/', [demoPage('/'), demoPage('/faq')]],
    ['Shorten the answers to the questions', '/pricing', [{ blocks: demoPage('/faq').blocks.slice(0, 1) }]],
    ['Make b_cta_faq friendlier', '/', [{ blocks: demoPage('/faq').blocks.slice(1) }]],
    ['Fix all typos on every page', '/', demoPages],
    ['Correct the typos on all of our other pages', '/about', demoPages],
    ['Correct the typos of the whole site', '/about', demoPages],
    ['Make the texts of /services shorter.', '/', [demoPage('/services')]],
    ['Make the home page friendlier', '/about', [demoPage('/')]],
    ['Shorten the services and pricing pages', '/', [demoPage('/services'), demoPage('/pricing')]],
    ['Use the tone of the page "FAQ" here', '/', [demoPage('/faq')]],
  ]
  for (const [message, slug, complete] of cases) {
    const seen = await sentFor(message, { selection: { slug } })
    const shown = new Set(textsIn(dataIn(seen)))
    t.strictSame(
      complete.flatMap(({ blocks }) => textsIn(blocks)).filter((text) => !shown.has(text)),
      [],
      `${message} on ${slug}`,
    )
    t.notMatch(requestIn(seen), /"cut"|…/, 'nothing is cut')
    t.match(requestIn(seen), /"otherPages":\[\{.*"title"/, 'and other pages are known')
  }
})

t.test('rich text is shown complete on every page', async (t) => {
  const texts = [long(9000), long(30_000, 'Ü🥑 '), `<p>${long(5000)}</p>`]
  const pages = [
    pageOf('/', [richText('b_1', texts[0] ?? ''), richText('b_2', 'Short')]),
    pageOf('/more', [richText('b_3', texts[1] ?? ''), richText('b_4', texts[2] ?? '')]),
  ]
  const seen = await sentFor('Make the texts of all pages shorter', site(...pages))
  t.strictSame(
    texts.filter((text) => !textsIn(dataIn(seen)).includes(text)),
    [],
  )
  t.notMatch(requestIn(seen), '…')
})

t.test('other pages are shown by title and block types, and internal props are never shown', async (t) => {
  const wall = { id: 'b_wall', type: 'TeamWall', props: { title: 'Us', _rev: 'secret-revision', rows: [] } }
  const seen = await sentFor('Make the texts friendlier', {
    ...site(pageOf('/', [wall]), pageOf('/team', [wall, richText('b_r', 'Hidden')])),
    manifest: siteManifest,
  })
  t.match(packIn(seen), {
    page: { slug: '/', blocks: [{ id: 'b_wall', props: { title: 'Us' } }] },
    otherPages: [{ slug: '/team', title: String, blockTypes: ['TeamWall', 'RichText'], blocks: [] }],
  })
  t.notMatch(seen?.raw, /secret-revision|Hidden/)
})

t.test('the context has the selection, recent edits and settings', async (t) => {
  const recentEdits = [1, 2, 3, 4].map((n) => ({
    at: 'now',
    slug: n === 4 ? '/about' : '/',
    summary: `edit ${n}`,
    opTypes: ['add_block'],
    source: 'chat',
  }))
  const seen = await sentFor('Make it shorter', {
    selection: { slug: '/', blockId: 'b_hero_home', path: 'heading' },
    recentEdits,
  })
  t.match(packIn(seen), {
    selected: { blockId: 'b_hero_home', editablePath: 'heading' },
    recentSuccessfulEdits: [
      { summary: 'edit 1' },
      { summary: 'edit 2' },
      { summary: 'edit 3', ops: ['add_block'] },
    ],
    page: { meta: { title: String } },
    siteConfig: { name: 'Avocado Stories', derivedLabels: { '/': 'Home' } },
  })
})

t.test(
  'of a 200 KB page the blocks near the selection are complete, and cut blocks are marked',
  async (t) => {
    const seen = await sentFor('Make this shorter', {
      ...site(hundred, ...demoPages.slice(1)),
      selection: { slug: '/', blockId: 'b_90' },
    })
    const { page } = packIn(seen)
    const bytes = Buffer.byteLength(requestIn(seen))
    t.ok(bytes <= budget && bytes > budget * 0.9, `${bytes} bytes`)
    const complete = page.blocks.filter(({ cut }) => !cut)
    t.equal(page.blocks.length, 100)
    t.match(page.blocks[0], { id: 'b_0', cut: true, props: undefined, beginning: 'About b_0' })
    t.strictSame(
      complete.map(({ id }) => id),
      hundred.blocks.slice(-complete.length).map(({ id }) => id),
      'the farthest are cut',
    )
    t.strictSame(
      complete.map(({ props }) => props),
      hundred.blocks.slice(-complete.length).map(({ props }) => props),
    )

    const labels = Object.fromEntries(
      Array.from({ length: 3000 }, (_, n) => [`/p${n}`, `Label of page ${n}, which is long`]),
    )
    const labelled = await sentFor('Make this shorter', {
      draft: { version: 1, pages: [pageOf('/')], config: { name: 'Boats', navLabels: labels } },
    })
    t.strictSame(
      packIn(labelled)['siteConfig'],
      { name: 'Boats', cut: true },
      'site settings that are too long',
    )

    const named = await sentFor('Make b_0 and b_99 shorter', site(hundred))
    t.strictSame(
      packIn(named).page.blocks.filter(({ id, cut }) => ['b_0', 'b_99'].includes(id) && cut),
      [],
    )
  },
)

t.test('a large page does not displace a small one', async (t) => {
  const small = pageOf(
    '/prices',
    Array.from({ length: 5 }, (_, n) => richText(`b_small_${n}`, long(2000))),
    { title: 'Prices' },
  )
  for (const slug of ['/', '/prices']) {
    const { page, otherPages } = packIn(
      await sentFor('Improve the texts of / and of the prices', {
        ...site(hundred, small),
        selection: { slug },
      }),
    )
    t.match(
      [page, ...otherPages].find((each) => each.slug === '/prices')?.blocks.map(({ cut }) => cut),
      small.blocks.map(() => undefined),
      slug,
    )
  }
})

t.test('a long text is shown by its beginning, without splitting a character', async (t) => {
  const seen = await sentFor(
    'Make it shorter',
    site(pageOf('/', [richText('b_1', long(200_000), '🥑'.repeat(200))])),
  )
  t.match(packIn(seen).page.blocks, [{ id: 'b_1', cut: true, beginning: `${'🥑'.repeat(120)}…` }])
})

t.test('a request stays within its budget and is valid JSON for any draft', async (t) => {
  const many = Array.from({ length: 3000 }, (_, n) => pageOf(`/p${n}`, [richText(`b_p${n}`, long(300))]))
  const attachments = [1, 2, 3, 4].map((n) => ({
    mimeType: 'text/plain',
    name: `${n}.txt`,
    text: long(15_000),
  }))
  for (const requestBytes of [1024, 4096, 30_000, budget]) {
    for (const more of [site(hundred), site(...many), { ...site(hundred, ...many), attachments }]) {
      const seen = await sentFor(
        'Make the texts of all pages shorter',
        { ...more, selection: { slug: more.draft.pages[0]?.slug ?? '/', blockId: 'b_7' } },
        settingsWith({}, { requestBytes }),
      )
      const bytes = Buffer.byteLength(requestIn(seen))
      t.ok(bytes <= requestBytes, `${bytes} of ${requestBytes}`)
      t.ok(packIn(seen))
    }
  }
})

t.test('an attachment is shown, and marked where it is cut', async (t) => {
  const attachments = [
    { mimeType: 'text/plain', name: 'short.txt', text: 'All of it' },
    { mimeType: 'text/plain', name: 'long.txt', text: long(30_000) },
  ]
  t.match(dataIn(await sentFor('Use this', { attachments }), 'attachments'), [
    { name: 'short.txt', text: 'All of it', cut: undefined },
    { name: 'long.txt', text: /^(?:boats ){100}/, cut: true },
  ])
})

t.test('a plan that replaces a text that was cut is sent back once, and then refused', async (t) => {
  const faq = {
    id: 'b_faq',
    type: 'FAQAccordion',
    props: {
      title: 'Questions',
      items: Array.from({ length: 100 }, (_, n) => ({ id: `i${n}`, q: `Question ${n}?`, a: long(2000) })),
    },
  }
  const pages = site(pageOf('/', [richText('b_top', 'Hello'), faq, ...hundred.blocks]), {
    ...demoPage('/faq'),
    meta: { description: 'Ask us' },
  })
  const cases: Readonly<Record<string, readonly [op: object, path: string, texts: RegExp]>> = {
    'a cut block': [update('b_99', { title: 'Boats', body: 'Short.' }), 'block b_99', /: title, body$/],
    'a row of one': [
      {
        op: 'update_item',
        pageSlug: '/',
        blockId: 'b_faq',
        listKey: 'items',
        index: 3,
        patch: { a: 'Yes.' },
      },
      'block b_faq',
      /: items\[3\]\.a$/,
    ],
    'a list of one': [
      update('b_faq', { items: [{ q: 'Why?', a: 'So.' }] }),
      'block b_faq',
      /: items\[0\]\.q, items\[0\]\.a$/,
    ],
    'a block of a page that is not shown': [
      update('b_cta_faq', { title: 'Ask' }, '/faq'),
      'block b_cta_faq',
      /: title$/,
    ],
    'the metadata of that page': [
      { op: 'update_page_meta', pageSlug: '/faq', patch: { description: 'Better' } },
      'page /faq',
      /: description$/,
    ],
  }
  for (const [name, [op, path, message]] of Object.entries(cases)) {
    const { plan, server } = await startPlanner(t, [planning(edit(op))])
    const { error, outcome } = await plan(inputFor('Make it all friendlier', pages))
    t.match(
      error,
      {
        name: 'PlannerFailure',
        kind: 'unrepaired',
        details: { attempts: [/was not shown whole.*selected/] },
      },
      name,
    )
    t.equal(outcome, undefined)
    t.equal(server.seen.length, 2)
    t.match(dataIn(server.seen[1], 'problem'), [{ path, kind: 'not shown whole', message }], name)
    t.strictSame(dataIn(server.seen[1]), dataIn(server.seen[0]), 'and shown the same again')
  }
  const renamed = edit(
    { op: 'rename_page', pageSlug: '/faq', newPageSlug: '/questions' },
    update('b_cta_faq', { title: 'Ask' }, '/questions'),
  )
  const { plan } = await startPlanner(t, [planning(renamed)])
  t.match(
    (await plan(inputFor('Make it all friendlier', pages))).error,
    { kind: 'unrepaired' },
    'also under another address',
  )
})

t.test('a repair by shown texts, or a question instead, is accepted', async (t) => {
  const good = update('b_0', { body: 'Short.' })
  const repaired = await startPlanner(t, [
    planning(edit(good, update('b_99', { body: 'Made up.' }))),
    planning(edit(good)),
  ])
  t.match((await repaired.plan(inputFor('Make it shorter', site(hundred)))).outcome, {
    kind: 'plan',
    plan: { ops: [good] },
  })
  const asks = await startPlanner(t, [
    planning(edit(update('b_99', { body: 'Made up.' }))),
    planning({ ...answer, intent: 'needs_clarification', summary_for_user: 'Please select the last text.' }),
  ])
  t.match((await asks.plan(inputFor('Make it shorter', site(hundred)))).outcome, {
    kind: 'question',
    question: 'Please select the last text.',
  })
  const empty = await startPlanner(t, [
    planning(edit(update('b_99', { body: 'Made up.' }))),
    planning(edit()),
  ])
  t.match(
    (await empty.plan(inputFor('Make it shorter', site(hundred)))).error,
    { kind: 'unrepaired' },
    'an empty plan is not a repair',
  )
})

t.test('operations that replace no unseen text are valid on a cut block', async (t) => {
  const hero: Block = {
    id: 'b_last',
    type: 'Hero',
    props: {
      heading: 'H',
      subheading: '',
      ctaText: 'Go',
      ctaHref: '/',
      imageUrl: '/a.png',
      imageAlt: 'A',
      textAlign: 'left',
    },
  }
  const pages = site(
    pageOf('/', [...hundred.blocks, { ...hero, props: { ...hero.props, eyebrow: long(50_000) } }]),
  )
  for (const op of [
    update('b_last', { ctaHref: '/#top', textAlign: 'center' }),
    { op: 'move_block', pageSlug: '/', blockId: 'b_last', afterBlockId: 'b_0' },
    { op: 'remove_block', pageSlug: '/', blockId: 'b_99' },
  ]) {
    const { plan, server } = await startPlanner(t, [planning(edit(op))])
    t.match((await plan(inputFor('Change something', pages))).outcome, { kind: 'plan', plan: { ops: [op] } })
    t.equal(server.seen.length, 1, JSON.stringify(op))
  }
  const selected = await startPlanner(t, [planning(edit(update('b_99', { body: 'Short.' })))])
  t.match(
    (
      await selected.plan(
        inputFor('Make it shorter', { ...site(hundred), selection: { slug: '/', blockId: 'b_99' } }),
      )
    ).outcome,
    { kind: 'plan' },
    'a selected block is shown',
  )
})

t.test('pages that were shown in part are named, unless a block is selected', async (t) => {
  const many = Array.from({ length: 7 }, (_, n) => ({ ...hundred, id: `p_${n}`, slug: `/p${n}` }))
  const change = edit(update('b_0', { body: 'Short.' }))
  const cases: readonly (readonly [
    name: string,
    given: object,
    more: Partial<PlanningInput>,
    outcome: object,
  ])[] = [
    [
      'a plan',
      change,
      site(hundred),
      { kind: 'plan', plan: { remarks: [/^Only a part was looked at of \/, because/] } },
    ],
    ['an answer', answer, site(hundred), { kind: 'answer', findings: [/^Only a part/] }],
    ['many pages', answer, site(...many), { findings: [/ of \/p0, \/p1, \/p2, \/p3, \/p4 and 2 more,/] }],
    [
      'a selected block',
      change,
      { ...site(hundred), selection: { slug: '/', blockId: 'b_0' } },
      { plan: { remarks: undefined } },
    ],
  ]
  for (const [name, given, more, outcome] of cases) {
    const { plan } = await startPlanner(t, [planning(given)])
    t.match((await plan(inputFor('Improve the texts on all pages', more))).outcome, outcome, name)
  }
})
