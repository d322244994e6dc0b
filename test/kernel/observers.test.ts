import t from 'tap'
import { requestObservers, use, type RequestObserver } from '../../kernel/index.ts'
import { capturedLog, everyWayIn, mountForTest } from '../../kernel/testing.ts'
import { giving, ok, plain } from '../helpers/plain.ts'

const observing = (name: string, observer: RequestObserver) => use(giving(name, requestObservers, observer))

t.test('observers wrap every request from begin to end, nested in order', async (t) => {
  let lines: string[] = []
  const record = (line: string): void => void lines.push(line)
  const observer = (name: string): RequestObserver => ({
    begin: ({ method, path }) => ({
      run: (work) => (record(`${name} runs ${method} ${path}`), work()),
      end: ({ route, status }) => record(`${name} ends ${route} ${status}`),
    }),
  })
  const none = observing('none', { begin: () => undefined })
  const [inner, outer] = [observing('inner', observer('inner')), observing('outer', observer('outer'))]
  const greeting = plain({ 'GET /hello/:name': async () => (await Promise.resolve(), record('handled'), ok) })
  const setting = () => ({ plugins: [greeting, inner, none, outer] })
  await everyWayIn(t, setting, async (t, ask) => {
    lines = []
    await ask({ url: '/hello/Ada' })
    t.same(lines, [
      'outer runs GET /hello/Ada',
      'inner runs GET /hello/Ada',
      'handled',
      'inner ends /hello/:name 200',
      'outer ends /hello/:name 200',
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
  const broken = [observing('begins', { begin: fail }), observing('ends', { begin: () => ({ end: fail }) })]
  const { inject } = mountForTest(t, { plugins: [plain({ 'GET /hello': () => ok }), ...broken], log })
  t.equal((await inject({ url: '/hello' })).status, 200)
  t.equal(lines.filter((line) => line.includes('request observer failed')).length, 2)
})
