import * as v from 'valibot'
import type { Plugin, Schema } from '../kernel/index.ts'
import { isSchema } from '../kernel/schema.ts'
import type { Environment } from './env.ts'
import { hint } from './nearest.ts'
import { ownVariables, siteVariables } from './own-variables.ts'
import { isSecretVariable } from './secrets.ts'

/** The documentation of an environment variable. */
export type Variable = Readonly<ReturnType<typeof describeVariables>[number]>

type Plugins = readonly { readonly plugin: Plugin }[]
type Entry = (typeof ownVariables)[string]

/** Returns the sorted names of all variables that the command line and the loaded plugins read. */
export function knownVariables(plugins: Plugins): readonly string[] {
  return [...new Set([...Object.keys(ownVariables), ...plugins.flatMap(entriesOf).map(([name]) => name)])].toSorted()
}

/**
 * Describes all variables of the command line, the editor routes of a website and these plugins, by name.
 * Plugins describe a variable with `v.description`, and its default in the schema or metadata `otherwise`.
 */
export function describeVariables(plugins: Plugins) {
  const entries = [...Object.entries(ownVariables), ...plugins.flatMap(entriesOf), ...Object.entries(siteVariables)]
  return [...Map.groupBy(entries, ([name]) => name)].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => {
    const otherwise = group.map(([, entry]) => entry[2]).find((value) => value !== undefined)
    return {
      name,
      /** The default, in Markdown. */
      ...(otherwise !== undefined && { otherwise }),
      /** One sentence per reader with a description. */
      effect: [...new Set(group.map(([, [, effect]]) => effect).filter(Boolean))].join(' '),
      /** Plugins, commands, `config` for both of them, `site` for the editor routes of a website. */
      readBy: [...new Set(group.map(([, [readBy]]) => readBy))],
      isSecret: isSecretVariable(name),
    }
  })
}

/** Returns the variables in the `env` schema of a plugin. */
function entriesOf({ plugin: { name: readBy, env } }: Plugins[number]): readonly (readonly [name: string, entry: Entry])[] {
  const entries = 'entries' in env && typeof env.entries === 'object' ? (env.entries ?? {}) : {}
  return Object.entries(entries).flatMap(([name, schema]) =>
    isSchema(schema) ? [[name, [readBy, v.getDescription(schema) ?? '', ...defaultOf(schema)]]] : [])
}

function defaultOf(schema: Schema): readonly [] | readonly [string] {
  const inSchema = 'default' in schema && schema.default !== '' ? schema.default : undefined
  const value = inSchema ?? v.getMetadata(schema)['otherwise']
  return typeof value === 'string' ? [value] : []
}

/** Returns variables with a prefix of the service that nothing reads, which are most likely mistyped. */
export function unreadVariables(env: Environment, known: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('ORCHESTRATOR_') && !known.includes(name))
    .map((name) => `${name}${hint(name, known)}`)
}
