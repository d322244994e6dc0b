import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { until } from '../helpers/until.ts'
import { inTurns } from '../../plugins/studio/app/turns.ts'
import { readDraft } from '../../plugins/site/browser/draft-stream.ts'
import { withLock } from '../../plugins/site/browser/locks.ts'

// Tabs of a page without TLS have channels, and no locks of the browser.
const document = Object.assign(new EventTarget(), { hidden: false })
const location = { href: 'http://site.test/about' }
const browser = { navigator: {}, window: globalThis, document, location, isSecureContext: false }
for (const [name, value] of Object.entries(browser))
  Object.defineProperty(globalThis, name, { value, configurable: true })

const forEver = new AbortController().signal

t.test('of those who want a lock one has it at a time, in the order in which they came', async (t) => {
  let holding = 0
  const order: number[] = []
  const work = async (n: number): Promise<void> => {
    order.push(n)
    t.equal(++holding, 1)
    await pause(20)
    holding -= 1
  }
  const all: Promise<void>[] = []
  for (const n of [1, 2, 3]) {
    all.push(withLock('in order', forEver, () => work(n)))
    await pause(2)
  }
  await Promise.all(all)
  t.strictSame(order, [1, 2, 3])
})

t.test('who stops to wait hinders none, and a lock after failed work is free', async (t) => {
  const stopping = new AbortController()
  const first = withLock('stopped', stopping.signal, async () => void t.fail('it waits'))
  stopping.abort()
  await t.rejects(first, { name: 'AbortError' })
  await t.rejects(
    withLock('stopped', forEver, async () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  )
  let isDone = false
  await withLock('stopped', forEver, async () => void (isDone = true))
  t.ok(isDone)
})

t.test('where two have it, because one did not answer in time, the later one loses it', async (t) => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
  const before = withLock('two', forEver, async (lost) => {
    hold()
    await isOver
    t.notOk(lost.aborted)
  })
  await isHeld
  // Another that has taken it meanwhile.
  const channel = new BroadcastChannel('two:lock')
  const heard: unknown[] = []
  channel.addEventListener('message', ({ data }) => void heard.push(data))
  channel.postMessage({ says: 'holds', from: { at: Date.now() + 1000, id: 'later' } })
  await pause(50)
  t.match(heard, [{ says: 'holds' }], 'it hears of the first')
  end()
  await before
  await withLock('two', forEver, async (lost) => {
    channel.postMessage({ says: 'holds', from: { at: 0, id: 'earlier' } })
    await new Promise((resolve) => lost.addEventListener('abort', resolve))
  })
  channel.close()
})

t.test('streams take three places in turns, also without locks of the browser', async (t) => {
  const ending = new AbortController()
  const [open, seen] = [new Set<string>(), new Set<string>()]
  async function* stream(name: string, signal: AbortSignal | undefined) {
    open.add(name)
    seen.add(name)
    t.ok(open.size <= 3)
    try {
      yield { id: '1', event: 'message', data: name }
      await pause(60_000, undefined, { signal })
    } finally {
      open.delete(name)
    }
  }
  const names = ['one', 'two', 'three', 'four', 'five']
  const reading = names.map(async (name) => {
    const { signal } = ending
    for await (const { data } of inTurns({ signal }, (part) => stream(name, part.signal))) t.equal(data, name)
  })
  while (seen.size < names.length) await pause(20)
  ending.abort()
  t.strictSame(
    (await Promise.allSettled(reading)).map(({ status }) => status),
    names.map(() => 'rejected'),
  )
})

t.test(
  'pages with one draft share its stream, which another page reads when the first is closed',
  async (t) => {
    const open = new Set<EventTarget>()
    class Stream extends EventTarget {
      constructor() {
        super()
        open.add(this)
      }
      close = () => open.delete(this)
    }
    Object.defineProperty(globalThis, 'EventSource', { value: Stream, configurable: true })
    const send = (type: string): void =>
      open.forEach((stream) =>
        stream.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ type }) })),
      )
    const pages = [1, 2, 3].map(() => {
      const heard: string[] = []
      const close = readDraft('http://service.test/events?session=dev', {
        hear: ({ type }) => void heard.push(type),
        later: () => t.fail('no stream was refused'),
        onOpen: () => undefined,
      })
      return { heard, close }
    })
    await until(() => open.size === 1, 'one page reads')
    await pause(500)
    t.equal(open.size, 1, 'and no other one')
    send('first')
    await until(() => pages.every(({ heard }) => heard.includes('first')), 'each page has heard of it')
    for (const { close } of pages.splice(0, 2)) close()
    await until(() => open.size === 1, 'the last page reads')
    send('second')
    t.strictSame(
      pages[0]?.heard.filter((type) => type !== 'hello'),
      ['first', 'second'],
    )
    pages[0]?.close()
    t.equal(open.size, 0)
  },
)
