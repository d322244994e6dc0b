/** The names of types: each has one meaning, or at most three in the whole project. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))
const mostMeanings = 3

interface Declared {
  readonly name: string
  /** What it is declared as; equal declarations have one meaning. */
  readonly meaning: string
}

/** The types, interfaces and classes that a file declares at its top. */
function typesIn(path: string, text: string): readonly Declared[] {
  return parseSync(path, text).program.body.flatMap((statement) => {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    const isType =
      node?.type === 'TSTypeAliasDeclaration' ||
      node?.type === 'TSInterfaceDeclaration' ||
      node?.type === 'ClassDeclaration'
    if (!isType || !node.id) return []
    const { name } = node.id
    const declared = text.slice(node.id.end, node.end).replaceAll(/\s+/g, ' ')
    // A type of a schema, or of a function, of this file.
    const isOfFile = node.type !== 'TSTypeAliasDeclaration' || declared.includes('typeof')
    return [{ name, meaning: isOfFile ? `${path}${declared}` : declared }]
  })
}

/** A type that a formatted file declares at its top. */
const atTop = /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:type|interface|class) ([\w$]+)/gm

/** The names with more meanings than allowed, each as a sentence. */
function ambiguous(types: readonly Declared[]): readonly string[] {
  return [...Map.groupBy(types, ({ name }) => name)].flatMap(([name, found]) => {
    const { size } = new Set(found.map(({ meaning }) => meaning))
    return size > mostMeanings ? [`${name} has ${size} meanings: name some by what they hold`] : []
  })
}

t.test('no name of a type has more than three meanings', (t) => {
  const same = ['a', 'b', 'c', 'd'].flatMap((file) =>
    typesIn(`${file}.ts`, 'type Headers = Record<string, string>'),
  )
  const other = ['a', 'b', 'c', 'd'].flatMap((file) =>
    typesIn(`${file}.ts`, `export interface Row { ${file}: 1 }`),
  )
  t.strictSame(ambiguous([...same, ...other]), ['Row has 4 meanings: name some by what they hold'])
  const paths = globSync('{kernel,plugins,config,test}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['test/fixtures/**'],
  })
  const files = paths.map((path) => {
    const text = readFileSync(`${root}${path}`, 'utf8')
    return { path, text, names: [...text.matchAll(atTop)].map(([, name = '']) => name) }
  })
  const uses = Map.groupBy(
    files.flatMap(({ names }) => names),
    (name) => name,
  )
  t.ok(uses.size > 1_000, 'the types were found')
  const isOften = (name: string) => (uses.get(name)?.length ?? 0) > mostMeanings
  // Parsing is what takes time, and few names are declared often.
  const parsed = files.filter(({ names }) => names.some(isOften))
  t.ok(parsed.length > mostMeanings, 'names that are declared often were found')
  t.strictSame(ambiguous(parsed.flatMap(({ path, text }) => typesIn(path, text))), [])
  t.end()
})
