import t from 'tap'
import {
  errorCode,
  limitConcurrency,
  runWithTimeout,
  stableJson,
  untilAborted,
  withTimeout,
  withoutTrailingSlash,
} from '../../../kernel/std/index.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const failing = async (): Promise<never> => {
  throw new Error('failed')
}

t.test('work is awaited until its time limit', async (t) => {
  const late = (): Error => new Error('late')
  t.equal(await withTimeout(10_000, Promise.resolve('done'), late), 'done')
  await t.rejects(withTimeout(10_000, failing(), late), { message: 'failed' })
  await t.rejects(withTimeout(1, never(), late), { message: 'late' })
})

t.test('work is awaited until a signal aborts', async (t) => {
  const stop = new AbortController()
  t.equal(await untilAborted(Promise.resolve('done'), undefined), 'done')
  t.equal(await untilAborted(Promise.resolve('done'), stop.signal), 'done')
  await t.rejects(untilAborted(failing(), stop.signal), { message: 'failed' })
  const waiting = untilAborted(never(), stop.signal)
  stop.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  await t.rejects(untilAborted(never(), stop.signal), { message: 'gone' }, 'the signal had aborted before')
})

t.test('a job is given up at its time limit, or when it is canceled, and its signal aborts', async (t) => {
  const overdue = (): Error => new Error('late')
  const { signal: never } = new AbortController()
  const stopping = (signal: AbortSignal): Promise<never> => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(new Error('stopped')))
    return promise
  }
  t.equal(await runWithTimeout(10_000, async () => 'done', { canceled: never, overdue }), 'done')
  await t.rejects(runWithTimeout(1, stopping, { canceled: never, overdue }), { message: 'late' })
  const stop = new AbortController()
  const waiting = runWithTimeout(10_000, stopping, { canceled: stop.signal, overdue })
  stop.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  const late = runWithTimeout(10_000, async () => t.fail('runs'), { canceled: stop.signal, overdue })
  await t.rejects(late, { message: 'gone' }, 'a job that is canceled before does not run')
})

t.test('jobs run in order with limited concurrency, whether or not one fails', async (t) => {
  const limited = limitConcurrency(2)
  const [begun, most]: [number[], number[]] = [[], []]
  let running = 0
  const jobs = [0, 1, 2, 3, 4].map((job) =>
    limited(async () => {
      begun.push(job)
      most.push(++running)
      await new Promise((resolve) => void setImmediate(resolve))
      running--
      if (job === 1) throw new Error('failed')
      return job
    }),
  )
  const settled = await Promise.allSettled(jobs)
  t.same(begun, [0, 1, 2, 3, 4])
  t.equal(Math.max(...most), 2)
  t.same(
    settled.map(({ status }) => status === 'fulfilled'),
    [true, false, true, true, true],
  )
})

t.test('values are read and written in one form', async (t) => {
  t.equal(errorCode(Object.assign(new Error('missing'), { code: 'ENOENT' })), 'ENOENT')
  t.strictSame(
    [new Error('x'), Object.assign(new Error('x'), { code: 5 }), { code: 'EIO' }, null].map(errorCode),
    [undefined, undefined, undefined, undefined],
  )
  t.equal(
    stableJson({ b: [{ d: 1, c: null }], a: new Date(0) }),
    '{"a":"1970-01-01T00:00:00.000Z","b":[{"c":null,"d":1}]}',
  )
  t.strictSame(['https://a/b//', '/a/', '/', 'a'].map(withoutTrailingSlash), ['https://a/b', '/a', '', 'a'])
})
