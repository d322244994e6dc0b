/**
 * The table of a run, as processes of one store read and write it; for PostgreSQL see
 * shared-runs.slow.test.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { Refusal } from '../../../kernel/index.ts'
import { capturedLog } from '../../../kernel/testing.ts'
import { createMemoryBus } from '../../../plugins/bus/testing.ts'
import { createMemoryStore } from '../../../plugins/store/testing.ts'
import type { Store } from '../../../plugins/store/port.ts'
import { cancelWhileEnding, openProcess, readRandomly } from '../../helpers/run-log.ts'
import { until } from '../../helpers/until.ts'

/** A store of several processes, and their bus. */
function openPlace(store: Store = createMemoryStore()) {
  return { store: { ...store, shared: true }, bus: createMemoryBus({ log: capturedLog().log }) }
}

/** One short line per event. */
const linesOf = (events: readonly { readonly _seq: number; readonly text?: string }[]): readonly string[] =>
  events.map(({ _seq, text = '' }) => `${_seq} ${text.length} ${text.slice(0, 4)}`)

t.test('readers of any process get each event once and in order, wherever they resume', async (t) => {
  const place = openPlace()
  const processes = [openProcess(place), openProcess(place)] as const
  for (let seed = 1; seed <= 8; seed++) {
    const { expected, read } = await readRandomly(processes, seed)
    for (const seen of read) t.strictSame(linesOf(seen), linesOf(expected), `seed ${seed}`)
  }
  for (const each of processes) await each.runs.close()
})

t.test('a run that ends while it is canceled has one last event, the same for all', async (t) => {
  const place = openPlace()
  const processes = [openProcess(place), openProcess(place)] as const
  for (let seed = 1; seed <= 30; seed++) {
    const [owner, other] = seed % 2 === 0 ? processes : processes.toReversed()
    const { isAsked, types, again } = await cancelWhileEnding(
      owner ?? processes[0],
      other ?? processes[1],
      seed,
    )
    t.strictSame(types, again)
    t.equal(types.length, 1)
    if (!isAsked) t.strictSame(types, ['end'], 'a cancel that is too late changes nothing')
  }
  for (const each of processes) await each.runs.close()
})

t.test('events wait while the store cannot write, and arrive when it can', async (t) => {
  const memory = createMemoryStore()
  let isAway = false
  let refused = 0
  const store: Store = {
    ...memory,
    transaction(run) {
      if (!isAway) return memory.transaction(run)
      refused++
      return Promise.reject(new Refusal({ status: 503, code: 'store_unavailable', reason: 'It is away.' }))
    },
  }
  const owner = openProcess(openPlace(store))
  const run = await owner.start()
  const reading = owner.read(run.id, 0)
  await run.begun
  run.emit({ type: 'text', text: 'before' })
  isAway = true
  for (let at = 0; at < 3; at++) {
    run.emit({ type: 'text', text: `meanwhile ${at}` })
    await until(() => refused > at, 'a write to be refused')
  }
  await t.rejects(owner.start(), { code: 'store_unavailable' })
  isAway = false
  run.emit({ type: 'text', text: 'after' })
  run.end({ type: 'end' })
  const seen = await reading
  t.strictSame(
    seen.map(({ text, _seq }) => `${_seq} ${text}`),
    ['1 before', '2 meanwhile 0', '3 meanwhile 1', '4 meanwhile 2', '5 after', '6 undefined'],
  )
  await owner.runs.close()
})

t.test(
  'after a restart of the only process, a run ends as stored, or with the event for a lost one',
  async (t) => {
    const { bus } = openPlace()
    const store = createMemoryStore()
    const before = openProcess({ store, bus })
    const [done, going, parked] = [await before.start(), await before.start(), await before.start()]
    const reading = [before.read(done.id, 0), before.read(going.id, 0, 1)]
    await Promise.all([done.begun, going.begun])
    for (const run of [done, going]) run.emit({ type: 'text', text: 'first' })
    done.end({ type: 'end' })
    await Promise.all(reading)

    const after = openProcess({ store, bus })
    for (const [run, last] of [
      [done, 'end'],
      [going, 'lost'],
    ] as const) {
      t.match(await after.runs.find(run.id), { phase: 'ended' })
      t.match(await after.runs.tail(run.id), { last: 2, isEnded: true })
      for (const from of [0, 1])
        t.strictSame(
          (await after.read(run.id, from)).map(({ type }) => type),
          ['text', last].slice(from),
        )
      t.equal(await after.runs.ask(run.id, 'cancel', true), false)
    }
    t.equal(await after.runs.find(parked.id), undefined, 'it has not begun, and may be sent again')
    for (const each of [before, after]) await each.runs.close()
  },
)

t.test('a run without events leaves nothing in the store when it is forgotten', async (t) => {
  const place = openPlace()
  const owner = openProcess(place)
  const rows = async (): Promise<number> => (await Array.fromAsync(place.store.texts())).length
  const run = await owner.start()
  t.equal(await rows(), 1)
  await owner.runs.ask(run.id, 'cancel', true)
  await until(async () => (await rows()) === 0)
  t.equal(await owner.runs.find(run.id), undefined)
  t.equal(await owner.runs.begin(run.id), false)
  await owner.runs.close()
})

t.test('a run that is forgotten while it begins leaves nothing in the store', async (t) => {
  const { bus } = openPlace()
  const store = createMemoryStore()
  const owner = openProcess({ store, bus })
  for (const pauses of [0, 1, 2]) {
    const run = await owner.start()
    const reading = owner.read(run.id, 0)
    await run.begun
    run.emit({ type: 'text', text: 'first' })
    for (let at = 0; at < pauses; at++) await new Promise((resolve) => setImmediate(resolve))
    for (const each of owner.runs.all()) owner.runs.forget(each)
    run.emit({ type: 'text', text: 'second' })
    await reading
    await pause(50)
    t.strictSame(await Array.fromAsync(store.texts()), [])
  }
  await owner.runs.close()
})

t.test(
  'of more events than its limits a run has the newest, and one as large as the limit stays',
  async (t) => {
    const place = openPlace()
    const owner = openProcess(place, { events: 300, bytes: 100_000 })
    const run = await owner.start()
    const reading = owner.read(run.id, 0)
    await run.begun
    for (let at = 1; at <= 1_000; at++) {
      run.emit({ type: 'text', text: String(at) })
      if (at % 50 === 0) await pause(5)
    }
    t.match(await owner.runs.tail(run.id), { last: 1_000, lost: 700 })
    t.match(
      (await owner.read(run.id, 700, 300)).map(({ text }) => Number(text)),
      [701, 702],
    )
    await until(async () => (await Array.fromAsync(place.store.texts())).length < 450, 'rows to be removed')
    run.end({ type: 'end', text: 'x'.repeat(200_000) })
    const seen = await reading
    t.equal(seen.at(-1)?.type, 'end')
    t.match(await owner.runs.tail(run.id), { last: 1_001, lost: 1_000, isEnded: true })
    await owner.runs.close()
  },
)
