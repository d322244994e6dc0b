import { parseSync, Visitor } from 'rolldown/utils'

/** An import of a module, or an export from it. */
export interface Import {
  /** The module as it is written. */
  readonly name: string
  /** Whether it is of types alone. */
  readonly isType: boolean
  /** What it takes; `*` stands for everything. */
  readonly takes: readonly string[]
  /** Where a call of `import` begins. */
  readonly calledAt?: number
}

/** The imports of a source in TypeScript, in any order. Throws if it cannot be parsed. */
export function importsIn(path: string, text: string): readonly Import[] {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const isType = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    /^\w+\s+type\s/.test(text.slice(start, end))
  const imports = parsed.module.staticImports.map((each) => ({
    name: each.moduleRequest.value,
    isType: isType(each),
    takes: each.entries.map(({ importName }) =>
      importName.kind === 'Default' ? 'default' : (importName.name ?? '*'),
    ),
  }))
  const exports = parsed.module.staticExports.flatMap((each) =>
    each.entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest
        ? { name: moduleRequest.value, isType: isType(each), takes: [importName.name ?? '*'] }
        : [],
    ),
  )
  // A walk through the whole of each source would take seconds.
  return [...imports, ...exports, ...(text.includes('import(') ? callsIn(parsed.program) : [])]
}

function callsIn(program: ReturnType<typeof parseSync>['program']): readonly Import[] {
  const calls: Import[] = []
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type !== 'Literal' || typeof source.value !== 'string') return
      calls.push({ name: source.value, isType: false, takes: ['default'], calledAt: start })
    },
    TSImportType({ source }) {
      calls.push({ name: source.value, isType: true, takes: ['*'] })
    },
  }).visit(program)
  return calls
}
