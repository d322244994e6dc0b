import { drawTable } from '../../kernel/draw.ts'
import type { Plugin } from '../../kernel/index.ts'
import { createComponents } from '../../plugins/docs/components.ts'
import type { JsonSchema, Subschema } from '../../plugins/docs/document.ts'
import { builtinPlugins } from './environment.ts'

/** The type of a value and its limits. */
function kindOf(schema: Subschema): string {
  if (typeof schema === 'boolean') return 'anything'
  const { type = 'anything', enum: options, minimum, maximum, pattern } = schema
  return [
    options ? options.map((option) => JSON.stringify(option)).join(' | ') : String(type),
    minimum === undefined ? '' : `>= ${minimum}`,
    maximum === undefined ? '' : `<= ${maximum}`,
    pattern === undefined ? '' : `like ${pattern}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function rowsOf({ name, options }: Plugin): readonly (readonly string[])[] {
  const { properties = {}, required = [] }: JsonSchema = createComponents().describe(options, 'input')
  return Object.entries(properties).map(([option, schema]) => {
    const fallback = typeof schema === 'object' ? schema.default : undefined
    const otherwise = required.includes(option)
      ? 'required'
      : fallback === undefined
        ? 'optional'
        : `default ${JSON.stringify(fallback)}`
    return [`${name}.${option}`, kindOf(schema), otherwise]
  })
}

/** The options of every built-in plugin, with type and default. */
export async function optionsText(): Promise<string> {
  const rows = (await builtinPlugins()).flatMap(rowsOf)
  return `${drawTable(rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).join('\n')}\n`
}
