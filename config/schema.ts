import * as v from 'valibot'
import { BootError } from '../kernel/index.ts'
import { toIssues } from '../kernel/check.ts'
import { builtinNames } from './builtins.ts'
import type { OrchestratorConfig, PluginEntry } from './define-config.ts'
import { hint } from './nearest.ts'
import { presetNames } from './presets.ts'
import { LogLevel } from './values.ts'

const Text = v.string('expected a text')
const Texts = v.array(Text, 'expected a list of texts')
const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535
const Port = v.pipe(v.number('expected a number'), v.check(isPort, 'expected a whole number from 0 to 65535'))
const Preset = v.picklist(
  presetNames,
  ({ input }) => `expected ${presetNames.join(', ')}${hint(String(input), presetNames)}`,
)
const Builtin = v.picklist(
  builtinNames,
  ({ input }) => `'${String(input)}' is not a built-in plugin${hint(String(input), builtinNames)}`,
)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Refuses only what can be no entry in any file; whether a name or an object leads to a plugin shows when
 * it is resolved.
 */
function isEntry(value: unknown): boolean {
  const isNamed = (what: unknown): boolean =>
    (typeof what === 'string' && what.trim() !== '') || isObject(what)
  return Array.isArray(value) ? value.length === 2 && isNamed(value[0]) : isNamed(value)
}

const Entry = v.custom<PluginEntry>(isEntry, 'expected a name, a pair [name, options], or a plugin')
const Listen = v.object(
  { host: v.optional(Text), port: v.optional(Port) },
  'expected an object with host and port',
)

const Config = v.object({
  shape: v.optional(v.picklist(['standalone', 'library'], "expected 'standalone' or 'library'"), 'standalone'),
  listen: v.optional(Listen),
  dataDir: v.optional(Text),
  logLevel: v.optional(LogLevel),
  origins: v.optional(Texts),
  allowedHosts: v.optional(Texts),
  publicOrigin: v.optional(Text),
  trustProxy: v.optional(Texts),
  preset: v.optional(Preset),
  without: v.optional(v.array(Builtin, 'expected a list of names')),
  plugins: v.optional(v.array(Entry, 'expected a list of plugins')),
  base: v.optional(Text),
})

/** What is wrong with a configuration, and what of it can be used all the same. */
export interface CheckedConfig {
  readonly config: OrchestratorConfig
  readonly problems: readonly string[]
}

/**
 * Checks a configuration, whether it was written as data or as code; `where` names the file in its sentences.
 *
 * What is wrong is left out of what can be used, so that the rest can be looked at for further mistakes. Throws a
 * BootError for something that is no configuration at all.
 */
export function checkConfig(value: unknown, where: string): CheckedConfig {
  if (!isObject(value)) {
    throw new BootError([
      `${where} holds no configuration: expected an object such as { shape: 'standalone' }`,
    ])
  }
  const listen = isObject(value['listen']) ? value['listen'] : {}
  const unknown = [...unknownKeys(value, Config.entries), ...unknownKeys(listen, Listen.entries, 'listen.')]
  const parsed = v.safeParse(Config, value)
  const wrong = toIssues(parsed.issues ?? []).map(({ path, message }) =>
    message.endsWith('is required') ? message : `'${path}': ${message}`,
  )
  return {
    config: parsed.success ? parsed.output : v.parse(Config, usable(value)),
    problems: [...unknown, ...wrong].map((problem) => `${where}: ${problem}`),
  }
}

/** The keys whose values are right, and the right ones among the plugins. */
function usable(value: Readonly<Record<string, unknown>>): object {
  const plugins = Array.isArray(value['plugins']) ? value['plugins'].filter(isEntry) : undefined
  const entries = Object.entries(Config.entries).filter(([key, schema]) => v.safeParse(schema, value[key]).success)
  return { plugins, ...Object.fromEntries(entries.map(([key]) => [key, value[key]])) }
}

function unknownKeys(
  value: Readonly<Record<string, unknown>>,
  known: object,
  prefix = '',
): readonly string[] {
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => `'${prefix}${key}' is not a setting${hint(key, Object.keys(known))}`)
}
