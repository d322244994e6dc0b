/** Runs of several processes on one store, whose events a test controls. */
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal, randomIds, systemClock } from '../../kernel/index.ts'
import { capturedLog } from '../../kernel/testing.ts'
import type { Bus } from '../../plugins/bus/port.ts'
import { createRuns } from '../../plugins/chat/streams/port.ts'
import type { Store } from '../../plugins/store/port.ts'

export interface Text {
  readonly type: 'text' | 'end' | 'canceled' | 'lost'
  readonly text?: string
}
type Numbered = Text & { readonly _seq: number }

/** One process with its place. */
export interface ProcessPlace {
  readonly store: Store
  readonly bus: Bus
}

export type Process = ReturnType<typeof openProcess>

export function openProcess(
  { store, bus }: ProcessPlace,
  limits = { events: 2_000, bytes: 5 * 1024 * 1024 },
) {
  const { log } = capturedLog()
  const runs = createRuns<Text, null>({
    kind: 'tested',
    store,
    bus,
    log,
    limits,
    clock: systemClock,
    ids: randomIds,
    most: 1_000,
    lifetimes: { parked: 60_000, ended: 60_000 },
    activeMs: 60_000,
    tooMany: () => new Refusal({ status: 429, code: 'too_many', reason: 'Too many.' }),
  })

  /** Starts a run, and returns what controls it. */
  async function start() {
    const id = randomIds.uuid()
    const { promise: ending, resolve: end, reject } = Promise.withResolvers<Text>()
    ending.catch(() => undefined)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let emit: (event: Text) => void = () => undefined
    await runs.add({
      id,
      draft: '',
      lost: { type: 'lost' },
      about: () => null,
      work(run) {
        emit = run.emit
        begin()
        run.signal.addEventListener('abort', () => reject(new Error('stopped')))
        return ending.catch(() => ({ type: 'canceled' }))
      },
      cancel: (run) => void (!run.hasStarted ? runs.forget(run) : run.stop(new Error('canceled'))),
    })
    return { id, begun, emit: (event: Text) => emit(event), end }
  }

  /** Reads at most `most` events after a number, and leaves. */
  async function read(id: string, after: number, most = Infinity): Promise<readonly Numbered[]> {
    const seen: Numbered[] = []
    const { signal } = new AbortController()
    const reader = runs.follow(id, { after, holder: undefined, signal })
    if ((await runs.find(id))?.phase === 'parked') await runs.begin(id)
    for await (const { data } of reader) if (seen.push(data) >= most) break
    return seen
  }
  return { runs, start, read }
}

/** A generator of numbers below a limit, the same for the same seed. */
export function numbersOf(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Reads a run to its end in parts of random lengths, each of them in any of the processes. */
async function readInParts(id: string, processes: readonly Process[], below: (limit: number) => number) {
  const seen: Numbered[] = []
  while (seen.length === 0 || seen.at(-1)?.type === 'text') {
    const process = processes[below(processes.length)]
    seen.push(...((await process?.read(id, seen.at(-1)?._seq ?? 0, 1 + below(40))) ?? []))
  }
  return seen
}

/**
 * A run with random pauses between random numbers of events, as several readers of several processes have
 * read it.
 */
export async function readRandomly(processes: readonly [Process, ...Process[]], seed: number) {
  const below = numbersOf(seed)
  const run = await processes[0].start()
  const reading = Array.from({ length: 4 }, (_, at) => readInParts(run.id, processes, numbersOf(seed + at)))
  await run.begun
  const texts = Array.from({ length: 50 + below(200) }, (_, at) => `${at} ${'x'.repeat(below(1_000))}`)
  for (const text of texts) {
    run.emit({ type: 'text', text })
    if (below(3) === 0) await pause(below(4))
  }
  run.end({ type: 'end' })
  const events = [...texts.map((text) => ({ type: 'text', text })), { type: 'end' }]
  return {
    expected: events.map((event, at) => ({ ...event, _seq: at + 1 })),
    read: await Promise.all(reading),
  }
}

/** Cancels runs from one process while they end in another; returns the answer and the last events of each. */
export async function cancelWhileEnding(owner: Process, other: Process, seed: number) {
  const below = numbersOf(seed)
  const run = await owner.start()
  const reading = owner.read(run.id, 0)
  await run.begun
  await pause(below(3))
  const canceling = pause(below(6)).then(() => other.runs.ask(run.id, 'cancel', true))
  await pause(below(6))
  run.end({ type: 'end' })
  const isAsked = await canceling
  const types = (await reading).map(({ type }) => type)
  const again = (await other.read(run.id, 0)).map(({ type }) => type)
  return { isAsked, types, again }
}
