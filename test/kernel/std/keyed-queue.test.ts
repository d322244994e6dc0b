import t from 'tap'
import { createKeyedQueue } from '../../../kernel/std/index.ts'

const never = (): Promise<never> => new Promise(() => undefined)

t.test(
  'jobs of one key run in order, other keys run concurrently, and a failed job does not stop the next',
  async (t) => {
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
  },
)

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
