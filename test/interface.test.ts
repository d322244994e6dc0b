import t from 'tap'
import { checkProofs, provenIn } from './helpers/proofs.ts'

t.test('every sentence of the interface is proven by tests that exist', (t) => {
  const sentences = provenIn('interface.md')
  t.ok(sentences.length >= 100, `${sentences.length} sentences`)
  checkProofs(t, sentences)
  t.end()
})
