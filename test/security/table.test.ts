import t from 'tap'
import { checkProofs, provenIn } from '../helpers/proofs.ts'

t.test('every rule about security names tests that exist', (t) => {
  const rules = provenIn('security.md')
  t.ok(rules.length >= 24, `${rules.length} rules`)
  checkProofs(t, rules)
  t.end()
})
