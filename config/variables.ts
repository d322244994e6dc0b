import * as v from 'valibot'
import type { Plugin, Schema } from '../kernel/index.ts'
import type { Environment } from './env.ts'
import { hint } from './nearest.ts'
import { ownVariables, siteVariables, type OwnVariable } from './own-variables.ts'
import { isSecretVariable } from './secrets.ts'
import { isSchema } from './values.ts'

/** A variable of the environment, as it is documented. */
export interface Variable {
  readonly name: string
  /** What is used while it is unset, in Markdown; absent where that is nothing. */
  readonly otherwise?: string
  /** What it does: one sentence for each reader that describes it. */
  readonly effect: string
  /** Plugins, commands of the command line, `config` for both of them, `site` for the editor routes of a website. */
  readonly readBy: readonly string[]
  /** Never shown and never logged. */
  readonly isSecret: boolean
}

type Plugins = readonly { readonly plugin: Plugin }[]
type Reading = readonly [name: string, reading: OwnVariable]

/** The names of all variables that the command line and the loaded plugins read, sorted. */
export function knownVariables(plugins: Plugins): readonly string[] {
  const names = [...Object.entries(ownVariables), ...plugins.flatMap(readingsOf)].map(([name]) => name)
  return [...new Set(names)].toSorted()
}

/**
 * Every variable that the command line, the editor routes of a website or one of these plugins reads, by name.
 *
 * A plugin describes a variable with `v.description` in its schema, and its default there, or with the metadata
 * `otherwise` where only its code decides.
 */
export function describeVariables(plugins: Plugins): readonly Variable[] {
  const readings = [...Object.entries(ownVariables), ...plugins.flatMap(readingsOf), ...Object.entries(siteVariables)]
  return [...Map.groupBy(readings, ([name]) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, list]) => toVariable(name, list.map(([, reading]) => reading)))
}

function toVariable(name: string, readings: readonly OwnVariable[]): Variable {
  const otherwise = readings.map((reading) => reading.otherwise).find((value) => value !== undefined)
  return {
    name,
    ...(otherwise !== undefined && { otherwise }),
    effect: [...new Set(readings.map(({ effect }) => effect).filter(Boolean))].join(' '),
    readBy: [...new Set(readings.map(({ readBy }) => readBy))],
    isSecret: isSecretVariable(name),
  }
}

/** The variables in the `env` schema of a plugin. */
function readingsOf({ plugin: { name: readBy, env } }: Plugins[number]): readonly Reading[] {
  const entries = 'entries' in env && typeof env.entries === 'object' ? (env.entries ?? {}) : {}
  return Object.entries(entries).flatMap(([name, schema]) =>
    isSchema(schema) ? [[name, { readBy, effect: v.getDescription(schema) ?? '', ...otherwiseOf(schema) }]] : [])
}

function otherwiseOf(schema: Schema): Pick<OwnVariable, 'otherwise'> {
  const inSchema = 'default' in schema && schema.default !== '' ? schema.default : undefined
  const value = inSchema ?? v.getMetadata(schema)['otherwise']
  return typeof value === 'string' ? { otherwise: value } : {}
}

/** Variables that begin like ours and that nothing reads: most likely mistyped. */
export function unreadVariables(env: Environment, known: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('ORCHESTRATOR_') && !known.includes(name))
    .map((name) => `${name}${hint(name, known)}`)
}
