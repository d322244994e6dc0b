import t from 'tap'
import { assertedIn, checkProofs, partOf, provenIn } from './helpers/proofs.ts'

t.test('every sentence of the interface names tests that exist', (t) => {
  const sentences = provenIn('interface.md')
  t.ok(sentences.length >= 100, `${sentences.length} sentences`)
  checkProofs(t, sentences)
  t.end()
})

t.test('only a test that passed with a passing assertion of its own, or inside, is a proof', (t) => {
  const record = `TAP version 14
# Subtest: outer
    # Subtest: inner \\# 1
        ok 1 - should be equal
        ok 2 - not on this system # SKIP
        1..2
    ok 1 - inner \\# 1 # time=2.5ms
    # Subtest: empty
        1..0
    ok 2 - empty # time=0.1ms
    # Subtest: only skips
        ok 1 - should match # SKIP
        1..1
    ok 3 - only skips # time=0.1ms
    1..3
ok 1 - outer # time=3ms
ok 2 - skipped # SKIP there is no zsh here
ok 3 - later # TODO
# Subtest: failed
    ok 1 - first
    not ok 2 - second
    1..2
not ok 4 - failed # time=1ms
# Subtest: after a failure
    1..0
ok 5 - after a failure # time=1ms
1..5
# time=9ms`
  t.strictSame([...assertedIn(record)], ['inner # 1', 'outer'])
  t.end()
})

t.test('in the record of a group a proof belongs to its file', (t) => {
  const part = (title: string): string => `    # Subtest: ${title}
        ok 1 - should be equal
        1..1
    ok 1 - ${title} # time=1ms
    1..1
`
  const record = `TAP version 14
# Subtest: plugins/a.test.ts
${part('one')}ok 1 - plugins/a.test.ts # time=1ms
# Subtest: plugins/b.test.ts
${part('other')}not ok 2 - plugins/b.test.ts # time=1ms
1..2`
  const titlesIn = (file: string) => [...assertedIn(partOf(record, file))]
  t.strictSame(titlesIn('plugins/a.test.ts'), ['one'])
  t.strictSame(titlesIn('plugins/b.test.ts'), ['other'])
  t.strictSame(titlesIn('a.test.ts'), [])
  t.end()
})
