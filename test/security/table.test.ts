import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const here = new URL('../', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, here), 'utf8')

/** The names of the tests in a file, also of those inside others. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\bt\.test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , name = '']) => name.replaceAll(/\\(.)/g, '$1')))

const rows = read('security.md').split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Rule '))
  .map((line) => line.slice(2, -2).split(' | '))

t.test('every rule about security is proven by tests that exist', (t) => {
  t.ok(rows.length >= 24, `${rows.length} rules`)
  const known = new Map<string, ReadonlySet<string>>()
  for (const [rule = '', proof = '', ...rest] of rows) {
    t.match(rule, /^[A-Z].*\.$/, 'a rule is a sentence')
    t.strictSame(rest, [])
    for (const each of proof.split('<br>')) {
      const [, file = '', name = ''] = /^([\w/-]+\.test\.ts): (.+)$/.exec(each) ?? []
      if (!known.has(file)) known.set(file, file !== '' && existsSync(new URL(file, here)) ? namesIn(read(file)) : new Set())
      t.ok(known.get(file)?.has(name), `'${rule}' is proven by ${each}`)
    }
  }
  t.end()
})

t.test('every test of this folder proves a rule', (t) => {
  const proofs = rows.map(([, proof = '']) => proof).join('<br>')
  const files = ['requests', 'bodies', 'prototypes', 'source', 'matrix', 'limits', 'paths', 'canaries'].map((name) => `security/${name}.test.ts`)
  const unused = files.flatMap((file) => [...namesIn(read(file))].map((name) => `${file}: ${name}`)).filter((each) => !proofs.includes(each))
  t.strictSame(unused, ['security/source.test.ts: regular expressions are found wherever they stand, and nothing else is'])
  t.end()
})
