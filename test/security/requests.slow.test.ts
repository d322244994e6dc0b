import { hash } from 'node:crypto'
import t from 'tap'
import { rightTypes, wrongTypes } from '../helpers/content-types.ts'
import { allRoutes, bodyRoutes, exampleFor, isStream } from './bodies.ts'
import { json, startService, verdictOf } from './service.ts'

const password = 'the right password'
const editor = 'https://editor.test'
const token = 'a-token-that-is-32-characters-lo'
const { port, stored, ...service } = await startService(t, {
  env: {
    ACCESS_PASSWORD_HASH: hash('sha256', password),
    ORCHESTRATOR_ACCESS_TOKEN: token,
    ORCHESTRATOR_CORS_ORIGINS: editor,
  },
})
/** The agent surface and Jira require a token before any other check. */
const send: typeof service.send = ({ headers, ...sent }) =>
  service.send({
    ...sent,
    headers: {
      ...(/^\/(?:(?:sites-)?agent|jira)\b/.test(sent.path) && { 'x-access-token': token }),
      ...headers,
    },
  })

const formType = 'multipart/form-data; boundary=x'
const typed = (type: string | undefined): Readonly<Record<string, string>> =>
  type === undefined ? {} : { 'content-type': type }

t.test('every route refuses a body whose content type is not clearly JSON', async (t) => {
  t.ok(wrongTypes.size >= 200, `${wrongTypes.size} types`)
  const before = stored()
  for (const { name, path, method, example, takesForm } of bodyRoutes) {
    const body = JSON.stringify(name === 'POST /auth/verify' ? { password } : example)
    // Such a route accepts this type for its file.
    const verdicts = [...wrongTypes]
      .filter((type) => !takesForm || type !== formType)
      .map(async (type) => {
        const answer = await send({ method, path, body, headers: typed(type) })
        return { type, verdict: `${answer.status} ${verdictOf(answer)}` }
      })
    const surprises = (await Promise.all(verdicts)).filter(
      ({ verdict }) => verdict !== '415 unsupported_media_type',
    )
    t.strictSame(surprises, [], `${name}: ${verdicts.length} times 415`)
    t.equal((await send({ method, path, body })).status, 415, `${name}: a body without a content type`)
    const packed = { ...typed('application/json'), 'content-encoding': 'gzip' }
    t.equal((await send({ method, path, body, headers: packed })).status, 415, `${name}: a compressed body`)
  }
  t.equal(stored(), before)
})

const wrongFields = '{"siteId":7,"session":7,"password":7,"baseVersion":"x"}'
const misfits = ['{', '', 'null', '7', '"x"', '[]', '[{}]', wrongFields]

t.test('every route validates JSON before its handler, however the content type is spelled', async (t) => {
  const before = stored()
  for (const { name, path, method } of bodyRoutes) {
    for (const type of rightTypes) {
      const statuses = misfits.map(
        async (body) => (await send({ method, path, body, headers: typed(type) })).status,
      )
      t.strictSame([...new Set(await Promise.all(statuses))], [400], `${name} as ${type}`)
    }
  }
  t.equal(stored(), before)
  for (const [at, type] of rightTypes.entries()) {
    const body = JSON.stringify({ siteId: `site-${at}`, name: 'A site' })
    const { status } = await send({ method: 'POST', path: '/sites/register', body, headers: typed(type) })
    t.equal(status, 200, type)
  }
  t.not(stored(), before, 'a change would have been seen')
})

/** Types that a page of another origin can send without a preflight: by a form, `fetch` in mode no-cors, a beacon. */
const text = ['text/plain', 'text/plain;charset=UTF-8']
const simpleTypes = [...text, 'application/x-www-form-urlencoded', formType, undefined]
const foreignOrigins =
  'https://evil.test null http://editor.test https://editor.test.evil.test http://localhost:3000'.split(' ')

t.test('a page of another origin changes nothing, with any request', async (t) => {
  const before = stored()
  const changing = allRoutes.map(({ spec }) => spec).filter(({ method }) => method !== 'GET')
  for (const { method, path, upload } of changing) {
    const example = exampleFor(method, path)
    const body = example && { body: JSON.stringify(example) }
    for (const origin of foreignOrigins) {
      for (const type of [...simpleTypes, 'application/json']) {
        const answer = await send({ method, path, headers: { origin, ...typed(type) }, ...body })
        const seen = [answer.status, verdictOf(answer), answer.headers['access-control-allow-origin']]
        const name = `${method} ${path} from ${origin} as ${type}`
        t.strictSame(seen, [403, 'origin_not_allowed', undefined], name)
      }
      const asking = { origin, 'access-control-request-method': method }
      const { status, headers } = await send({ method: 'OPTIONS', path, headers: asking })
      const seen = [status, headers['access-control-allow-origin']]
      t.strictSame(seen, [403, undefined], `preflight for ${path}`)
    }
    if (!body) continue
    for (const type of simpleTypes.filter((each) => upload === undefined || each !== formType)) {
      const { status } = await send({ method, path, headers: typed(type), ...body })
      t.equal(status, 415, `${method} ${path} as ${type}, from a browser that sends no origin`)
    }
  }
  t.equal(stored(), before)
})

t.test('a page of another origin reads nothing', async (t) => {
  const reading = allRoutes.filter((route) => route.spec.method === 'GET' && !isStream(route))
  for (const { path } of reading.map(({ spec }) => spec)) {
    const of = `${path}?session=dev&siteId=demo&slug=/`
    for (const origin of foreignOrigins) {
      const { status, headers } = await send({ path: of, headers: { origin } })
      t.ok(status < 500, `${path} runs for ${origin}`)
      const allowing = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
      t.strictSame(allowing, [], `${path} has no allow header for ${origin}`)
    }
    const { headers } = await send({ path, headers: { origin: editor } })
    t.equal(headers['access-control-allow-origin'], editor, `${path} may be read by the editor`)
  }
})

t.test('no route answers to a foreign host name that resolves to this machine', async (t) => {
  const before = stored()
  const lures = [
    { host: 'evil.test' },
    { host: `evil.test:${port}`, origin: `http://evil.test:${port}` },
    { host: 'localhost.evil.test' },
    { host: '127.0.0.1.evil.test' },
  ]
  for (const { method, path } of allRoutes.map(({ spec }) => spec)) {
    const example = exampleFor(method, path)
    for (const headers of lures) {
      const plain = { method, path: `${path}?session=dev&slug=/&key=x`, headers }
      const answer = await send(example ? json(path, example, method, headers) : plain)
      const seen = [answer.status, verdictOf(answer)]
      t.strictSame(seen, [403, 'host_not_allowed'], `${method} ${path} at ${headers.host}`)
    }
  }
  t.equal(stored(), before)
})
