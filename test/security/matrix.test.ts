import { readFileSync } from 'node:fs'
import t from 'tap'
import { gateName } from '../../kernel/draw.ts'
import { askAll, credentials, installations, matrixText, type Column } from './matrix.ts'

const columns = { standalone: await askAll('standalone'), library: await askAll('library') }
const remedy = 'if the change is meant, `node test/security/write-matrix.ts` writes it down; read the difference'

t.test('every route lets in who is written down in test/fixtures/security/matrix.txt', (t) => {
  const written = readFileSync(new URL('../fixtures/security/matrix.txt', import.meta.url), 'utf8')
  const found = [matrixText('standalone', columns.standalone), matrixText('library', columns.library)].join('\n')
  t.strictSame(found.split('\n'), written.split('\n'), remedy)
  t.end()
})

const isSecretSet = ({ installation }: Column): boolean => installation.endsWith('secrets set')
/** The routes that a mount answers without a token. There is no fifth, so a new one has to be argued for here. */
const open = new Set(['GET /auth/status', 'POST /auth/verify', 'GET /health', 'GET /generated-images/:fileName'])

t.test('a mount answers nothing but its open routes without a token', (t) => {
  t.equal(columns.library.length, Object.keys(installations).length * Object.keys(credentials).length)
  for (const column of columns.library.filter(({ installation }) => installation !== 'development, nothing set')) {
    const { installation, credential, answers } = column
    const knowsToken = isSecretSet(column) && ['access', 'both'].includes(credential)
    for (const { route, answer } of answers) {
      const { method, path } = route.spec
      const what = `${method} ${path} for ${credential} in ${installation}`
      if (route.leftOut !== undefined) t.strictSame([answer.status, answer.headers.get('content-type')], [404, 'application/json; charset=utf-8'], what)
      else if (open.has(`${method} ${path}`)) t.not(answer.text.includes('"unauthorized"'), true, what)
      else if (!knowsToken) t.strictSame([answer.status, Object.entries(answer.json() as object)[0]], [401, ['error', 'unauthorized']], what)
      else if (gateName(route) !== 'publish') t.not(answer.status, 401, what)
    }
  }
  t.end()
})

t.test('a refusal of a gate is one text, whatever was guessed and wherever', (t) => {
  const refused = columns.library.filter(isSecretSet).flatMap(({ credential, answers }) => (credential === 'none' || credential === 'wrong' || credential === 'publish' ? answers : []))
  const texts = refused.filter(({ route }) => !open.has(`${route.spec.method} ${route.spec.path}`) && route.leftOut === undefined).map(({ answer }) => answer.text)
  t.ok(texts.length > 100)
  t.strictSame([...new Set(texts)], ['{"error":"unauthorized"}'])
  t.end()
})

t.test('the token of one thing opens no other', (t) => {
  const statusOf = (wanted: string, path: string): readonly number[] =>
    [...columns.standalone, ...columns.library].filter(isSecretSet).filter(({ credential }) => credential === wanted)
      .flatMap(({ answers }) => answers.filter(({ route }) => route.spec.method === 'POST' && route.spec.path === path).map(({ answer }) => answer.status))
  t.strictSame(statusOf('access', '/publish'), [401, 401, 401, 401], 'who may edit may not publish')
  t.strictSame(statusOf('publish', '/ops').slice(2), [401, 401], 'who may publish may not edit a mount')
  t.strictSame(statusOf('wrong', '/publish'), [401, 401, 401, 401])
  t.ok(statusOf('both', '/publish').every((status) => status !== 401))
  t.end()
})
