/** The functions of more than 100 lines: those that are there, each by its name, and no others. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'rolldown/utils'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))
const mostLines = 100

/** What is long already. A function leaves the list when it is split; none is added. */
const long: readonly string[] = [
  'plugins/chat/model/answer/json.ts createJsonReader',
  'plugins/chat/streams/runs.ts createRuns',
  'plugins/site/browser/bridge/inline.ts createInline',
  'plugins/site/browser/bridge/open.ts openBridge',
  'plugins/site/browser/bridge/tools.ts createTools',
]

/**
 * Names the functions of a file that have more lines, by their own name or that of the function that takes
 * them.
 */
function longIn(path: string, text: string, most: number): readonly string[] {
  const found: string[] = []
  const linesOf = (start: number, end: number) => text.slice(start, end).split('\n').length
  // Parsing is what takes time.
  if (linesOf(0, text.length) <= most) return found
  const names = new Map<number, string>()
  const note = (
    { start, end }: { readonly start: number; readonly end: number },
    name = names.get(start),
  ) => {
    if (linesOf(start, end) > most) found.push(`${path} ${name ?? 'a function'}`)
  }
  const visitor = new Visitor({
    VariableDeclarator({ id, init }) {
      if (init && id.type === 'Identifier') names.set(init.start, id.name)
    },
    Property({ key, value }) {
      if (key.type === 'Identifier') names.set(value.start, key.name)
    },
    CallExpression({ callee, arguments: given }) {
      const name = callee.type === 'MemberExpression' ? callee.property : callee
      if (name.type === 'Identifier') for (const each of given) names.set(each.start, name.name)
    },
    FunctionDeclaration: (node) => note(node, node.id?.name),
    FunctionExpression: (node) => note(node),
    ArrowFunctionExpression: (node) => note(node),
  })
  visitor.visit(parseSync(path, text).program)
  return found
}

t.test('no function has more than 100 lines, but for those of the list', (t) => {
  const three = '{\n0\n}'
  const text = `function a() ${three}\nconst b = () => ${three}\nc({ d() ${three}, e: () => 1 })\nf.setup(() => ${three})`
  t.strictSame(longIn('x.ts', text, 2), ['x.ts a', 'x.ts b', 'x.ts d', 'x.ts setup'])
  t.strictSame(longIn('x.ts', text, 3), [])
  const paths = globSync('{kernel,plugins,config}/**/*.{ts,tsx}', { cwd: root }).toSorted()
  t.ok(paths.length > 900, 'the files were found')
  t.strictSame(
    paths.flatMap((path) => longIn(path, readFileSync(`${root}${path}`, 'utf8'), mostLines)),
    long,
  )
  t.end()
})
