import t from 'tap'
import { defineRefusal } from '../../kernel/index.ts'

t.test('a kind of refusal describes itself without the details of a case', (t) => {
  const described = (reason: (...details: never) => string) =>
    defineRefusal({ status: 400, code: 'refused', reason }).describe()
  t.equal(
    described(() => 'It is locked.'),
    'It is locked.',
  )
  t.equal(
    described((most: number) => `At most ${most} pages.`),
    'At most … pages.',
  )
  const undescribed: readonly ((...details: never) => string)[] = [
    (sentence: string) => sentence,
    (most: number) => `At most ${most * 2} pages.`,
    (slugs: readonly string[]) => `Pages: ${slugs.toSorted().join(', ')}`,
  ]
  for (const reason of undescribed) t.equal(described(reason), undefined)
  t.end()
})
