import t from 'tap'
import * as v from 'valibot'
import { contractsOf, createPlanTool } from '../../../plugins/chat/model/testing.ts'
import { createMeter } from '../../../plugins/chat/testing.ts'
import { demoPages } from '../../helpers/demo-pages.ts'
import { operations } from '../../../plugins/content/operations/index.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import { costOf, defaultPrices } from '../../../plugins/models/port.ts'
import { pageOf, siteManifest } from '../../helpers/content.ts'
import { inputFor, settingsWith, startPlanner } from '../../helpers/model-planner.ts'
import { planning } from '../../helpers/model-server.ts'

const edit = {
  intent: 'edit_plan',
  summary_for_user: 's',
  change_log: ['x'],
  ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_hero_home', patch: { heading: 'x' } }],
}

const Sent = v.object({ tools: v.unknown(), system: v.unknown(), messages: v.unknown() })

/** The bytes of a request up to the mark of a number, from 1; the order is that of the provider: tools, system, messages. */
function upTo(mark: number, raw: string): string {
  const { tools, system, messages } = v.parse(Sent, JSON.parse(raw))
  const text = JSON.stringify([tools, system, messages])
  const ends = [...text.matchAll(/"cache_control":\{[^}]*\}/g)].map(
    ({ index, 0: match }) => index + match.length,
  )
  const end = ends[mark - 1]
  if (end === undefined) throw new Error(`there is no mark ${mark}`)
  return text.slice(0, end)
}

t.test('calls that differ only in the request have the same bytes up to the third cache mark', async (t) => {
  const { plan, server } = await startPlanner(t, [planning(edit)])
  const history = [
    { role: 'person', text: 'Before' },
    { role: 'assistant', text: 'I will do it.' },
  ] as const
  const then = [{ role: 'person', text: 'And then' }] as const
  const selection = { slug: '/about', blockId: demoPages[3]?.blocks[0]?.id, path: 'heading' }
  const recentEdits = [{ at: 'now', slug: '/', summary: 's', opTypes: ['add_block'], source: 'chat' }]
  const attachments = [{ mimeType: 'text/plain', text: 'a' }]
  const rest = { findsImages: true, tier: 'balanced', open: { message: 'which?' } } as const
  await plan(inputFor('Make the heading shorter', { history }))
  await plan(inputFor('Übersetze die Seite', { locale: 'de', selection, history: [...history, ...then] }))
  await plan(inputFor('Restructure this page', { ...rest, recentEdits, attachments, history }))
  const [first, ...others] = server.seen.map(({ raw }) => raw)
  t.ok(others.length >= 2)
  const known = upTo(3, first ?? '')
  t.ok(known.length > 10_000, `${known.length} characters`)
  for (const raw of others) t.equal(upTo(3, raw), known)
  t.equal(first?.split('"cache_control"').length, 5, 'the fourth mark is behind the pages')
  t.match(upTo(4, first ?? '').slice(-120), /<\/untrusted_data>/)
})

/** The share of the bytes of a request with which the one before began as well, in the order of the provider. */
function sharedWith(before: string, raw: string): number {
  const [one, two] = [before, raw].map((each) => {
    const { tools, system, messages } = v.parse(Sent, JSON.parse(each))
    return Buffer.from(JSON.stringify([tools, system, messages]))
  })
  if (!one || !two) return 0
  const at = two.findIndex((byte, index) => byte !== one[index])
  return (at < 0 ? two.length : at) / two.length
}

t.test('two messages in a row begin with the same 90 % of their bytes at 3,000 pages', async (t) => {
  const text = (n: number) => ({
    id: `b_${n}`,
    type: 'RichText',
    props: {
      title: `About ${n}`,
      body: 'We lend boats on the lake, by the hour and by the day. '.repeat(15),
    },
  })
  const blocks = (n: number) => [text(n), text(n + 10_000), text(n + 20_000)]
  const before = Array.from({ length: 3000 }, (_, n) =>
    pageOf(n === 0 ? '/' : `/boats/number-${n}`, blocks(n), { title: `Boat number ${n}` }),
  )
  const slug = '/boats/number-20'
  const after = before.map((page) =>
    page.slug === slug
      ? { ...page, blocks: [{ ...text(20), props: { title: 'Boats' } }, ...page.blocks.slice(1)] }
      : page,
  )
  const draft = { version: 1, pages: before, config: { name: 'Boats', navLabels: { [slug]: 'Boat 20' } } }
  const recentEdits = [{ at: 'now', slug, summary: 's', opTypes: ['update_props'], source: 'chat' }]
  const history = [
    { role: 'person', text: 'Call this "Boats"' },
    { role: 'assistant', text: 'I will change the title.' },
  ] as const
  const repair = {
    ...edit,
    ops: [{ op: 'update_props', pageSlug: slug, blockId: 'b_gone', patch: { title: 'x' } }],
  }
  const good = { ...edit, ops: [{ ...edit.ops[0], pageSlug: slug, blockId: 'b_20', patch: { title: 'x' } }] }
  const { plan, server } = await startPlanner(t, [planning(good), planning(repair), planning(good)])
  const first = { slug, blockId: 'b_20', path: 'title' }
  await plan(inputFor('Call this "Boats"', { draft, selection: first }))
  const then = { history, recentEdits, selection: { slug, blockId: 'b_10020' }, locale: 'de' }
  await plan(
    inputFor('Und hier den Text etwas kürzer', { draft: { ...draft, version: 2, pages: after }, ...then }),
  )
  const [one = '', two = '', repaired = ''] = server.seen.map(({ raw }) => raw)
  const [next, again] = [sharedWith(one, two), sharedWith(two, repaired)]
  t.comment(`${Math.round(next * 100)} % of the next message, ${Math.round(again * 100)} % of a repair`)
  t.ok(next >= 0.9, `${next} of the next message`)
  t.ok(again >= 0.9, `${again} of a repair`)
  t.equal(server.seen.length, 3)
  t.ok(upTo(4, two).length > 0.9 * upTo(4, one).length)
})

t.test('what another person asked before is said to be of another person', async (t) => {
  const { plan, server } = await startPlanner(t, [planning(edit)])
  const history = [
    { role: 'person', text: 'Translate the pricing page', isOfOther: true },
    { role: 'assistant', text: 'Done.', isOfOther: true },
    { role: 'person', text: 'Add a team page' },
    { role: 'assistant', text: 'Done.' },
  ] as const
  await plan(inputFor('Make it shorter', { history }))
  const { messages } = v.parse(
    v.looseObject({ messages: v.array(v.unknown()) }),
    JSON.parse(server.seen[0]?.raw ?? ''),
  )
  t.match(
    JSON.stringify(messages[2]),
    /Another person at this draft asked .* never refer to it\."?[^]*Translate the pricing page/,
  )
  t.match(JSON.stringify(messages[4]), /"text":"Add a team page"/)
})

t.test('only another site changes the part up to the third cache mark', async (t) => {
  const { plan, server } = await startPlanner(t, [planning(edit)])
  await plan(inputFor('x y'))
  const draft = { version: 1, pages: demoPages, config: { name: 'Other', tone: 'dry' } }
  await plan(inputFor('x y', { draft, manifest: siteManifest }))
  const [one = '', two = ''] = server.seen.map(({ raw }) => raw)
  t.equal(upTo(2, one), upTo(2, two))
  t.not(upTo(3, one), upTo(3, two))
})

t.test('the tool has the schema of each operation, byte for byte the same every time', async (t) => {
  const [one, two] = [await createPlanTool(), await createPlanTool()]
  t.equal(JSON.stringify(one), JSON.stringify(two))
  t.strictSame(Object.keys(one.input).toSorted(), Object.keys(one.input), 'keys are sorted')
  const Variant = v.object({ properties: v.looseObject({ op: v.object({ const: v.string() }) }) })
  const Items = v.object({ oneOf: v.array(Variant) })
  const Ops = v.object({ properties: v.object({ ops: v.object({ items: Items }) }) })
  const variants = v.parse(Ops, one.input).properties.ops.items.oneOf
  t.strictSame(
    variants.map(({ properties }) => properties.op.const).toSorted(),
    [...operations.keys(), 'replace_text'].toSorted(),
  )
})

t.test('contracts omit internal props, and mark references as read-only and pinned types', (t) => {
  const contracts = contractsOf(builtinRegistry, siteManifest)
  const wall = contracts.find(({ type }) => type === 'TeamWall')
  t.notOk(wall?.props['_rev'])
  t.match(wall?.props['office'], { kind: 'reference', readOnly: true })
  t.match(wall?.props['rows'], { discriminator: 'kind', rowsBy: { person: { profile: { readOnly: true } } } })
  const contractOf = (wanted: string) => contracts.find(({ type }) => type === wanted)
  t.match(contractOf('Footer'), { pinned: true })
  t.match(contractOf('Hero')?.props['imagePosition'], { options: ['left', 'right', 'full'] })
  t.end()
})

t.test('the part for one request says what is selected, what can be done, and the language', async (t) => {
  const { plan, server } = await startPlanner(t, [planning(edit)])
  const strict = settingsWith({ CHAT_STRICT_PRIMARY_OP_MODE: 'on' })
  const limited = await startPlanner(t, [planning(edit)], strict)
  const at = { slug: '/', blockId: 'b_hero_home' }
  await plan(inputFor('Translate everything', { locale: 'de-AT' }))
  await plan(inputFor('Translate everything', { selection: at, findsImages: true }))
  await plan(inputFor('Translate everything', { locale: 'sv', selection: { ...at, path: 'heading' } }))
  await limited.plan(inputFor('Translate everything'))
  const parts = [...server.seen, ...limited.server.seen].map(
    ({ body }) => body.messages.at(-1)?.content[0]?.text,
  )
  const expected = [
    /in German\..*Nothing is selected.*neither looked for nor made/s,
    /in English\..*A block is selected.*New images can be looked for\./s,
    /in the language with the code sv\..*A field is selected/s,
    /Plan exactly one operation, unless the request plainly takes several\./,
  ]
  t.equal(parts.length, 4)
  for (const [at, part] of parts.entries()) t.match(part, expected[at])
  for (const part of parts.slice(0, 3)) t.notMatch(part, /exactly one operation/)
})

t.test('the meter adds up calls, with separate prices for cached tokens', (t) => {
  const million = 1_000_000
  const cached = { cacheCreationInputTokens: million, cacheReadInputTokens: million }
  const spending = { model: 'claude-sonnet-4-6', inputTokens: million, outputTokens: 100_000, ...cached }
  t.equal(costOf(spending, defaultPrices), 3 + 1.5 + 3.75 + 0.3)
  const longest = { prefix: 'claude-sonnet-4', input: 1, output: 10, cacheWrite: 2, cacheRead: 0.5 }
  const prices = [{ prefix: 'claude-sonnet', input: 9, output: 9 }, longest]
  t.equal(costOf(spending, prices), 1 + 1 + 2 + 0.5, 'the longest prefix wins')
  const meter = createMeter(defaultPrices)
  meter.add(spending)
  meter.add({ ...spending, model: 'claude-haiku-4-5', cacheCreationInputTokens: 0, cacheReadInputTokens: 0 })
  const total = meter.total()
  const tokens = { inputTokens: 2 * million, outputTokens: 200_000, totalTokens: 2_200_000, ...cached }
  t.match(total, { calls: 2, ...tokens })
  t.ok(Math.abs((total.estimatedUsd ?? 0) - (8.55 + 1.5)) < 1e-9)
  meter.add({ ...spending, model: 'unheard-of' })
  t.equal(meter.total().estimatedUsd, null)
  t.end()
})
