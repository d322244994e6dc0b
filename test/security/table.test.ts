import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'

const tests = new URL('../', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, tests), 'utf8')

const named = /\bt\.test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
/** The names of the tests in a file, also of those inside others; none where there is no such file. */
const namesIn = (file: string): ReadonlySet<string> => {
  const text = file !== '' && existsSync(new URL(file, tests)) ? read(file) : ''
  return new Set([...text.matchAll(named)].map(([, , name = '']) => name.replaceAll(/\\(.)/g, '$1')))
}

const lines = read('security.md').split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Rule '))
const rows = lines.map((line) => line.slice(2, -2).split(' | '))

t.test('every rule about security is proven by tests that exist', (t) => {
  t.ok(rows.length >= 24, `${rows.length} rules`)
  for (const [rule = '', proof = '', ...rest] of rows) {
    t.match(rule, /^[A-Z].*\.$/, 'a rule is a sentence')
    t.strictSame(rest, [])
    for (const each of proof.split('<br>')) {
      const [, file = '', name = ''] = /^([\w/-]+\.test\.ts): (.+)$/.exec(each) ?? []
      t.ok(namesIn(file).has(name), `'${rule}' is proven by ${each}`)
    }
  }
  t.end()
})

const own = ['requests', 'bodies', 'uninvited', 'prototypes', 'source', 'matrix', 'limits', 'paths', 'canaries']

t.test('every test of this folder proves a rule', (t) => {
  const proofs = new Set(rows.flatMap(([, proof = '']) => proof.split('<br>')))
  const unused = own
    .map((name) => `security/${name}.test.ts`)
    .flatMap((file) => [...namesIn(file)].map((name) => `${file}: ${name}`))
    .filter((each) => !proofs.has(each))
  const aboutItself = 'security/source.test.ts: regular expressions are found wherever they stand, and nothing else is'
  t.strictSame(unused, [aboutItself])
  t.end()
})
