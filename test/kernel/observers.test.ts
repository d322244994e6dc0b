import t from 'tap'
import { definePlugin, gates, requestObservers, use, type RequestObserver } from '../../kernel/index.ts'
import { capturedLog, everyWayIn } from '../../kernel/testing.ts'

const routes = {
  hello: {
    method: 'GET',
    path: '/hello/:name',
    gate: gates.public,
    summary: 'Greets.',
    replies: { 204: { reply: 'empty', summary: '' } },
  },
} as const
const greeter = (record: (line: string) => void) =>
  definePlugin({ name: 'greeter', tag: 'Greetings', routes }).setup(() => ({
    handlers: {
      async hello() {
        await Promise.resolve()
        record('handled')
        return { status: 204, body: null }
      },
    },
  }))
const observing = (name: string, observer: RequestObserver) =>
  use(
    definePlugin({ name, tag: 'Greetings', gives: { observer: requestObservers } }).setup(() => ({
      gives: { observer },
    })),
  )

t.test('observers wrap every request from begin to end, nested in order', async (t) => {
  let lines: string[] = []
  const record = (line: string): void => void lines.push(line)
  const observer = (name: string): RequestObserver => ({
    begin: ({ method, path }) => ({
      run(work) {
        record(`${name} runs ${method} ${path}`)
        return work()
      },
      end: ({ route, status }) => record(`${name} ends ${route} ${status}`),
    }),
  })
  const setting = () => ({
    plugins: [
      use(greeter(record)),
      observing('inner', observer('inner')),
      observing('none', { begin: () => undefined }),
      observing('outer', observer('outer')),
    ],
  })
  await everyWayIn(t, setting, async (t, ask) => {
    lines = []
    await ask({ url: '/hello/Ada' })
    t.same(lines, [
      'outer runs GET /hello/Ada',
      'inner runs GET /hello/Ada',
      'handled',
      'inner ends /hello/:name 204',
      'outer ends /hello/:name 204',
    ])
    lines = []
    await ask({ url: '/nowhere' })
    t.same(lines.slice(2), ['inner ends (unknown) 404', 'outer ends (unknown) 404'])
  })
})

t.test('a failing observer does not affect the request', async (t) => {
  const fail = (): never => {
    throw new Error('broken observer')
  }
  const { log, lines } = capturedLog()
  const setting = () => ({
    plugins: [
      use(greeter(() => undefined)),
      observing('begins', { begin: fail }),
      observing('ends', { begin: () => ({ end: fail }) }),
    ],
    log,
  })
  await everyWayIn(t, setting, async (t, ask) => {
    const before = lines.length
    t.equal((await ask({ url: '/hello/Ada' })).status, 204)
    t.equal(lines.slice(before).filter((line) => line.includes('request observer failed')).length, 2)
  })
})
