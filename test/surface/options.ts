import { drawTable } from '../../kernel/draw.ts'
import { toJsonSchema, type JsonSchema, type Plugin, type Subschema } from '../../kernel/index.ts'
import { builtinPlugins } from './environment.ts'

/** The type of a value and its limits. */
function kindOf(schema: Subschema): string {
  if (typeof schema === 'boolean') return 'anything'
  if (schema.not) return 'refused'
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

async function rowsOf({ name, options }: Plugin): Promise<readonly (readonly string[])[]> {
  const { properties = {}, required = [] }: JsonSchema = await toJsonSchema(options)
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
  const rows = (await Promise.all((await builtinPlugins()).map(rowsOf))).flat()
  return `${drawTable(rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).join('\n')}\n`
}
