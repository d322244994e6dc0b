import { readFileSync } from 'node:fs'
import t from 'tap'
import { gateName } from '../../kernel/draw.ts'
import { routesOf } from '../surface/shapes.ts'
import { matrixText } from './matrix-text.ts'
import { askAll, byGate, type Asked, type Result } from './matrix.ts'

const results = await askAll()
const remedy = 'if the change is intended, `npm run surface` records it; review the difference'

t.test('every gate admits the callers recorded in test/fixtures/security/matrix.txt', (t) => {
  const written = readFileSync(new URL('../fixtures/security/matrix.txt', import.meta.url), 'utf8')
  t.strictSame(matrixText(results).split('\n'), written.split('\n'), remedy)
  t.end()
})

const where = ({ installation: { shape, labels } }: Result): string => `${shape} ${JSON.stringify(labels)}`

t.test('all routes of a gate treat a caller alike, and all ways to present a credential are equal', (t) => {
  const differing: string[] = []
  for (const result of results) {
    for (const [gate, asked] of byGate(result.asked)) {
      // The origin check lets pages of other origins send a GET with a token, whose answer they cannot read.
      const alike = asked.filter(
        ({ caller, route }) => !(caller.name.startsWith('other page') && route.startsWith('GET ')),
      )
      for (const [name, each] of Map.groupBy(alike, ({ caller }) => caller.name)) {
        const verdicts = [...Map.groupBy(each, ({ verdict }) => verdict)]
        const seen = verdicts.map(
          ([verdict, same]) =>
            `${verdict} from ${same.map(({ route, way }) => `${route} by ${way}`).join(', ')}`,
        )
        if (verdicts.length > 1) differing.push(`${name} at ${gate}, ${where(result)}: ${seen.join('; ')}`)
      }
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
/** Only a server of its own has them: the page of the studio, which asks for the password itself. */
const studio = ['GET /studio', 'GET /studio/:name']
/** A fixed image that browsers request without a token. A mount has none: the website serves its own. */
const icon = 'GET /favicon.ico'

t.test('without a token, a closed mount or server answers its open routes only', (t) => {
  const closed = results.filter(
    ({ installation: { labels } }) =>
      (labels['hook'] === 'none' || labels['ORCHESTRATOR_GATE'] === 'all') &&
      (labels['NODE_ENV'] === 'production' || labels['credential'] !== 'none'),
  )
  const without = ['none', 'wrong', 'swapped', 'publish', 'draft', 'cookie', 'old cookie']
  const admitted = (asked: readonly Asked[]) =>
    asked
      .filter(({ caller, verdict }) => verdict === 'in' && without.includes(caller.name))
      .map(({ route }) => route)
  for (const result of closed) {
    // A mount requires the token on the loopback address too.
    const found = new Set(
      admitted(result.asked).filter(
        (route) => result.installation.shape === 'library' || ![icon, ...studio].includes(route),
      ),
    )
    t.ok(
      found.size >= 3 && [...found].every((route) => open.has(route)),
      `${where(result)}: ${[...found].join(', ')}`,
    )
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
  t.equal(
    textsOf('401 token', orchestrators).size,
    2,
    'a publish token that is missing, and one that is wrong',
  )
  t.equal(
    textsOf('401 reason', ['site']).size,
    3,
    'no publish secret here, another one, another draft secret',
  )
  t.equal(textsOf('404', orchestrators).size, 1)
  t.end()
})

t.test('a credential gives access only to the routes it is for', (t) => {
  const verdicts = (caller: string, route: string, set: Readonly<Record<string, string>>, shape: string) => [
    ...new Set(
      results
        .filter(
          ({ installation }) =>
            installation.shape === shape &&
            Object.entries(set).every(([axis, label]) => installation.labels[axis] === label),
        )
        .flatMap(({ asked }) =>
          asked
            .filter((each) => each.caller.name === caller && each.route === route)
            .map(({ verdict }) => verdict),
        ),
    ),
  ]
  const mount = { hook: 'none', credential: 'both', PUBLISH_TOKEN: 'set' }
  for (const caller of ['fixed', 'issued', 'scoped']) {
    t.strictSame(
      verdicts(caller, 'POST /publish', mount, 'library'),
      ['401 token'],
      'an editor cannot publish',
    )
    t.strictSame(
      verdicts(caller, 'POST /publish', { ORCHESTRATOR_GATE: 'unset', PUBLISH_TOKEN: 'set' }, 'standalone'),
      ['401 token'],
    )
    t.strictSame(
      verdicts(`${caller}+publish`, 'POST /publish', mount, 'library'),
      ['in'],
      'both tokens together can publish',
    )
    t.strictSame(
      verdicts(
        `${caller}+publish`,
        'POST /publish',
        { ORCHESTRATOR_GATE: 'all', credential: 'both', PUBLISH_TOKEN: 'set' },
        'standalone',
      ),
      ['in'],
    )
  }
  t.strictSame(verdicts('publish', 'POST /ops', mount, 'library'), ['401'], 'a publisher cannot edit')
  t.strictSame(verdicts('publish', 'GET /draft', { DRAFT_MODE_SECRET: 'set' }, 'site'), ['401 reason'])
  t.strictSame(verdicts('draft', 'POST /publish', { PUBLISH_TOKEN: 'set' }, 'site'), ['401 reason'])
  t.strictSame(verdicts('cookie', 'any page of the website', { DRAFT_MODE_SECRET: 'set' }, 'site'), ['draft'])
  t.strictSame(verdicts('old cookie', 'any page of the website', { DRAFT_MODE_SECRET: 'set' }, 'site'), [
    'published',
  ])
  t.end()
})
