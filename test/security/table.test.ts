import t from 'tap'
import { checkProofs, provenIn, testsIn } from '../helpers/proofs.ts'

const rules = provenIn('security.md')

t.test('every rule about security is proven by tests that exist', (t) => {
  t.ok(rules.length >= 24, `${rules.length} rules`)
  checkProofs(t, rules)
  t.end()
})

const own = [
  'requests.slow',
  'bodies.slow',
  'uninvited',
  'prototypes.slow',
  'source',
  'matrix.slow',
  'limits.slow',
  'paths.slow',
  'canaries.slow',
  'scoped-tokens',
]

t.test('every test of this folder proves a rule', (t) => {
  const used = new Set(rules.flatMap(({ proofs }) => proofs))
  const unused = own
    .map((name) => `security/${name}.test.ts`)
    .flatMap((file) => [...testsIn(file)].map((name) => `${file}: ${name}`))
    .filter((each) => !used.has(each))
  t.strictSame(unused, [])
  t.end()
})
