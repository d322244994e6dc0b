import fs from 'node:fs/promises'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import * as v from 'valibot'
import { writeDurably } from '../../kernel/durable-file.ts'
import { boundedCount, countOption, defineRefusal, longestTimer, readSwitch } from '../../kernel/index.ts'
import {
  createKeyedQueue,
  limitConcurrency,
  runWithTimeout,
  untilAborted,
  workerResult,
} from '../../kernel/std/index.ts'

const never = (): Promise<never> => new Promise(() => undefined)

t.test('a job is given up at its time limit, or when it is canceled, and its signal aborts', async (t) => {
  const overdue = (): Error => new Error('late')
  const stopping = (signal: AbortSignal): Promise<never> => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(new Error('stopped')))
    return promise
  }
  const stop = new AbortController()
  const options = { canceled: stop.signal, overdue }
  t.equal(await runWithTimeout(10_000, async () => 'done', options), 'done')
  await t.rejects(runWithTimeout(1, stopping, options), { message: 'late' })
  const waiting = runWithTimeout(10_000, stopping, options)
  stop.abort(new Error('gone'))
  await t.rejects(waiting, { message: 'gone' })
  const late = runWithTimeout(10_000, async () => t.fail('runs'), options)
  await t.rejects(late, { message: 'gone' }, 'a job that is canceled before does not run')
  await t.rejects(untilAborted(never(), stop.signal), { message: 'gone' })
})

t.test('a worker is ended with its first message, and its failure or early end is an error', async (t) => {
  const run = (code: string) => {
    const worker = new Worker(code, { eval: true, stderr: true })
    return { worker, result: workerResult(worker) }
  }
  const posting = `const { parentPort } = require('node:worker_threads');`
  const { worker, result } = run(`${posting} parentPort.postMessage({ a: 1 }); setInterval(() => {}, 1000)`)
  t.strictSame(await result, { a: 1 })
  t.equal(worker.threadId, -1, 'its thread has ended')
  await t.rejects(run('throw new RangeError("too large")').result, {
    name: 'RangeError',
    message: 'too large',
  })
  await t.rejects(run('process.exit(0)').result, { message: 'the worker exited without a result' })
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

t.test('jobs of one key run in order, others concurrently, and a failed one stops no other', async (t) => {
  const queue = createKeyedQueue()
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const job = (name: string) => async (waited: boolean) => {
    log.push(`${name} ${waited}`)
    return name
  }
  const first = queue.run('a', async () => {
    await gate.promise
    throw new Error('failed')
  })
  const others = [queue.run('a', job('second')), queue.run('a', job('third')), queue.run('b', job('other'))]
  await others[2]
  t.strictSame(log, ['other false'])
  t.equal(queue.has('a'), true)
  gate.resolve()
  await t.rejects(first, { message: 'failed' })
  t.strictSame(await Promise.all(others), ['second', 'third', 'other'])
  t.strictSame(log, ['other false', 'second true', 'third true'])
  await queue.idle()
  t.strictSame([queue.has('a'), queue.has('b')], [false, false])
})

t.test('an aborted or overdue job does not run, and the order is preserved', async (t) => {
  const queue = createKeyedQueue({ longestWaitMs: 20, overdue: () => new Error('busy') })
  const gate = Promise.withResolvers<void>()
  const log: string[] = []
  const first = queue.run('a', async () => {
    await gate.promise
    log.push('first')
  })
  const leaving = new AbortController()
  const left = queue.run('a', async () => void log.push('left'), leaving.signal)
  leaving.abort(new Error('gone'))
  await t.rejects(left, { message: 'gone' })
  await t.rejects(
    queue.run('a', async () => undefined, leaving.signal),
    { message: 'gone' },
  )
  await t.rejects(
    queue.run('a', async () => void log.push('late')),
    { message: 'busy' },
  )
  const last = queue.run('a', async () => void log.push('last'))
  gate.resolve()
  await Promise.all([first, last])
  t.strictSame(log, ['first', 'last'])
  const plain = createKeyedQueue({ longestWaitMs: 1 })
  void plain.run('a', never)
  await t.rejects(plain.run('a', never), { message: 'the job waited too long' })
})

t.test('a job that does not end delays the next one by at most longestRunMs', async (t) => {
  const queue = createKeyedQueue<object>({ longestRunMs: 5 })
  const key = {}
  const alive = setTimeout(() => undefined, 10_000)
  void queue.run(key, never)
  t.equal(await queue.run(key, async () => 'next'), 'next')
  clearTimeout(alive)
})

t.test('an unknown word leaves the default and is reported', async (t) => {
  let warned = 0
  const read = (word: string, otherwise: boolean) => readSwitch(word, otherwise, () => void warned++)
  t.strictSame([read('off', true), read('on', false), warned], [false, true, 0])
  t.strictSame([read('maybe', true), read('', false), warned], [true, false, 2])
})

t.test('a count option is an integer from 1, and a count in a query is clamped to its limits', async (t) => {
  const option = countOption(5)
  t.strictSame([v.parse(option, undefined), v.parse(option, 1)], [5, 1])
  for (const wrong of [0, 1.5, -1, '3', null, longestTimer + 1]) t.notOk(v.is(option, wrong), String(wrong))
  const query = boundedCount({ most: 20, otherwise: 8 }, 'How many')
  const texts = [undefined, '', 'many', 'NaN', '0', '-3', '2.9', ' 7 ', '21', '1e999']
  t.strictSame(
    texts.map((text) => v.parse(query, text)),
    [8, 8, 8, 8, 1, 1, 2, 7, 20, 20],
  )
})

t.test('a kind of refusal describes itself unless its reason needs the details of a case', async (t) => {
  const reasons: readonly (readonly [(...details: never) => string, string | undefined])[] = [
    [(most: number) => `At most ${most} pages.`, 'At most … pages.'],
    [(sentence: string) => sentence, undefined],
    [(most: number) => `At most ${most * 2} pages.`, undefined],
    [(slugs: readonly string[]) => `Pages: ${slugs.toSorted().join(', ')}`, undefined],
  ]
  for (const [reason, text] of reasons)
    t.equal(defineRefusal({ status: 400, code: 'refused', reason }).describe(), text)
})

t.test('a refusal has no stack, but its cause has, and so do later errors', async (t) => {
  const cause = new Error('not reached')
  const refused = defineRefusal({
    status: 502,
    code: 'refused',
    reason: () => 'Try again.',
    cause: () => cause,
  })
  t.equal(refused().stack, 'Refusal: Try again.')
  t.match(cause.stack, /small-parts/)
  t.match(new Error('later').stack, /small-parts/)
})

const temporary = '.writing'

t.test('writeDurably replaces a file atomically and creates its folders', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'a', 'b', 'file.txt')
  t.equal(await writeDurably(path, 'first', { temporary, mode: 0o600 }), 5)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(await writeDurably(path, new Uint8Array(2), { temporary }), 2)
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1)
    throw new Error('broke off')
  }
  await t.rejects(writeDurably(path, broken(), { temporary }), { message: 'broke off' })
  t.equal(readFileSync(path).byteLength, 2)
  t.strictSame(readdirSync(join(folder, 'a', 'b')), ['file.txt'])
})

t.test('a folder that cannot be opened for sync is ignored; other errors are thrown', async (t) => {
  const { open } = fs
  const failWith = (code: string): void => {
    fs.open = async (path, flags, mode) => {
      if (flags === 'r') throw Object.assign(new Error(code), { code })
      return open(path, flags, mode)
    }
    syncBuiltinESMExports()
  }
  t.teardown(() => {
    fs.open = open
    syncBuiltinESMExports()
  })
  const path = join(t.testdir({}), 'file.txt')
  failWith('EISDIR')
  t.equal(await writeDurably(path, 'bytes', { temporary }), 5)
  failWith('EIO')
  await t.rejects(writeDurably(path, 'bytes', { temporary }), { code: 'EIO' })
})
