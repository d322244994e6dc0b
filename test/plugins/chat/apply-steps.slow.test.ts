import { cpSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { toApplySettings } from '../../../plugins/chat/apply-settings.ts'
import { boatAbout, boatHome, richText } from '../../helpers/boats.ts'
import { checkOrder, follower, inParts, planParts, type StreamEvent } from '../../helpers/followed-chat.ts'
import { ending, failing, opening, planning, prose, sending, startModelServer, type Script } from '../../helpers/model-server.ts'
import { bodyOf, startStack, temporaryFolder, versionIn } from '../../helpers/stack.ts'

const startPages = [boatHome('We lend boats.', richText('b_more', 'More', 'All day.')), boatAbout]
const heading = (text: string) => ({ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { heading: text } })
const body = (text: string, blockId = 'b_text', pageSlug = '/') => ({ op: 'update_props', pageSlug, blockId, patch: { body: text } })
const remove = (blockId: string) => ({ op: 'remove_block', pageSlug: '/', blockId })
const friendlier = 'Make it all friendlier'
const both = 'Make / and /about friendlier'
const threeClauses = 'Change the headline to "One", move the hero to the bottom and add a FAQ'

const typesOf = (events: readonly StreamEvent[]): readonly string[] => events.map(({ type }) => type)
/** The events about changes of the draft, and the last event. */
const changesIn = (events: readonly StreamEvent[]): readonly string[] =>
  events.flatMap(({ type, index, total, previewVersion, restoredVersion, appliedCount }) => {
    if (type === 'op_applied') return `applied ${index}/${total} ${previewVersion}`
    if (type === 'op_skipped') return `skipped ${index}/${total}`
    if (type === 'rollback_started') return `rollback of ${appliedCount}`
    if (type === 'rollback_done') return `restored ${restoredVersion}`
    return type === 'final' || type === 'error' || type === 'canceled' ? type : []
  })

interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly dataDir?: string
}

/** The complete service with a draft and, optionally, a scripted model. */
async function openService(t: Test, scripts: readonly Script[] = [], { env = {}, dataDir }: Options = {}) {
  const model = await startModelServer(t)
  model.script(...scripts)
  const known = scripts.length > 0 ? { ANTHROPIC_API_KEY: 'sk-ant-test', ANTHROPIC_BASE_URL: model.origin } : {}
  const stack = await startStack(t, { ...(dataDir !== undefined && { dataDir }), env: { CHAT_STREAM_APPLY_MIN_STEP_MS: '0', ...known, ...env } })
  const client = follower(t, stack)
  if (dataDir === undefined) await client.edit.bootstrap(startPages)
  const { edit } = client
  const shown = async (): Promise<readonly unknown[]> => (await edit.page('/')).blocks.map(({ props }) => props['heading'] ?? props['body'])
  const log = async () => Object((await edit.get('/history/log')).json()).entries
  return { model, stack, shown, log, ...client }
}

/** Gates at which a model waits until the test opens them. */
function gates() {
  const open = new Map<number, () => void>()
  const waits = [1, 2, 3, 4].map((part) => new Promise<void>((resolve) => open.set(part, resolve)))
  return { go: (part: number) => waits[part - 1] ?? Promise.resolve(), open: (part: number) => open.get(part)?.() }
}

t.test('a plan by rules is applied operation by operation for a streamed run, and is one undo', async (t) => {
  const { follow, edit, log } = await openService(t)
  const before = await edit.page('/')
  const events = await (await follow(threeClauses)).ended()
  t.same(changesIn(events), ['applied 1/3 2', 'applied 2/3 3', 'applied 3/3 4', 'final'])
  const applied = events.filter(({ type }) => type === 'op_applied')
  t.match(applied, [{ op: { op: 'update_props' }, focusBlockId: 'b_hero' }, { op: { op: 'move_block' } }, { op: { op: 'add_block' } }])
  t.ok(typesOf(events).indexOf('plan_meta') < typesOf(events).indexOf('op_applied'))
  const { result } = events.at(-1) ?? {}
  t.match(result, { status: 'applied', previewVersion: 4, summary: 'Made 3 changes.', undoSlug: '/', changes: [/One/, /Moved/, /FAQ/], debug: { opCount: 3 } })
  t.equal(result?.focusBlockId, Object(Object(applied[2])['op']).block.id, 'the focus of the complete plan')
  t.same(result?.debug.timeline?.map(({ stage }) => stage), ['request_received', 'plan_ready', 'first_op_applied', 'done'])
  t.match(await log(), [{ version: 1 }, { version: 4, summary: 'Made 3 changes.', opCount: 3, opTypes: ['update_props', 'move_block', 'add_block'], source: 'chat', actor: { kind: 'person', id: 'anyone' } }])
  t.equal((await log()).length, 2)

  const after = await edit.page('/')
  t.match(await bodyOf(edit.undo('/')), { previewVersion: 5, canUndo: false, canRedo: true })
  t.same((await edit.page('/')).blocks, before.blocks)
  t.match(await bodyOf(edit.redo('/')), { previewVersion: 6, canUndo: true, canRedo: false })
  t.same((await edit.page('/')).blocks, after.blocks)
})

t.test('a request is stored in the history once, however many steps it took', async (t) => {
  const { follow, model } = await openService(t, [planning({ intent: 'content_answer', summary_for_user: 'It is friendly.', change_log: [], ops: [] })])
  t.same(changesIn(await (await follow(threeClauses)).ended()).length, 4)
  await (await follow(friendlier)).ended()
  const messages = model.seen[0]?.body.messages.map(({ role, content }) => `${role}: ${content[0]?.text ?? ''}`)
  t.match(messages, [`user: ${threeClauses}`, /^assistant: Made 3 changes/, /^user: .*friendlier/s])
  t.equal(messages?.length, 3)
})

t.test('without a stream, or with stepwise apply off, a plan is one change', async (t) => {
  const { edit, follow, shown } = await openService(t)
  const answer = await edit.send('/chat', { slug: '/', message: threeClauses })
  t.equal(versionIn(answer), 2)
  t.equal((await shown()).length, 4)

  const off = await openService(t, [], { env: { CHAT_INCREMENTAL_APPLY: '0' } })
  t.same(changesIn(await (await off.follow(threeClauses)).ended()), ['final'])
  t.equal(await off.edit.version(), 2)
  t.same(changesIn(await (await follow('Change the headline to "Alone"')).ended()), ['applied 1/1 3', 'final'])
})

t.test('the variable sets the minimum time between steps', async (t) => {
  for (const [value, least] of [['150', 300], ['nonsense', 520]] as const) {
    const { follow } = await openService(t, [], { env: { CHAT_STREAM_APPLY_MIN_STEP_MS: value } })
    const began = performance.now()
    await (await follow(threeClauses)).ended()
    const took = performance.now() - began
    t.ok(took >= least, `${value}: ${took}`)
  }
})

t.test('invalid values leave the defaults, and are reported', (t) => {
  const usual = { CHAT_INCREMENTAL_APPLY: 'on', CHAT_STREAMED_OP_APPLY: 'on', CHAT_STREAM_APPLY_MIN_STEP_MS: '260' }
  const both = { isStepwise: true, isEarly: true }
  for (const [env, expected, warned] of [
    [{}, { ...both, stepMs: 260 }, []],
    [{ CHAT_STREAM_APPLY_MIN_STEP_MS: '0' }, { ...both, stepMs: 0 }, []],
    [{ CHAT_STREAM_APPLY_MIN_STEP_MS: ' 2000 ' }, { ...both, stepMs: 2000 }, []],
    [{ CHAT_STREAM_APPLY_MIN_STEP_MS: '9999' }, { ...both, stepMs: 2000 }, []],
    [{ CHAT_STREAM_APPLY_MIN_STEP_MS: '-1' }, { ...both, stepMs: 260 }, ['CHAT_STREAM_APPLY_MIN_STEP_MS']],
    [{ CHAT_STREAM_APPLY_MIN_STEP_MS: 'soon' }, { ...both, stepMs: 260 }, ['CHAT_STREAM_APPLY_MIN_STEP_MS']],
    [{ CHAT_STREAMED_OP_APPLY: 'No' }, { isStepwise: true, isEarly: false, stepMs: 260 }, []],
    [{ CHAT_INCREMENTAL_APPLY: '0' }, { isStepwise: false, isEarly: false, stepMs: 260 }, []],
    [{ CHAT_INCREMENTAL_APPLY: 'perhaps', CHAT_STREAMED_OP_APPLY: '2' }, { ...both, stepMs: 260 }, ['CHAT_INCREMENTAL_APPLY', 'CHAT_STREAMED_OP_APPLY']],
  ] as const) {
    const warnings: string[] = []
    t.strictSame(toApplySettings({ ...usual, ...env }, (variable) => warnings.push(variable)), expected, JSON.stringify(env))
    t.strictSame(warnings.toSorted(), warned, JSON.stringify(env))
  }
  t.end()
})

t.test('a plan with a page operation is one change, and a held plan emits none', async (t) => {
  const { follow, edit, shown } = await openService(t)
  t.same(changesIn(await (await follow('Rename this page to "Start"')).ended()), ['final'])
  t.equal(await edit.version(), 2)

  const held = await (await follow('Remove the page /about')).ended()
  t.same([changesIn(held), held.at(-1)?.result?.status], [['final'], 'plan_ready'])
  const first = await (await follow(threeClauses, { executionMode: 'plan_only' })).ended()
  t.same([changesIn(first), first.at(-1)?.result?.status, await edit.version()], [['final'], 'plan_ready', 2])

  const approved = await (await follow('', { executionMode: 'apply_pending_plan' })).ended()
  t.same(changesIn(approved), ['applied 1/3 3', 'applied 2/3 4', 'applied 3/3 5', 'final'])
  t.equal((await shown())[2], 'One')
  t.match((await edit.get('/chat/plans')).json(), { plans: [] })
})

t.test('canceling between two steps rolls back at once', async (t) => {
  const { follow, edit, cancel, shown, log } = await openService(t, [], { env: { CHAT_STREAM_APPLY_MIN_STEP_MS: '2000' } })
  const before = await shown()
  const followed = await follow(threeClauses)
  await followed.until('op_applied')
  t.match((await cancel(followed.streamId)).json(), { status: 'cancel_requested' })
  const events = await followed.ended()
  t.same(changesIn(events), ['applied 1/3 2', 'rollback of 1', 'restored 3', 'canceled'])
  t.match(events.at(-1), { message: 'Stopped. The draft is as it was before.' })
  t.same(await shown(), before)
  t.same((await edit.get('/history/status', { slug: '/' })).json(), { canUndo: false, canRedo: false })
  t.match((await log()).slice(1), [{ version: 2, opCount: 1 }, { version: 3, summary: /^Rolled back: Changed Hero/ }])
  t.match((await cancel(followed.streamId)).json(), { status: 'already_terminal' })
})

t.test('a concurrent edit between steps is kept, and named where it prevents the rollback', async (t) => {
  const { follow, edit, cancel, shown } = await openService(t, [], { env: { CHAT_STREAM_APPLY_MIN_STEP_MS: '800' } })
  const followed = await follow(threeClauses)
  await followed.until('op_applied')
  await edit.ops([body('By hand', 'b_us', '/about')])
  const events = await followed.ended({ isAlone: false })
  t.same(changesIn(events), ['applied 1/3 2', 'applied 2/3 4', 'applied 3/3 5', 'final'], 'the rest is applied on top of it')
  t.match(await edit.page('/about'), { blocks: [{ props: { body: 'By hand' } }] })

  const second = await follow('Change the headline to "A", move the hero to the top and add a gallery', { locale: 'de' })
  await second.until('op_applied')
  await edit.ops([body('By hand', 'b_more')])
  await cancel(second.streamId)
  await second.ended({ isAlone: false })
  t.same(changesIn(second.events).slice(-2), ['restored undefined', 'canceled'], 'nothing could be rolled back')
  t.match(second.events.at(-1), { message: /^Abgebrochen\. Inzwischen hat jemand anders \/ geändert/ })
  t.same((await shown()).slice(0, 3), ['We lend boats.', 'By hand', 'A'])
})

t.test('a target removed between steps rolls back the rest of the plan', async (t) => {
  const { follow, edit, shown } = await openService(t, [planning({ intent: 'edit_plan', summary_for_user: 'I will.', change_log: [], ops: [heading('A'), body('us', 'b_us', '/about'), body('B', 'b_more')] })], { env: { CHAT_STREAM_APPLY_MIN_STEP_MS: '800' } })
  t.match((await (await follow(both)).ended()).at(-1)?.result, { status: 'plan_ready' })
  const followed = await follow('', { executionMode: 'apply_pending_plan' })
  await followed.until('op_applied')
  await edit.ops([remove('b_more')])
  await followed.ended({ isAlone: false })
  t.match(followed.events.at(-1), { code: 400, result: { status: 'validation_error', validationErrors: [/b_more/], summary: /Someone else changed \/ meanwhile/ } })
  t.match([(await shown())[0], (await edit.page('/about')).blocks[0]?.props['body']], ['A', 'Two people.'])
  t.match((await edit.get('/chat/plans')).json(), { plans: [] })
})

t.test('operations are applied while the model still writes', async (t) => {
  const ops = [heading('Ahoy'), body('Come aboard'), body('Every day', 'b_more')]
  const { go, open } = gates()
  const { follow, shown, edit, log, model } = await openService(t, [inParts(planParts(ops, [1, 2]), go)])
  const followed = await follow(friendlier)
  t.match(await followed.until('op_applied'), { index: 1, total: 1, previewVersion: 2, focusBlockId: 'b_hero', op: ops[0] })
  t.same(await shown(), ['Ahoy', 'We lend boats.', 'All day.'])
  t.notOk(typesOf(followed.events).includes('plan_meta'), 'the plan is not complete yet')
  open(1)
  t.match(await followed.until('op_applied', 2), { index: 2, total: 2, previewVersion: 3 })
  t.same(await shown(), ['Ahoy', 'Come aboard', 'All day.'])
  open(2)
  const events = await followed.ended()
  t.same(changesIn(events).at(-1), 'final')
  t.match(events.at(-1)?.result, { status: 'applied', previewVersion: 4, summary: 'Made 3 changes.', changes: [/Ahoy/, /Come aboard/, /Every day/], focusBlockId: 'b_hero', undoSlug: '/', debug: { opCount: 3, plannerTier: 'full_llm' } })
  t.same((await log()).map(({ version, opCount }: { version: number; opCount: number }) => [version, opCount]), [[1, 0], [4, 3]])
  await edit.undo('/')
  t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'])
  t.equal(model.seen.length, 1)
})

t.test('nothing is applied early where that is off, or in plan-only mode', async (t) => {
  const ops = [heading('Ahoy'), body('Come aboard')]
  for (const [what, env, more, expected] of [
    ['early apply is off', { CHAT_STREAMED_OP_APPLY: 'off' }, {}, ['applied 1/2 2', 'applied 2/2 3', 'final']],
    ['candidates are off', { CHAT_INCREMENTAL_PLAN_STREAM: '0' }, {}, undefined],
    ['steps are off', { CHAT_INCREMENTAL_APPLY: 'no' }, {}, ['final']],
    ['plan only', {}, { executionMode: 'plan_only' }, ['final']],
  ] as const) {
    const { go, open } = gates()
    const { follow, edit } = await openService(t, [inParts(planParts(ops, [2]), go)], { env })
    const followed = await follow(friendlier, more)
    await (expected ? followed.until('op_candidate', 2) : new Promise((resolve) => setTimeout(resolve, 100)))
    t.equal(await edit.version(), 1, what)
    open(1)
    await followed.ended()
    if (expected) t.same(changesIn(followed.events), expected, what)
    else t.same([await edit.version(), typesOf(followed.events).slice(typesOf(followed.events).indexOf('plan_meta'), -1).filter((type) => type.startsWith('op_'))], [3, ['op_candidate', 'op_candidate', 'op_applied', 'op_applied']], what)
  }
})

t.test('an operation that cannot be validated separately waits for the complete plan, as do later ones', async (t) => {
  for (const late of [remove('b_more'), { op: 'update_site_config', patch: { name: 'Boats' } }]) {
    const { go, open } = gates()
    const { follow, shown } = await openService(t, [inParts(planParts([heading('Ahoy'), late, body('Come aboard')], [3]), go)])
    const followed = await follow(friendlier)
    await followed.until('op_candidate', 3)
    await followed.until('op_applied')
    t.same(await shown(), ['Ahoy', 'We lend boats.', 'All day.'])
    open(1)
    t.same(changesIn(await followed.ended()), ['applied 1/1 2', 'applied 2/3 3', 'applied 3/3 4', 'final'])
    t.equal((await shown())[1], 'Come aboard')
  }
})

t.test('a late page operation is one change with the rest, in the same log entry', async (t) => {
  const { go, open } = gates()
  const { follow, edit, log } = await openService(t, [inParts(planParts([body('We', 'b_us', '/about'), { op: 'rename_page', pageSlug: '/about', newPageSlug: '/us' }], [1]), go)])
  const followed = await follow(friendlier, { slug: '/about' })
  await followed.until('op_applied')
  open(1)
  const events = await followed.ended()
  t.same(changesIn(events), ['applied 1/1 2', 'final'])
  t.match(events.at(-1)?.result, { status: 'applied', previewVersion: 3, updatedSlug: '/us', debug: { opCount: 2 } })
  t.match((await log()).slice(1), [{ version: 3, slug: '/us', opCount: 2 }])
  await edit.undo('/us')
  t.match(await edit.page('/about'), { blocks: [{ props: { body: 'Two people.' } }] })
})

t.test('an early applied plan that turns out to need approval is rolled back and held', async (t) => {
  const { go, open } = gates()
  const { follow, shown, edit } = await openService(t, [inParts(planParts([heading('Ahoy'), body('Come aboard'), body('We', 'b_us', '/about')], [2, 3]), go)])
  const followed = await follow(both)
  await followed.until('op_applied', 2)
  open(1)
  await followed.until('rollback_done')
  t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'], 'before the plan is complete')
  open(2)
  const events = await followed.ended()
  t.same(changesIn(events), ['applied 1/1 2', 'applied 2/2 3', 'rollback of 2', 'restored 4', 'final'])
  t.match(events.at(-1)?.result, { status: 'plan_ready', previewVersion: 4, destructiveReasons: [/2 pages/] })
  t.match((await edit.get('/chat/plans')).json(), { plans: [{ opCount: 3 }] })
  t.same(changesIn(await (await follow('', { executionMode: 'apply_pending_plan' })).ended()), ['applied 1/3 5', 'applied 2/3 6', 'applied 3/3 7', 'final'])
})

t.test('a pending plan stays when a newer request is rolled back, and is dropped when one is applied', async (t) => {
  const { go, open } = gates()
  const { follow, edit, cancel } = await openService(t, [inParts(planParts([heading('Ahoy')], [1]), go), planning({ intent: 'edit_plan', summary_for_user: 'I will.', change_log: [], ops: [heading('Ahoy')] })])
  await edit.send('/chat', { slug: '/', message: 'Remove the page /about' })
  const waits = async () => Object((await edit.get('/chat/plans')).json()).plans.length
  const followed = await follow(friendlier)
  await followed.until('op_applied')
  await cancel(followed.streamId)
  open(1)
  t.same(changesIn(await followed.ended()), ['applied 1/1 2', 'rollback of 1', 'restored 3', 'canceled'])
  t.equal(await waits(), 1)
  const second = await (await follow(friendlier)).ended()
  t.equal(changesIn(second).at(-1), 'final')
  t.equal(await waits(), 0)
})

t.test('overload, a broken stream and an unusable answer roll back, and planning continues', async (t) => {
  const good = planning({ intent: 'edit_plan', summary_for_user: 'I will.', change_log: [], ops: [heading('Hello')] })
  for (const [what, more, reason] of [
    ['overload', {}, 'overloaded'],
    ['a broken stream', {}, 'cut'],
    ['a plan that lacks its summary', { summary_for_user: '' }, 'tool_use'],
  ] as const) {
    const { go, open } = gates()
    const { follow, shown, model, log } = await openService(t, [inParts(planParts([heading('Ahoy'), body('Come aboard')], [2], more), go, reason), good])
    const followed = await follow(friendlier)
    await followed.until('op_applied', 2)
    open(1)
    const changes = changesIn(await followed.ended())
    t.same(changes, ['applied 1/1 2', 'applied 2/2 3', 'rollback of 2', 'restored 4', 'applied 1/1 5', 'final'], what)
    t.same(await shown(), ['Hello', 'We lend boats.', 'All day.'], what)
    t.equal(model.seen.length, 2, what)
    t.match((await log()).at(-1), { version: 5, opCount: 1 })
  }
})

t.test('a permanent failure of the model midway leaves the draft unchanged', async (t) => {
  for (const [what, more, reason, then, code] of [
    ['no key after an overload', {}, 'overloaded', failing(401, 'authentication_error'), 503],
    ['a truncated answer', {}, 'max_tokens', undefined, 500],
    ['a question after all', { intent: 'needs_clarification' }, 'tool_use', undefined, undefined],
    ['words after an overload', {}, 'overloaded', sending(opening() + prose('I am not sure what you mean by that.') + ending('end_turn')), undefined],
  ] as const) {
    const { go, open } = gates()
    const { follow, shown, edit } = await openService(t, [inParts(planParts([heading('Ahoy'), body('Come aboard')], [2], more), go, reason), ...(then ? [then] : [])])
    const followed = await follow(friendlier)
    await followed.until('op_applied', 2)
    open(1)
    const events = await followed.ended()
    t.same(changesIn(events).slice(2), ['rollback of 2', 'restored 4', code === undefined ? 'final' : 'error'], what)
    t.equal(events.at(-1)?.code, code, what)
    t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'], what)
    t.equal(events.at(-1)?.result?.previewVersion, await edit.version(), what)
    t.same((await edit.get('/history/status', { slug: '/' })).json(), { canUndo: false, canRedo: false }, what)
  }
})

t.test('an operation that cannot be applied rolls back the earlier ones, and the plan fails validation', async (t) => {
  const wrong = { ...heading('x'), patch: { ctaHref: 'javascript:alert(1)' } }
  const { go, open } = gates()
  const { follow, shown, model } = await openService(t, [inParts(planParts([heading('Ahoy'), wrong], [1]), go)])
  const followed = await follow(friendlier)
  await followed.until('op_applied')
  open(1)
  const events = await followed.ended()
  t.equal(events.at(-1)?.type, 'error')
  t.match(events.at(-1)?.result, { status: 'validation_error', validationErrors: [/javascript/] })
  t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'])
  t.equal(model.seen.length, 2, 'it is sent back once')
})

t.test('disallowed structural edits and unknown fields are checked early as well', async (t) => {
  const siteCapabilities = { allowStructuralEdits: false, manifestStatus: 'ready', checkedAt: '2026-01-01T00:00:00.000Z' }
  const add = { op: 'add_block', pageSlug: '/', block: { id: 'b_new', type: 'RichText', props: { title: 'New', body: 'New' } } }
  const { go, open } = gates()
  const { follow, shown } = await openService(t, [inParts(planParts([heading('Ahoy'), add], [2]), go)])
  const followed = await follow(friendlier, { siteCapabilities })
  await followed.until('rollback_done')
  open(1)
  t.match((await followed.ended()).at(-1)?.result, { status: 'needs_clarification', debug: { outcome: 'blocked_structural_capability' } })
  t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'])

  const unknown = { op: 'update_props', pageSlug: '/', blockId: 'b_text', patch: { sparkle: 'much' } }
  const same = heading('Boats')
  const other = gates()
  const second = await openService(t, [inParts(planParts([unknown, same, body('Come aboard')], [3]), other.go)])
  const more = await second.follow(friendlier)
  await more.until('op_applied')
  t.match(more.events.find(({ type }) => type === 'op_skipped'), { index: 1, total: 1, reason: 'unchanged_value', op: same })
  other.open(1)
  await more.ended()
  t.match(more.events.at(-1)?.result, { status: 'applied', previewVersion: 2, changes: [/Come aboard/], summary: /no such field/, debug: { skippedOpCount: 1, opCount: 1 } })
})

t.test('canceling while the model writes rolls back', async (t) => {
  const { go } = gates()
  const { follow, shown, cancel, model } = await openService(t, [inParts(planParts([heading('Ahoy'), body('Come aboard'), body('x', 'b_more')], [2]), go)])
  const followed = await follow(friendlier)
  await followed.until('op_applied', 2)
  await cancel(followed.streamId)
  t.same(changesIn(await followed.ended()), ['applied 1/1 2', 'applied 2/2 3', 'rollback of 2', 'restored 4', 'canceled'])
  t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'])
  await model.idle()
})

t.test('a concurrent edit while the model writes is kept', async (t) => {
  const ops = [heading('Ahoy'), body('Come aboard'), body('Every day', 'b_more')]
  const { go, open } = gates()
  const { follow, shown, edit } = await openService(t, [inParts(planParts(ops, [1, 3]), go)])
  const followed = await follow(friendlier)
  await followed.until('op_applied')
  await edit.ops([{ op: 'update_props', pageSlug: '/', blockId: 'b_hero', patch: { subheading: 'By hand' } }])
  open(1)
  await followed.until('op_candidate', 3)
  open(2)
  await followed.ended({ isAlone: false })
  t.same(changesIn(followed.events), ['applied 1/1 2', 'applied 2/3 4', 'applied 3/3 5', 'final'])
  t.same(await shown(), ['Ahoy', 'Come aboard', 'Every day'])
  t.match(await edit.page('/'), { blocks: [{ props: { subheading: 'By hand' } }, {}, {}] })
})

t.test('a process that crashes midway leaves one log entry that can be undone', async (t) => {
  const { go } = gates()
  const crashed = await openService(t, [inParts(planParts([heading('Ahoy'), body('Come aboard'), body('x', 'b_more')], [2]), go)])
  const followed = await crashed.follow(friendlier)
  await followed.until('op_applied', 2)
  const dataDir = temporaryFolder(t)
  cpSync(crashed.stack.dataDir, join(dataDir, 'left'), { recursive: true })

  const later = await openService(t, [], { dataDir: join(dataDir, 'left') })
  t.same(await later.shown(), ['Ahoy', 'Come aboard', 'All day.'])
  t.match((await later.log()).slice(1), [{ version: 3, opCount: 2 }])
  t.match(await bodyOf(later.edit.undo('/')), { previewVersion: 4, canUndo: false })
  t.same(await later.shown(), ['Boats', 'We lend boats.', 'All day.'])
})

t.test('closing the service midway rolls back', async (t) => {
  const { go } = gates()
  const { follow, stack, shown } = await openService(t, [inParts(planParts([heading('Ahoy'), body('Come aboard')], [1]), go)])
  const followed = await follow(friendlier)
  await followed.until('op_applied')
  await stack.restart()
  t.same(await shown(), ['Boats', 'We lend boats.', 'All day.'])
})

t.test('checkOrder rejects invalid sequences of events', async (t) => {
  const end = { type: 'final' }
  for (const events of [
    [{ type: 'status' }],
    [end, { type: 'status' }],
    [{ type: 'op_applied', index: 1, total: 1, previewVersion: 2 }, end],
    [{ type: 'op_candidate', index: 1 }, { type: 'op_applied', index: 1, total: 1, previewVersion: 2 }, { type: 'op_applied', index: 1, total: 1, previewVersion: 3 }, end],
    [{ type: 'op_candidate', index: 2 }, { type: 'op_applied', index: 1, total: 2, previewVersion: 2 }, { type: 'op_applied', index: 2, total: 2, previewVersion: 4 }, end],
    [{ type: 'op_candidate', index: 1 }, { type: 'op_applied', index: 1, total: 1, previewVersion: 2 }, { type: 'rollback_started', appliedCount: 2 }, { type: 'rollback_done', restoredVersion: 3 }, end],
    [{ type: 'op_candidate', index: 1 }, { type: 'op_applied', index: 1, total: 1, previewVersion: 2 }, { type: 'rollback_started', appliedCount: 1 }, end],
    [{ type: 'op_candidate', index: 1 }, { type: 'op_applied', index: 1, total: 1, previewVersion: 2 }, { type: 'rollback_started', appliedCount: 1 }, { type: 'rollback_done', restoredVersion: 2 }, end],
  ]) t.throws(() => checkOrder(events))
})
