import fc from '../../helpers/property.ts'
import t, { type Test } from 'tap'
import { mountForTest } from '../../../kernel/testing.ts'
import { Canceled, chatRunner, type PlanningInput, type PlanningRun } from '../../../plugins/chat/port.ts'
import type { Outcome } from '../../../plugins/chat/types/plan.ts'
import type { RunEvent } from '../../../plugins/chat/types/events.ts'
import { drafts as draftsRef } from '../../../plugins/draft/port.ts'
import { applyBatch } from '../../../plugins/content/batch.ts'
import type { Draft } from '../../../plugins/content/model.ts'
import { generateManifest } from '../../../plugins/content/manifest.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'
import { parseOperations } from '../../../plugins/content/operations/parse.ts'
import { article, batchFor, changed, draftOf, drafts as anyDraft, siteManifest, teamWall } from '../../helpers/content.ts'
import { chatInMemory, chatClient, opsOf, planOf, removeBlock, scriptedPlanner, setBody, startPages, withPlanner, type ChatOptions } from '../../helpers/chat.ts'
import { checkOrder } from '../../helpers/followed-chat.ts'
import { canonical, same } from '../../helpers/canonical.ts'

/** `see` waits until so many changes were emitted, skipped and rolled back steps included. */
type Plan = (input: PlanningInput, run: PlanningRun, see: (count: number) => Promise<void>) => Promise<Outcome>
type Operations = ReturnType<typeof opsOf>

/** The last event of a run. */
type Ended = { readonly type: 'final' | 'error' | 'canceled' }

/** Chat in memory with a planner that emits operations while it plans, and the events of its runs. */
async function open(t: Test, plan: Plan, more: ChatOptions = {}, planners: readonly Plan[] = []) {
  const events: RunEvent[] = []
  const changes = (): readonly (string | number)[] => events.flatMap((event) => {
    if (event.type === 'op_applied') return event.previewVersion
    return event.type === 'op_skipped' || event.type === 'rollback_started' || event.type === 'rollback_done' ? event.type : []
  })
  const see = async (count: number): Promise<void> => {
    for (const until = performance.now() + 60_000; changes().length < count; await turn()) {
      if (performance.now() > until) throw new Error(`only these changes were emitted: ${changes().join(', ')}`)
    }
  }
  const plugins = [plan, ...planners].map((each, index) => withPlanner(scriptedPlanner({}, { name: `p${index}`, plan: (input, run) => each(input, run, see) })))
  const mounted = mountForTest(t, chatInMemory({ plugins, env: { CHAT_STREAM_APPLY_MIN_STEP_MS: '0' }, ...more }))
  const client = chatClient((request) => mounted.inject(request))
  await client.bootstrap(startPages)
  const [runner, drafts] = [await mounted.get(chatRunner), await mounted.get(draftsRef)]
  const stop = new AbortController()
  let isStreamed = true
  let runs = 0
  async function run(message = 'Do it', options: Parameters<typeof checkOrder>[1] = {}) {
    const request = { siteId: 'acme', session: 'dev', slug: '/', message, executionMode: 'auto' as const }
    events.length = 0
    const context = { id: `run ${(runs += 1)}`, signal: stop.signal, emit: (event: RunEvent) => void events.push(event), get isStreamed() { return isStreamed } }
    const ended = await runner.run(request, context).then(
      (end) => ({ end, error: undefined }),
      (error: unknown) => ({ end: undefined, error }),
    )
    const type: Ended['type'] = ended.error ? 'canceled' : ended.end && ended.end.status < 400 ? 'final' : 'error'
    checkOrder([...events, { type }], options)
    return ended
  }
  const bodies = async () => (await client.page('/')).blocks.map(({ props }) => props['body'])
  return { ...client, run, leave: () => (isStreamed = false), stop, events, changes, drafts, bodies }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
const emitOps = (run: PlanningRun, ...raw: readonly object[]): void => opsOf(...raw).forEach((op, at) => run.emit({ type: 'op_candidate', index: at + 1, op }))
const unchanged = ['One', 'Two', 'Three', 'Four']

t.test('a complete plan that differs from the emitted operations rolls them back and is applied', async (t) => {
  const { run, changes, bodies } = await open(t, async (_, run, see) => {
    emitOps(run, setBody('Early'), setBody('Also', 'b_2'))
    await see(2)
    return planOf(setBody('Early'), setBody('Other', 'b_2'))
  })
  t.match((await run()).end, { result: { status: 'applied', previewVersion: 6, debug: { opCount: 2 } } })
  t.same(changes(), [2, 3, 'rollback_started', 'rollback_done', 5, 6])
  t.same(await bodies(), ['Early', 'Other', 'Three', 'Four'])
})

t.test('a shorter plan, no plan, and the plan of another planner roll back what was applied early', async (t) => {
  const early: Plan = async (_, run, see) => {
    emitOps(run, setBody('Early'), setBody('Also', 'b_2'))
    await see(2)
    return { kind: 'unsupported', suggestions: [] }
  }
  const shorter = await open(t, async (input, run, see) => early(input, run, see).then(() => planOf(setBody('Early'))))
  await shorter.run()
  t.same([shorter.changes(), await shorter.bodies()], [[2, 3, 'rollback_started', 'rollback_done', 5], ['Early', 'Two', 'Three', 'Four']])

  const none = await open(t, early)
  t.match((await none.run()).end, { result: { status: 'needs_clarification', previewVersion: 4 } })
  t.same([none.changes(), await none.bodies()], [[2, 3, 'rollback_started', 'rollback_done'], unchanged])

  const other = await open(t, early, {}, [async (_, run, see) => {
    emitOps(run, setBody('Second', 'b_3'))
    await see(5)
    return planOf(setBody('Second', 'b_3'))
  }])
  t.match((await other.run()).end, { result: { status: 'applied', plannerSource: 'p1', previewVersion: 5 } })
  t.same([other.changes(), await other.bodies()], [[2, 3, 'rollback_started', 'rollback_done', 5], ['One', 'Two', 'Second', 'Four']])
})

t.test('a planner that fails midway leaves the draft unchanged', async (t) => {
  const { run, changes, bodies, stop } = await open(t, async (_, run, see) => {
    emitOps(run, setBody('Early'))
    await see(1)
    throw new Error('broken')
  })
  t.match((await run()).end, { status: 500, result: { status: 'error', previewVersion: 3 } })
  t.same([changes(), await bodies()], [[2, 'rollback_started', 'rollback_done'], unchanged])
  stop.abort()
  t.ok((await run()).error instanceof Canceled)
})

t.test('emitted operations are parsed, and an invalid one waits for the complete plan', async (t) => {
  const broken = JSON.parse('{ "op": "create_page" }')
  const { run, changes, bodies } = await open(t, async (_, run, see) => {
    emitOps(run, setBody('Early'))
    await see(1)
    run.emit({ type: 'op_candidate', index: 2, op: broken })
    run.emit({ type: 'op_candidate', index: 3, op: setOf('Late', 'b_2') })
    await turn()
    return { kind: 'plan', plan: { summary: 'All of it.', changeLog: [], ops: [...opsOf(setBody('Early')), broken, ...opsOf(setBody('Late', 'b_2'))] } }
  })
  t.match((await run()).end, { status: 400, result: { status: 'validation_error', validationErrors: [/ops\[1\]/] } })
  t.same([changes(), await bodies()], [[2, 'rollback_started', 'rollback_done'], unchanged])
})

t.test('early apply respects the maximum number of operations', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, index) => setBody(`${index}`))
  const { run, changes, bodies } = await open(t, async (_, run, see) => {
    emitOps(run, ...many.slice(0, 2))
    await see(2)
    for (const [index, op] of opsOf(...many).entries()) if (index > 1) run.emit({ type: 'op_candidate', index: index + 1, op })
    await turn()
    return planOf(...many)
  }, { chat: { maxOperations: 3 } })
  t.match((await run()).end, { status: 400, result: { status: 'validation_error', validationErrors: [/10000 operations, and at most 3/] } })
  t.same([changes(), await bodies()], [[2, 3, 'rollback_started', 'rollback_done'], unchanged])
})

t.test('an operation that changes nothing is emitted as skipped, with the reason', async (t) => {
  const { run, events } = await open(t, async () => planOf(setBody('One'), setBody('Zwei', 'b_2'), setBody('Three', 'b_3')))
  t.match((await run()).end, { result: { status: 'applied', previewVersion: 2, changes: [/Zwei/], debug: { opCount: 1, skippedOpCount: 2, skippedOps: [{ index: 1, reason: 'unchanged_value' }, { index: 3 }] } } })
  t.match(events.filter(({ type }) => type === 'op_applied' || type === 'op_skipped'), [
    { type: 'op_skipped', index: 1, total: 3, op: setBody('One'), reason: 'unchanged_value' },
    { type: 'op_applied', index: 2, total: 3, previewVersion: 2, focusBlockId: 'b_2' },
    { type: 'op_skipped', index: 3, total: 3, reason: 'unchanged_value' },
  ])
})

t.test('a second attempt starts over, also where the first failed validation', async (t) => {
  const attempting = (run: PlanningRun, attempt: number): void => run.attempting?.({ model: 'm', tier: 'fast', attempt })
  const { run, changes, bodies } = await open(t, async (_, run, see) => {
    attempting(run, 1)
    emitOps(run, setBody('Early'), setBody('x', 'b_gone'))
    await see(3)
    attempting(run, 2)
    emitOps(run, setBody('Again'))
    await see(4)
    return planOf(setBody('Again'))
  })
  t.match((await run()).end, { result: { status: 'applied', previewVersion: 4 } })
  t.same([changes(), await bodies()], [[2, 'rollback_started', 'rollback_done', 4], ['Again', 'Two', 'Three', 'Four']])
})

t.test('after a concurrent edit nothing more is applied early', async (t) => {
  const opened = await open(t, async (_, run, see) => {
    run.attempting?.({ model: 'm', tier: 'fast', attempt: 1 })
    emitOps(run, setBody('Early'))
    await see(1)
    await opened.ops([setBody('By hand', 'b_6', '/about')])
    run.emit({ type: 'op_candidate', index: 2, op: setOf('Late', 'b_2') })
    await turn()
    run.attempting?.({ model: 'm', tier: 'fast', attempt: 2 })
    emitOps(run, setBody('Again'))
    await see(3)
    await turn()
    t.same(await opened.bodies(), unchanged, 'the second attempt is not applied yet')
    return planOf(setBody('Again'))
  })
  t.match((await opened.run('Do it', { isAlone: false })).end, { result: { status: 'applied', previewVersion: 5 } })
  t.match(opened.events.filter(({ type }) => type === 'rollback_done'), [{ restoredVersion: 4 }])
  t.match(await opened.page('/about'), { blocks: [{}, { props: { body: 'By hand' } }] })
  t.same(await opened.bodies(), ['Again', 'Two', 'Three', 'Four'])
})

const setOf = (text: string, blockId: string): Operations[number] => {
  const [op] = opsOf(setBody(text, blockId))
  if (!op) throw new Error('an operation')
  return op
}

t.test('a change that the draft refuses rolls back the earlier ones', async (t) => {
  const early = async (run: PlanningRun, see: (count: number) => Promise<void>, count: number): Promise<void> => {
    emitOps(run, setBody('Early'), setBody('x'.repeat(3_000), 'b_2'))
    await see(count)
  }
  const plan = planOf(setBody('Early'), setBody('x'.repeat(3_000), 'b_2'))
  const draft = { maxPageBytes: 2_000 }
  const first = await open(t, async (_, run, see) => early(run, see, 3).then(() => plan), { draft })
  t.match((await first.run()).end, { status: 400, result: { status: 'validation_error', validationErrors: [/larger than/] } })
  t.same([first.changes(), await first.bodies()], [[2, 'rollback_started', 'rollback_done', 4, 'rollback_started', 'rollback_done'], unchanged])

  const broken = await open(t, async (_, run, see) => early(run, see, 1).then(() => plan))
  const { commit } = broken.drafts
  broken.drafts.commit = async (request, toAnswer) => {
    if (request.edit.kind === 'operations' && request.edit.ops.some((op) => 'blockId' in op && op.blockId === 'b_2')) throw new Error('no disk')
    return commit(request, toAnswer)
  }
  t.match((await broken.run()).error, { message: 'no disk' }, 'an unexpected error is thrown')
  t.same([broken.changes(), await broken.bodies()], [[2, 'rollback_started', 'rollback_done'], unchanged])
})

t.test('permanent concurrent edits stop a run midway, and are kept', async (t) => {
  const opened = await open(t, async () => planOf(setBody('A'), setBody('B', 'b_2')))
  const { commit } = opened.drafts
  let edits = 0
  opened.drafts.commit = async (request, toAnswer) => {
    const isSecond = request.edit.kind === 'operations' && request.channel === 'chat' && JSON.stringify(request.edit.ops).includes('b_2')
    if (isSecond) await opened.ops([setBody(`By hand ${(edits += 1)}`, 'b_6', '/about')])
    return commit(request, toAnswer)
  }
  t.match((await opened.run('Do it', { isAlone: false })).end, { status: 400, result: { validationErrors: [/keep changing/] } })
  t.same(await opened.bodies(), unchanged)
  t.equal(edits, 21)
  t.match(await opened.page('/about'), { blocks: [{}, { props: { body: 'By hand 21' } }] })
})

t.test('waiting operations are validated with the complete plan, after concurrent edits', async (t) => {
  const opened = await open(t, async (_, run, see) => {
    emitOps(run, setBody('A'), removeBlock('b_4'), setBody('C', 'b_3'))
    await see(1)
    await opened.ops([removeBlock('b_3')])
    return planOf(setBody('A'), removeBlock('b_4'), setBody('C', 'b_3'))
  })
  t.match((await opened.run('Do it', { isAlone: false })).end, { status: 400, result: { status: 'validation_error', summary: /Someone else changed \/ meanwhile/, previewVersion: 3 } })
  t.same(await opened.bodies(), ['A', 'Two', 'Four'], 'the concurrent edit is on top of the first change')
  t.match((await opened.undo('/')).json(), { previewVersion: 4 })
  t.match((await opened.undo('/')).json(), { previewVersion: 5 })
  t.same(await opened.bodies(), unchanged)
})

t.test('session memory has each run once, applied early or not, and not the result of a rolled back one', async (t) => {
  const seen: string[][] = []
  const { run } = await open(t, async ({ message, history = [] }, run, see) => {
    seen.push(history.map(({ text }) => text))
    emitOps(run, setBody(message))
    await see(1)
    if (message === 'third') throw new Error('broken')
    return planOf(setBody(message), ...(message === 'second' ? [setBody('And more', 'b_2')] : []))
  })
  const first = ['first', 'Changed Rich Text on /: body to “first”.']
  const second = ['second', 'Made 2 changes.']
  for (const message of ['first', 'second']) t.match((await run(message)).end, { result: { status: 'applied' } })
  t.match((await run('third')).end, { status: 500 })
  t.match((await run('fourth')).end, { result: { status: 'applied' } })
  t.strictSame(seen.slice(0, 3), [[], first, [...first, ...second]])
  t.equal(seen[3]?.filter((text) => text === 'third' || text.includes('“third”')).length, 1, 'the message, without a result')
})

t.test('when the client disconnects midway, the rest is one change', async (t) => {
  const opened = await open(t, async (_, run, see) => {
    emitOps(run, setBody('A'), setBody('B', 'b_2'))
    await see(2)
    opened.leave()
    run.emit({ type: 'op_candidate', index: 3, op: setOf('C', 'b_3') })
    await turn()
    return planOf(setBody('A'), setBody('B', 'b_2'), setBody('C', 'b_3'), setBody('D', 'b_4'))
  })
  t.match((await opened.run()).end, { result: { status: 'applied', previewVersion: 4, debug: { opCount: 4 } } })
  t.same([opened.changes(), await opened.bodies()], [[2, 3], ['A', 'B', 'C', 'D']])
})

t.test('a random plan ends in the same draft as one change, stepwise and applied early', async (t) => {
  const current: { ops: Operations; turns: number } = { ops: [], turns: 0 }
  const plan = async (_: PlanningInput, run: PlanningRun): Promise<Outcome> => {
    if (run.signal.aborted) throw new Canceled()
    for (const [at, op] of current.ops.entries()) {
      run.emit({ type: 'op_candidate', index: at + 1, op })
      for (let turns = 0; turns < current.turns; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    return { kind: 'plan', plan: { summary: 'As chance has it.', changeLog: [], ops: current.ops } }
  }
  const mounted = mountForTest(t, chatInMemory({ plugins: [withPlanner(scriptedPlanner({}, { plan }))], env: { CHAT_STREAM_APPLY_MIN_STEP_MS: '0' }, draft: { maxSessionsPerSite: 1_000_000 } }))
  const [runner, drafts] = [await mounted.get(chatRunner), await mounted.get(draftsRef)]
  const outcomes = new Map<string, number>()
  let opened = 0
  const property = fc.asyncProperty(anyDraft, fc.gen(), async (start, g) => {
    const pages = start.order.flatMap((slug) => start.page(slug) ?? [])
    const [first] = pages
    const parsed = parseOperations(g(batchFor, draftOf(pages, start.config), { maxLength: 8 }))
    if (!first || !parsed.ok) return
    current.ops = g(fc.boolean) ? parsed.ops : fitting(draftOf(pages, start.config), parsed.ops)
    current.turns = g(fc.constantFrom, 0, 1, 30)
    if (current.ops.length === 0) return
    opened += 1
    const ends = []
    for (const isStreamed of [false, true]) {
      const id = { siteId: 'acme', session: `s${opened}${isStreamed}` }
      const commit = (edit: Parameters<typeof drafts.commit>[0]['edit']) => drafts.commit({ id, edit, actor: { kind: 'person' }, channel: 'site' }, (committed) => committed)
      await commit({ kind: 'pages', pages: new Map(pages.map((page) => [page.slug, page])), source: 'bootstrap', summary: 'start', undo: 'none' })
      const content = async () => canonical([(await drafts.pages(id)).map(({ updatedAt: _stamp, ...page }) => page), await drafts.config(id)])
      const before = await content()
      const events: RunEvent[] = []
      const context = { id: `r${opened}${isStreamed}`, signal: new AbortController().signal, emit: (event: RunEvent) => void events.push(event), isStreamed }
      const { status, result } = await runner.run({ ...id, slug: first.slug, message: 'By chance', executionMode: 'auto', componentsManifest: { version: 1, blocks: [...generateManifest(builtinRegistry).blocks, teamWall, article] } }, context)
      checkOrder([...events, { type: status < 400 ? 'final' : 'error' }])
      const after = await content()
      const { version } = await drafts.head(id)
      const { outcome } = result.debug
      same(version, result.previewVersion, 'the version after the run')
      if (outcome !== 'applied') same(after, before, `${outcome} leaves everything`)
      const early = events.some(({ type }) => type === 'op_applied')
      const kind = `${outcome}${early ? ' with steps' : ''}`
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
      ends.push({ outcome, after, validationErrors: result.validationErrors, changes: result.status === 'plan_ready' ? [] : result.changes, focusBlockId: result.focusBlockId })
      if (outcome === 'applied' && result.undoSlug !== undefined && (await drafts.steps(id, result.undoSlug)).canUndo) {
        await commit({ kind: 'undo', slug: result.undoSlug })
        same(await content(), before, 'one undo reverts all of it')
      }
    }
    same(canonical(ends[1]), canonical(ends[0]), 'streamed and direct runs end the same')
  })
  await fc.assert(property, { numRuns: 200, interruptAfterTimeLimit: 40_000 })
  const kinds = ['applied', 'applied with steps', 'guardrail_failure', 'guardrail_failure with steps', 'plan_ready_for_approval', 'plan_ready_for_approval with steps']
  for (const kind of kinds) t.ok(outcomes.has(kind), `${kind} among ${JSON.stringify([...outcomes])}`)
})

/** The operations of a batch that can be applied, one after the other. */
function fitting(start: Draft, ops: Operations): Operations {
  let draft = start
  return ops.filter((op) => {
    const done = applyBatch(draft, [op], { source: 'planner', registry: builtinRegistry, manifest: siteManifest, now: new Date(0) })
    if (done.ok) draft = changed(draft, done.change)
    return done.ok
  })
}
