import { readFileSync } from 'node:fs'
import t from 'tap'
import { gateName } from '../../kernel/draw.ts'
import { routesOf } from '../surface/shapes.ts'
import { fixture, matrixText } from './matrix-text.ts'
import { askAll, type GateVerdict, type MatrixResult } from './matrix.ts'

const results = await askAll()
const remedy = 'if the change is intended, `npm run surface` records it; review the difference'

t.test('every gate admits the callers recorded in test/fixtures/security/matrix.txt', (t) => {
  const written = readFileSync(fixture, 'utf8')
  t.strictSame(matrixText(results).split('\n'), written.split('\n'), remedy)
  t.end()
})

const where = ({ installation: { shape, labels } }: MatrixResult): string =>
  `${shape} ${JSON.stringify(labels)}`

t.test('all routes of a gate treat a caller alike, and all ways to present a credential are equal', (t) => {
  const differing: string[] = []
  for (const result of results) {
    // The origin check lets pages of other origins send a GET with a token, whose answer they cannot read.
    const asked = result.asked.filter(
      ({ caller, route }) => !(caller.name.startsWith('other page') && route.startsWith('GET ')),
    )
    for (const [name, alike] of Map.groupBy(asked, ({ caller, gate }) => `${caller.name} at ${gate}`)) {
      const verdicts = Map.groupBy(alike, ({ verdict }) => verdict)
      if (verdicts.size === 1) continue
      const seen = alike.map(({ verdict, route, way }) => `${verdict} from ${route} by ${way}`)
      differing.push(`${name}, ${where(result)}: ${seen.join('; ')}`)
    }
  }
  t.strictSame(differing, [])
  t.end()
})

const ofTests = new Set(['POST /agent/probe', 'POST /sites-agent/probe', 'any page of the website'])

t.test('no route is left out of the matrix', async (t) => {
  for (const [shape, group] of Map.groupBy(results, ({ installation }) => installation.shape)) {
    const routes = (await routesOf(shape)).map(
      (route) => `${gateName(route)}: ${route.spec.method} ${route.spec.path}`,
    )
    for (const result of group) {
      const asked = result.asked
        .filter(({ route }) => !ofTests.has(route))
        .map(({ gate, route }) => `${gate}: ${route}`)
      t.strictSame([...new Set(asked)].toSorted(), routes.toSorted(), where(result))
    }
  }
})

/** The routes that a mount answers without a token. Justify any further one here. */
const open = new Set([
  'GET /auth/status',
  'POST /auth/verify',
  'GET /health',
  'GET /generated-images/:fileName',
])
/**
 * Open on a server of its own only: the page of the studio, which asks for the password itself, an image that browsers
 * request without a token, and what supervisors and proxies ask without one.
 */
const ofServers = ['GET /studio', 'GET /studio/:name', 'GET /favicon.ico', 'GET /livez', 'GET /readyz']

t.test('without a token, a closed mount or server answers its open routes only', (t) => {
  const closed = results.filter(
    ({ installation: { labels } }) =>
      (labels['hook'] === 'none' || labels['ORCHESTRATOR_GATE'] === 'all') &&
      (labels['NODE_ENV'] === 'production' || labels['credential'] !== 'none'),
  )
  const without = ['none', 'wrong', 'swapped', 'publish', 'draft', 'cookie', 'old cookie']
  const admitted = (asked: readonly GateVerdict[]) =>
    asked
      .filter(({ caller, verdict }) => verdict === 'in' && without.includes(caller.name))
      .map(({ route }) => route)
  for (const result of closed) {
    // A mount requires the token on the loopback address too.
    const found = new Set(
      admitted(result.asked).filter(
        (route) => result.installation.shape === 'library' || !ofServers.includes(route),
      ),
    )
    const isOpen = found.size >= 3 && [...found].every((route) => open.has(route))
    t.ok(isOpen, `${where(result)}: ${[...found].join(', ')}`)
  }
  t.equal(closed.length, 84)
  t.end()
})

t.test('a gate refuses with one text, for every guess and on every route', (t) => {
  const textsOf = (verdict: string, shapes: readonly string[]) =>
    new Set(
      results
        .filter(({ installation }) => shapes.includes(installation.shape))
        .flatMap(({ asked }) => asked.filter((each) => each.verdict === verdict).map(({ text }) => text)),
    )
  const orchestrators = ['standalone', 'library']
  t.strictSame([...textsOf('401', [...orchestrators, 'site'])], ['{"error":"unauthorized"}'])
  t.equal(textsOf('401 reason', orchestrators).size, 1, 'the reason of a closed mount')
  t.equal(textsOf('401 token', orchestrators).size, 2, 'a missing publish token, and a wrong one')
  t.equal(textsOf('401 reason', ['site']).size, 3, 'no publish secret, another one, another draft secret')
  t.equal(textsOf('404', orchestrators).size, 1)
  t.end()
})

t.test('a credential gives access only to the routes it is for', (t) => {
  const verdicts = (caller: string, route: string, set: Readonly<Record<string, string>>, shape: string) => {
    const isMeant = ({ installation }: MatrixResult) =>
      installation.shape === shape &&
      Object.entries(set).every(([axis, label]) => installation.labels[axis] === label)
    const asked = results.filter(isMeant).flatMap((result) => result.asked)
    const alike = asked.filter((each) => each.caller.name === caller && each.route === route)
    return [...new Set(alike.map(({ verdict }) => verdict))]
  }
  const token = { PUBLISH_TOKEN: 'set' }
  const mount = { hook: 'none', credential: 'both', ...token }
  const open = { ORCHESTRATOR_GATE: 'unset', ...token }
  const closed = { ORCHESTRATOR_GATE: 'all', credential: 'both', ...token }
  const draft = { DRAFT_MODE_SECRET: 'set' }
  const page = 'any page of the website'
  for (const [caller, route, set, shape, verdict] of [
    // An editor cannot publish; both tokens together can, and a publisher cannot edit.
    ...['fixed', 'issued', 'scoped'].flatMap(
      (caller) =>
        [
          [caller, 'POST /publish', mount, 'library', '401 token'],
          [caller, 'POST /publish', open, 'standalone', '401 token'],
          [`${caller}+publish`, 'POST /publish', mount, 'library', 'in'],
          [`${caller}+publish`, 'POST /publish', closed, 'standalone', 'in'],
        ] as const,
    ),
    ['publish', 'POST /ops', mount, 'library', '401'],
    ['publish', 'GET /draft', draft, 'site', '401 reason'],
    ['draft', 'POST /publish', token, 'site', '401 reason'],
    ['cookie', page, draft, 'site', 'draft'],
    ['old cookie', page, draft, 'site', 'published'],
  ] as const)
    t.strictSame(verdicts(caller, route, set, shape), [verdict], `${caller}: ${route} of ${shape}`)
  t.end()
})
