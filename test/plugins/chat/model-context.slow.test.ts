import t from 'tap'
import * as v from 'valibot'
import type { PlanningInput } from '../../../plugins/chat/port.ts'
import { demoPages } from '../../helpers/demo-pages.ts'
import type { Block, Page } from '../../../plugins/content/page.ts'
import { pageOf, siteManifest } from '../../helpers/content.ts'
import { inputFor, settingsWith, startPlanner } from '../../helpers/model-planner.ts'
import { planning, type SeenCall } from '../../helpers/model-server.ts'
import { emptyList } from '../../helpers/plain.ts'

const budget = 120 * 1024
const Shown = v.looseObject({ id: v.string(), cut: v.optional(v.literal(true)) })
const ShownPage = v.looseObject({ slug: v.optional(v.string(), ''), blocks: v.optional(v.array(Shown), []) })
const Listed = v.object({ pageList: v.array(ShownPage), pagesLeftOut: v.optional(v.number()) })
const Shows = v.object({ pages: v.array(ShownPage) })

/** What a model is shown: the data of all turns of the person, and the request. */
const requestIn = (seen: SeenCall | undefined): string =>
  (seen?.body.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => (content[0]?.text ?? '').replace(/^[^]*?(?=<untrusted_data)/, ''))
    .join('\n\n')

/** The data of a source in a request. */
function dataIn(seen: SeenCall | undefined, source = 'pages'): unknown {
  const marked = new RegExp(`<untrusted_data source="${source}">\\n(.*)\\n</untrusted_data>`).exec(
    requestIn(seen),
  )
  return JSON.parse(marked?.[1] ?? '{}')
}

function packIn(seen: SeenCall | undefined) {
  const { pages } = v.parse(Shows, dataIn(seen))
  const [, slug] = /"slug":"([^"]*)"}$/.exec(requestIn(seen)) ?? []
  const page = pages.find((each) => each.slug === slug) ?? v.parse(ShownPage, {})
  const settings = v.parse(
    v.looseObject({ siteConfig: v.optional(v.unknown()) }),
    dataIn(seen, 'site settings'),
  )
  const selection = v.parse(v.looseObject({}), dataIn(seen, 'selection'))
  const list = v.parse(Listed, dataIn(seen, 'page list'))
  return { ...list, ...settings, ...selection, page, otherPages: pages.filter((each) => each !== page) }
}

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
const update = (blockId: string, patch: object, pageSlug = '/') =>
  ({ op: 'update_props', pageSlug, blockId, patch }) as const
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
  const faq = { ...demoPage('/faq') }
  const cases: readonly (readonly [message: string, at: string, ...complete: Pick<Page, 'blocks'>[]])[] = [
    ['Make the banner text friendlier', '/', demoPage('/')],
    ['Shorten the answers of the FAQ', '/faq', faq],
    ['Shorten the answers of the FAQ', '/', demoPage('/'), faq],
    ['Shorten the answers to the questions', '/pricing', { blocks: faq.blocks.slice(0, 1) }],
    ['Make b_cta_faq friendlier', '/', { blocks: faq.blocks.slice(1) }],
    ['Fix all typos on every page', '/', ...demoPages],
    ['Correct the typos on all of our other pages', '/about', ...demoPages],
    ['Correct the typos of the whole site', '/about', ...demoPages],
    ['Make the texts of /services shorter.', '/', demoPage('/services')],
    ['Make the home page friendlier', '/about', demoPage('/')],
    ['Shorten the services and pricing pages', '/', demoPage('/services'), demoPage('/pricing')],
    ['Use the tone of the page "FAQ" here', '/', faq],
  ]
  for (const [message, slug, ...complete] of cases) {
    const seen = await sentFor(message, { selection: { slug } })
    const shown = new Set(textsIn(dataIn(seen)))
    const texts = complete.flatMap(({ blocks }) => textsIn(blocks))
    t.strictSame(
      texts.filter((text) => !shown.has(text)),
      [],
      `${message} on ${slug}`,
    )
    t.notMatch(requestIn(seen), /"cut"|…/, 'nothing is cut')
    t.match(requestIn(seen), /"pageList":\[\{.*"title"/, 'and other pages are known')
  }
})

t.test('other pages are shown by title and block types, and internal props are never shown', async (t) => {
  const wall = { id: 'b_wall', type: 'TeamWall', props: { title: 'Us', _rev: 'secret-revision', rows: [] } }
  const seen = await sentFor('Make the texts friendlier', {
    ...site(pageOf('/', [wall]), pageOf('/team', [wall, richText('b_r', 'Hidden')])),
    manifest: siteManifest,
  })
  t.match(packIn(seen), {
    page: { slug: '/', blocks: [{ id: 'b_wall', props: { title: 'Us' } }] },
    pageList: [
      { slug: '/' },
      { slug: '/team', title: String, blockTypes: ['TeamWall', 'RichText'], blocks: emptyList },
    ],
    otherPages: emptyList,
  })
  t.notMatch(seen?.raw, /secret-revision|Hidden/)
})

t.test('the context has the selection, recent edits and settings', async (t) => {
  const edited = { at: 'now', opTypes: ['add_block'], source: 'chat' }
  const recentEdits = [1, 2, 3, 4].map((n) => ({
    ...edited,
    slug: n === 4 ? '/about' : '/',
    summary: `edit ${n}`,
  }))
  const selection = { slug: '/', blockId: 'b_hero_home', path: 'heading' }
  const config = { name: 'Avocado Stories', navLabels: { '/faq': 'Questions' } }
  const draft = { version: 1, pages: demoPages, config }
  const seen = await sentFor('Make it shorter', { selection, recentEdits, draft })
  t.match(packIn(seen), {
    selected: { blockId: 'b_hero_home', editablePath: 'heading' },
    recentSuccessfulEdits: [{ summary: 'edit 1' }, {}, { summary: 'edit 3', ops: ['add_block'] }],
    page: { meta: { title: String } },
  })
  t.strictSame(packIn(seen).siteConfig, config, 'without the labels that follow from the addresses')
})

t.test('of a 200 KB page the blocks near the selection are complete, and cut ones are marked', async (t) => {
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
  const nearest = hundred.blocks.slice(-complete.length)
  const shownOf = ({ id, props }: { readonly id: string; readonly props?: unknown }) => ({ id, props })
  t.strictSame(complete.map(shownOf), nearest.map(shownOf), 'the farthest are cut')

  const pageLabels = Array.from({ length: 3000 }, (_, n) => [`/p${n}`, `Label of page ${n}, which is long`])
  const config = { name: 'Boats', navLabels: Object.fromEntries(pageLabels) }
  const labelled = await sentFor('Make this shorter', { draft: { version: 1, pages: [pageOf('/')], config } })
  t.strictSame(packIn(labelled).siteConfig, { name: 'Boats', cut: true }, 'settings that are too long')

  const { page: named } = packIn(await sentFor('Make b_0 and b_99 shorter', site(hundred)))
  t.notOk(named.blocks.some(({ id, cut }) => ['b_0', 'b_99'].includes(id) && cut))
})

t.test('a large page does not displace a small one', async (t) => {
  const texts = Array.from({ length: 5 }, (_, n) => richText(`b_small_${n}`, long(2000)))
  const pages = site(hundred, pageOf('/prices', texts, { title: 'Prices' }))
  for (const slug of ['/', '/prices']) {
    const message = 'Improve the texts of / and of the prices'
    const { page, otherPages } = packIn(await sentFor(message, { ...pages, selection: { slug } }))
    const small = [page, ...otherPages].find((each) => each.slug === '/prices')
    t.match(
      small?.blocks.map(({ cut }) => cut),
      texts.map(() => undefined),
      slug,
    )
  }
})

t.test('a long text is shown by its beginning, without splitting a character', async (t) => {
  const text = richText('b_1', long(200_000), '🥑'.repeat(200))
  const seen = await sentFor('Make it shorter', site(pageOf('/', [text])))
  t.match(packIn(seen).page.blocks, [{ id: 'b_1', cut: true, beginning: `${'🥑'.repeat(120)}…` }])
})

t.test('a request stays within its budget and is valid JSON for any draft', async (t) => {
  const many = Array.from({ length: 3000 }, (_, n) => pageOf(`/p${n}`, [richText(`b_p${n}`, long(300))]))
  const file = { mimeType: 'text/plain', text: long(15_000) }
  const attachments = [1, 2, 3, 4].map((n) => ({ ...file, name: `${n}.txt` }))
  for (const requestBytes of [1024, 4096, 30_000, budget]) {
    for (const more of [site(hundred), site(...many), { ...site(hundred, ...many), attachments }]) {
      const selection = { slug: more.draft.pages[0]?.slug ?? '/', blockId: 'b_7' }
      const settings = settingsWith({}, { requestBytes })
      const seen = await sentFor('Shorten the texts of all pages', { ...more, selection }, settings)
      const bytes = Buffer.byteLength(requestIn(seen))
      t.ok(bytes <= requestBytes, `${bytes} of ${requestBytes}`)
      t.ok(packIn(seen))
    }
  }
})

t.test('a plan that replaces a text that was cut is sent back once, and then refused', async (t) => {
  const items = Array.from({ length: 100 }, (_, n) => ({ id: `i${n}`, q: `Question ${n}?`, a: long(2000) }))
  const faq = { id: 'b_faq', type: 'FAQAccordion', props: { title: 'Questions', items } }
  const other = { ...demoPage('/faq'), meta: { description: 'Ask us' } }
  const pages = site(pageOf('/', [richText('b_top', 'Hello'), faq, ...hundred.blocks]), other)
  const row = { op: 'update_item', pageSlug: '/', blockId: 'b_faq', listKey: 'items', index: 3 }
  const rows = [{ q: 'Why?', a: 'So.' }]
  const meta = { op: 'update_page_meta', pageSlug: '/faq', patch: { description: 'Better' } }
  const cases: readonly (readonly [op: object, path: string, texts: RegExp])[] = [
    [update('b_99', { title: 'Boats', body: 'Short.' }), 'block b_99', /: title, body$/],
    [{ ...row, patch: { a: 'Yes.' } }, 'block b_faq', /: items\[3\]\.a$/],
    [update('b_faq', { items: rows }), 'block b_faq', /: items\[0\]\.q, items\[0\]\.a$/],
    [update('b_cta_faq', { title: 'Ask' }, '/faq'), 'block b_cta_faq', /: title$/],
    [meta, 'page /faq', /: description$/],
  ]
  const message = 'Make it all friendlier'
  for (const [op, path, texts] of cases) {
    const { plan, server } = await startPlanner(t, [planning(edit(op))])
    const { error, outcome } = await plan(inputFor(message, pages))
    const details = { attempts: [/was not shown whole.*selected/] }
    t.match(error, { name: 'PlannerFailure', kind: 'unrepaired', details }, path)
    t.equal(outcome, undefined)
    t.equal(server.seen.length, 2)
    t.match(dataIn(server.seen[1], 'problem'), [{ path, kind: 'not shown whole', message: texts }], path)
    t.strictSame(dataIn(server.seen[1]), dataIn(server.seen[0]), 'and shown the same again')
  }
  const renamed = edit(
    { op: 'rename_page', pageSlug: '/faq', newPageSlug: '/questions' },
    update('b_cta_faq', { title: 'Ask' }, '/questions'),
  )
  const { plan } = await startPlanner(t, [planning(renamed)])
  t.match((await plan(inputFor(message, pages))).error, { kind: 'unrepaired' }, 'under another address')
})

t.test('a repair by shown texts, or a question instead, is accepted', async (t) => {
  const [good, bad] = [update('b_0', { body: 'Short.' }), update('b_99', { body: 'Made up.' })]
  const run = async (...plans: readonly object[]) => {
    const { plan } = await startPlanner(
      t,
      plans.map((each) => planning(each)),
    )
    return plan(inputFor('Make it shorter', site(hundred)))
  }
  t.match((await run(edit(good, bad), edit(good))).outcome, { kind: 'plan', plan: { ops: [good] } })
  const question = 'Please select the last text.'
  const asks = { ...answer, intent: 'needs_clarification', summary_for_user: question }
  t.match((await run(edit(bad), asks)).outcome, { kind: 'question', question })
  t.match((await run(edit(bad), edit())).error, { kind: 'unrepaired' }, 'an empty plan is not a repair')
})

t.test('operations that replace no unseen text are valid on a cut block', async (t) => {
  const texts = { heading: 'H', subheading: '', ctaText: 'Go', imageAlt: 'A', eyebrow: long(50_000) }
  const props = { ...texts, ctaHref: '/', imageUrl: '/a.png', textAlign: 'left' }
  const pages = site(pageOf('/', [...hundred.blocks, { id: 'b_last', type: 'Hero', props }]))
  for (const op of [
    update('b_last', { ctaHref: '/#top', textAlign: 'center' }),
    { op: 'move_block', pageSlug: '/', blockId: 'b_last', afterBlockId: 'b_0' },
    { op: 'remove_block', pageSlug: '/', blockId: 'b_99' },
  ]) {
    const { plan, server } = await startPlanner(t, [planning(edit(op))])
    t.match((await plan(inputFor('Change something', pages))).outcome, { kind: 'plan', plan: { ops: [op] } })
    t.equal(server.seen.length, 1, JSON.stringify(op))
  }
  const { plan } = await startPlanner(t, [planning(edit(update('b_99', { body: 'Short.' })))])
  const selection = { slug: '/', blockId: 'b_99' }
  const { outcome } = await plan(inputFor('Make it shorter', { ...site(hundred), selection }))
  t.match(outcome, { kind: 'plan' }, 'a selected block is shown')
})

t.test('pages that were shown in part are named, unless a block is selected', async (t) => {
  const many = Array.from({ length: 7 }, (_, n) => ({ ...hundred, id: `p_${n}`, slug: `/p${n}` }))
  const change = edit(update('b_0', { body: 'Short.' }))
  const selected = { ...site(hundred), selection: { slug: '/', blockId: 'b_0' } }
  const remarks = [/^Only a part was looked at of \/, because/]
  const some = [/ of \/p0, \/p1, \/p2, \/p3, \/p4 and 2 more,/]
  const cases: readonly (readonly [name: string, given: object, Partial<PlanningInput>, outcome: object])[] =
    [
      ['a plan', change, site(hundred), { kind: 'plan', plan: { remarks } }],
      ['an answer', answer, site(hundred), { kind: 'answer', findings: [/^Only a part/] }],
      ['many pages', answer, site(...many), { findings: some }],
      ['a selected block', change, selected, { plan: { remarks: undefined } }],
    ]
  for (const [name, given, more, outcome] of cases) {
    const { plan } = await startPlanner(t, [planning(given)])
    t.match((await plan(inputFor('Improve the texts on all pages', more))).outcome, outcome, name)
  }
})

t.test(
  'a text is replaced on all pages by one operation of the plan, also where nothing was shown',
  async (t) => {
    const faq = {
      id: 'b_faq',
      type: 'FAQAccordion',
      props: { items: [{ id: 'i1', q: 'Boats?', a: 'Our boats.' }] },
    }
    const many = Array.from({ length: 3000 }, (_, n) =>
      pageOf(
        n === 0 ? '/' : `/p${n}`,
        n === 7
          ? [faq]
          : [richText(`b_${n}`, n % 20 === 0 ? 'See [boats](/boats): our boats.' : 'Steamboats')],
      ),
    )
    const replacing = { op: 'replace_text', find: 'boats', replace: 'kayaks' }
    const plans = async (op: object, pages = many) => {
      const { plan, server } = await startPlanner(t, [planning(edit(op))])
      const { outcome, error } = await plan(inputFor('Call our boats kayaks everywhere', site(...pages)))
      return { outcome, error, calls: server.seen.length, raw: server.seen[0]?.raw ?? '' }
    }
    const { outcome, calls, raw } = await plans(replacing)
    t.ok(Buffer.byteLength(raw) < 2 * budget && !raw.includes('/p2900'), 'most pages were not shown')
    t.equal(calls, 1, 'the plan is not sent back')
    t.match(outcome, { kind: 'plan', plan: { remarks: undefined } })
    const ops = outcome?.kind === 'plan' ? outcome.plan.ops : []
    t.equal(ops.length, 151)
    t.match(ops.at(-1), update('b_2980', { body: 'See [kayaks](/boats): our kayaks.' }, '/p2980'))
    const row = { op: 'update_item', pageSlug: '/p7', blockId: 'b_faq', listKey: 'items', index: 0 }
    t.strictSame(
      ops.filter(({ op }) => op === 'update_item'),
      [{ ...row, patch: { a: 'Our kayaks.' } }],
    )

    const one = await plans({ ...replacing, pageSlug: '/p20' })
    t.match(one.outcome, { kind: 'plan', plan: { ops: [{ pageSlug: '/p20' }] } })
    const all = await plans({ ...replacing, find: 'Steamboats' })
    t.match(all.outcome, { plan: { ops: { length: 200 }, remarks: [/^The text is in 2649 more/] } })
    t.match((await plans({ ...replacing, find: 'ships' })).outcome, { kind: 'unchanged' })
    for (const wrong of [{ find: ' ' }, { find: 7 }, { replace: 'x'.repeat(501) }, { pageSlug: '/gone' }])
      t.match(
        (await plans({ ...replacing, ...wrong })).error,
        { kind: 'unrepaired' },
        JSON.stringify(wrong).slice(0, 40),
      )
  },
)
