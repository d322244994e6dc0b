import { readFileSync } from 'node:fs'
import t from 'tap'
import { gateName } from '../../kernel/draw.ts'
import { askAll, credentials, installations, matrixText, type Cell, type Column } from './matrix.ts'

const columns = { standalone: await askAll('standalone'), library: await askAll('library') }
const remedy = 'if the change is meant, `node test/security/write-matrix.ts` writes it down; read the difference'

t.test('every route lets in who is written down in test/fixtures/security/matrix.txt', (t) => {
  const written = readFileSync(new URL('../fixtures/security/matrix.txt', import.meta.url), 'utf8')
  const found = [matrixText('standalone', columns.standalone), matrixText('library', columns.library)].join('\n')
  t.strictSame(found.split('\n'), written.split('\n'), remedy)
  t.end()
})

const nameOf = ({ route: { spec } }: Cell): string => `${spec.method} ${spec.path}`
/** The routes that a mount answers without a token. There is no fifth: a new one has to be argued for here. */
const open = new Set(['GET /auth/status', 'POST /auth/verify', 'GET /health', 'GET /generated-images/:fileName'])
const isGated = (cell: Cell): boolean => !open.has(nameOf(cell)) && cell.route.leftOut === undefined

const areSecretsSet = ({ installation }: Column): boolean => installation.endsWith('secrets set')
const isClosed = (column: Column): boolean =>
  column.installation === 'production, nothing set' ||
  (areSecretsSet(column) && !['access', 'both'].includes(column.credential))

t.test('a mount answers nothing but its open routes without a token', (t) => {
  t.equal(columns.library.length, Object.keys(installations).length * Object.keys(credentials).length)
  for (const column of columns.library) {
    const where = `for ${column.credential} in ${column.installation}`
    for (const cell of column.cells) {
      const { route, answer } = cell
      const isRefused = answer.text.startsWith('{"error":"unauthorized"')
      if (route.leftOut !== undefined) t.equal(answer.status, 404, `${nameOf(cell)} is not there ${where}`)
      else if (!isGated(cell)) t.notOk(isRefused, `${nameOf(cell)} is open ${where}`)
      else if (isClosed(column)) t.strictSame([answer.status, isRefused], [401, true], `${nameOf(cell)} ${where}`)
      else if (gateName(route) !== 'publish') t.not(answer.status, 401, `${nameOf(cell)} is answered ${where}`)
    }
  }
  t.end()
})

t.test('a refusal of a gate is one text, whatever was guessed and wherever', (t) => {
  const refused = columns.library.filter((column) => areSecretsSet(column) && isClosed(column))
  const texts = refused.flatMap(({ cells }) => cells.filter(isGated).map(({ answer }) => answer.text))
  t.ok(texts.length > 100)
  t.strictSame([...new Set(texts)], ['{"error":"unauthorized"}'])
  t.end()
})

t.test('the token of one thing opens no other', (t) => {
  const statuses = (credential: string, name: string, among: readonly Column[]): readonly (number | undefined)[] =>
    among
      .filter((column) => areSecretsSet(column) && column.credential === credential)
      .map(({ cells }) => cells.find((cell) => nameOf(cell) === name)?.answer.status)
  const everywhere = [...columns.standalone, ...columns.library]
  t.strictSame(statuses('access', 'POST /publish', everywhere), [401, 401, 401, 401], 'who may edit may not publish')
  t.strictSame(statuses('publish', 'POST /ops', columns.library), [401, 401], 'who may publish may not edit')
  t.strictSame(statuses('wrong', 'POST /publish', everywhere), [401, 401, 401, 401])
  t.notOk(statuses('both', 'POST /publish', everywhere).includes(401), 'who knows both may publish')
  t.end()
})
