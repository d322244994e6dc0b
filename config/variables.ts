import * as v from 'valibot'
import type { Plugin, Schema } from '../kernel/index.ts'
import type { Environment } from './env.ts'
import { hint } from './nearest.ts'
import { ownVariables, siteVariables, type OwnVariable } from './own-variables.ts'
import type { Resolved } from './resolve.ts'
import { isSecretVariable } from './secrets.ts'

/** A variable of the environment, as people are told of it. */
export interface Variable {
  readonly name: string
  /** What holds while it is unset, in Markdown; absent where that is nothing. */
  readonly otherwise?: string
  /** What it does: a sentence of each of its readers that has something to say. */
  readonly effect: string
  /** Plugins, commands of the command line, `config` for both of them, `site` for the editor routes of a website. */
  readonly readBy: readonly string[]
  /** Never shown and never logged. */
  readonly isSecret: boolean
}

/** The names of all variables that the command line and the loaded plugins read, sorted. */
export function knownVariables(plugins: readonly Resolved[]): readonly string[] {
  const names = [...Object.entries(ownVariables), ...plugins.flatMap(({ plugin }) => readingsOf(plugin))]
  return [...new Set(names.map(([name]) => name))].toSorted()
}

/**
 * Every variable that the command line, the editor routes of a website or one of these plugins reads, by name.
 *
 * A plugin says what a variable does with `v.description` in its schema, and what holds without it by a
 * default there, or by the metadata `otherwise` where only its code decides.
 */
export function describeVariables(plugins: readonly { readonly plugin: Plugin }[]): readonly Variable[] {
  const readings = Map.groupBy(
    [
      ...Object.entries(ownVariables),
      ...plugins.flatMap(({ plugin }) => readingsOf(plugin)),
      ...Object.entries(siteVariables),
    ],
    ([name]) => name,
  )
  return [...readings]
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

/** What a plugin says about the variables that it reads. */
function readingsOf({ name: readBy, env }: Plugin): readonly (readonly [name: string, reading: OwnVariable])[] {
  const entries = 'entries' in env && typeof env.entries === 'object' ? (env.entries ?? {}) : {}
  return Object.entries(entries).flatMap(([name, schema]) =>
    isSchema(schema) ? [[name, { readBy, effect: v.getDescription(schema) ?? '', ...withoutValue(schema) }]] : [],
  )
}

function withoutValue(schema: Schema): Pick<OwnVariable, 'otherwise'> {
  const inSchema = 'default' in schema && schema.default !== '' ? schema.default : undefined
  const value = inSchema ?? v.getMetadata(schema)['otherwise']
  return typeof value === 'string' ? { otherwise: value } : {}
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

/** Variables that are named like ours and that nothing reads: most likely mistyped. */
export function unreadVariables(env: Environment, known: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('ORCHESTRATOR_') && !known.includes(name))
    .map((name) => `${name}${hint(name, known)}`)
}
